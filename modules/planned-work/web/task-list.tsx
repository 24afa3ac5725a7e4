import { useState } from 'react'
import { addMinutes, asMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'
import { disableTask, listTasks, reappointTask, taskFilters } from '../contract/task-calls.ts'
import { menu, paths } from '../module.ts'
import { TaskContent } from './task-content.tsx'
import { reappointRefusal, taskGroups } from './task-groups.ts'

const isOpen = ({ state }: WorkTask): boolean => state === 'waiting' || state === 'running'

const columns = buildColumns(listTasks.output, [
  { key: 'planName', identity: true, grow: 2 },
  { key: 'targetName', grow: 1, hidePriority: 1 },
  { key: 'beginTime', fitContent: true },
  { key: 'endTime', wideOnly: true },
  {
    key: 'who',
    title: '执行人',
    grow: 1,
    render: task =>
      task.nobodyReason ? `无人可派：${task.nobodyReason}` : (task.staffName ?? task.candidateNames),
    text: task => task.staffName ?? task.candidateNames ?? task.nobodyReason ?? '',
  },
  { key: 'stepDone', hidePriority: 2 },
  { key: 'stepTotal', hidePriority: 2 },
  'missCount',
  'abnormalCount',
  'score',
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'open', name: '未完成', filter: { state: ['waiting', 'running'] } },
  { id: 'missed', name: '逾期', filter: { state: ['partial', 'missed'] } },
  { id: 'nobody', name: '无人可派', filter: { isNobody: true } },
]

const disable = createReasonAction(disableTask, {
  label: '停用',
  unit: '个任务',
  nameOf: (task: WorkTask) => `${task.planName} ${task.beginTime.slice(0, 16)}`,
  consequences: ['停用的任务无需执行，不计入各项比率'],
  disabledReason: task => (isOpen(task) ? undefined : '任务已结束或已停用'),
})

/** The coming full hour. */
const nextHour = (): Moment => asMoment(`${addMinutes(fromInstant(serverNow()), 60).slice(0, 14)}00:00`)

/** 重派: another person or time for what was not done (PAT-7). */
const ReappointDialog = actionDialog({
  call: reappointTask,
  title: (task: WorkTask) => `重派「${task.planName}」`,
  submitLabel: '重派',
  keys: ['staffId', 'beginTime', 'endTime'],
  target: task => ({ id: task.id }),
  initial: () => ({ beginTime: nextHour(), endTime: addMinutes(nextHour(), 60) }),
  doneText: task => `已重派「${task.planName}」`,
})

/** Tasks with what can be done with them; of one plan, or of all. */
export function TaskList({ planId }: { readonly planId?: number }) {
  const [reappointed, setReappointed] = useState<WorkTask>()
  return (
    <>
      <ListPage
        list={listTasks}
        itemName="任务"
        columns={columns}
        filters={[...taskFilters, 'isNobody', 'staffIds']}
        barFilters={planId === undefined ? ['taskDate', 'planId', 'staffIds'] : ['taskDate']}
        views={views}
        {...(planId === undefined
          ? {}
          : { embedded: true, fixedFilter: { planId: [String(planId)] }, pageSize: 20 })}
        toolbarActions={[
          { label: '手机填写', needs: menu.plan.permissions.execute, run: () => window.open(paths.phone) },
        ]}
        rowActions={task => [
          {
            label: '重派',
            needs: menu.plan.permissions.arrange,
            disabledReason: reappointRefusal(task),
            run: () => setReappointed(task),
          },
          disable.row(task),
        ]}
        batchActions={[disable.batch]}
        drawer={{
          width: 880,
          title: task => `${task.planName} ${task.beginTime.slice(0, 16)}`,
          status: task => <ChoiceStatus choices={taskState} value={task.state} />,
          groups: taskGroups,
          afterGroups: task => <TaskContent taskId={task.id} />,
          historyEntity: 'workTask',
        }}
      />
      {reappointed && <ReappointDialog record={reappointed} onClose={() => setReappointed(undefined)} />}
    </>
  )
}

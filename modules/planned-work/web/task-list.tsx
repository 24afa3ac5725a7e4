import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'
import { disableTask, listTasks, reappointTask, taskFilters } from '../contract/task-calls.ts'
import { menu, paths } from '../module.ts'
import { TaskContent } from './task-content.tsx'
import { isOpenTask, reappointRefusal, taskGroups, taskNameOf, assigneeColumn } from './task-groups.ts'

const columns = buildColumns(listTasks.output, [
  { key: 'planName', identity: true, grow: 2 },
  { key: 'targetName', grow: 1, hidePriority: 1 },
  { key: 'beginTime', fitContent: true },
  { key: 'endTime', wideOnly: true },
  assigneeColumn,
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
  nameOf: taskNameOf,
  consequences: ['停用的任务无需执行，不计入各项比率'],
  disabledReason: task => (isOpenTask(task) ? undefined : '任务已结束或已停用'),
})

/** 重派: another person or time for what was not done (PAT-7). */
const ReappointDialog = lazyComponent(async () => (await import('./reappoint-dialog.tsx')).ReappointDialog)

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
          title: taskNameOf,
          status: task => <ChoiceStatus choices={taskState} value={task.state} />,
          groups: taskGroups,
          afterGroups: task => <TaskContent taskId={task.id} />,
          historyEntity: 'workTask',
        }}
      />
      {reappointed && (
        <ReappointDialog call={reappointTask} task={reappointed} onClose={() => setReappointed(undefined)} />
      )}
    </>
  )
}

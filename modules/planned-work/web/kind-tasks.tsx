import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'
import type { PlannedSpec } from './kind-spec.ts'
import { isOpenTask, reappointRefusal, taskGroups, taskNameOf, assigneeColumn } from './task-groups.ts'
import { useTaskViews } from './task-views.ts'
import { useAssign } from './use-assign.tsx'

const columnsOf = ({ calls, targetLabel }: PlannedSpec) =>
  buildColumns(calls.listTasks.output, [
    { key: 'planName', identity: true, grow: 1 },
    { key: 'targetName', title: targetLabel, grow: 2, hidePriority: 1 },
    { key: 'beginTime', fitContent: true },
    { key: 'endTime', wideOnly: true },
    assigneeColumn,
    { key: 'stepDone', hidePriority: 2 },
    { key: 'stepTotal', hidePriority: 2 },
    { key: 'missCount', hidePriority: 2 },
    'abnormalCount',
    'score',
    'state',
  ])

const otherViews = [
  { id: 'open', name: '未完成', filter: { state: ['waiting', 'running'] } },
  { id: 'done', name: '已完成', filter: { state: ['done'] } },
  { id: 'missed', name: '逾期', filter: { state: ['partial', 'missed'] } },
  { id: 'again', name: '待重派', filter: { awaitsAgain: true } },
  { id: 'nobody', name: '无人可派', filter: { isNobody: true, state: ['waiting'] } },
]

const TaskContent = lazyComponent(async () => (await import('./task-content.tsx')).TaskContent)
const ReappointDialog = lazyComponent(async () => (await import('./reappoint-dialog.tsx')).ReappointDialog)

/** 停用 of tasks of the kind (PAT-7). */
const disableActionOf = ({ calls, names }: PlannedSpec) =>
  createReasonAction(calls.disable, {
    label: '停用',
    unit: `个${names.task}`,
    nameOf: taskNameOf,
    consequences: ['停用的任务无需执行，不计入各项比率'],
    reasonPresets: ['恶劣天气', '现场封闭', '重复安排'],
    disabledReason: (task: WorkTask) => (isOpenTask(task) ? undefined : '任务已结束或已停用'),
  })

/** The tasks of a kind, or of one of its plans, with what came of them. */
export function KindTasks({ spec, planId }: { readonly spec: PlannedSpec; readonly planId?: number }) {
  const { calls, names, paths } = spec
  const [reappointed, setReappointed] = useState<WorkTask>()
  const [disable] = useState(() => disableActionOf(spec))
  const assign = useAssign(calls.assign, calls.permissions.arrange)
  const views = useTaskViews(otherViews)
  const own = planId === undefined ? (spec.taskFilters ?? []) : []
  return (
    <>
      <ListPage
        list={calls.listTasks}
        itemName={names.task}
        columns={columnsOf(spec)}
        filters={['taskDate', ...own, 'staffId', 'state', 'isNobody', 'finishTime']}
        barFilters={planId === undefined ? ['taskDate', ...own, 'staffId'] : ['taskDate']}
        views={views}
        {...(planId === undefined
          ? {}
          : { embedded: true, fixedFilter: { planId: [String(planId)] }, pageSize: 20 })}
        toolbarActions={[
          { label: '手机填写', needs: calls.permissions.execute, run: () => window.open(paths.phone) },
        ]}
        export={calls.exportTasks}
        rowActions={task => [
          assign.row(task),
          {
            label: '重派',
            needs: calls.permissions.arrange,
            disabledReason: reappointRefusal(task),
            run: () => setReappointed(task),
          },
          disable.row(task),
        ]}
        batchActions={[...assign.batch, disable.batch]}
        drawer={{
          width: 880,
          title: taskNameOf,
          status: task => <ChoiceStatus choices={taskState} value={task.state} />,
          groups: taskGroups,
          afterGroups: task => <TaskContent taskId={task.id} call={calls.getTask} />,
          historyEntity: 'workTask',
        }}
      />
      {assign.dialog}
      {reappointed && (
        <ReappointDialog
          call={calls.reappoint}
          task={reappointed}
          onClose={() => setReappointed(undefined)}
        />
      )}
    </>
  )
}

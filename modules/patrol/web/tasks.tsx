import { useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { useAssign } from '#modules/planned-work/web/public.assign.ts'
import { useTaskViews } from '#modules/planned-work/web/public.views.ts'
import { taskState } from '#modules/planned-work/contract/choices.ts'
import type { WorkTask } from '#modules/planned-work/contract/task.ts'
import { assignPatrolTasks, exportPatrolTasks, listPatrolTasks } from '../contract/task.ts'
import { menu, paths } from '../module.ts'
import { taskColumns } from './task-columns.tsx'
import { disableTask, reassignAction, taskName } from './task-actions.ts'

const ReassignDialog = lazyComponent(() => import('./reassign-dialog.tsx').then(m => m.ReassignDialog))

const otherViews = [
  { id: 'open', name: '未完成', filter: { state: ['waiting', 'running'] } },
  { id: 'again', name: '待重派', filter: { awaitsAgain: true } },
  { id: 'missed', name: '有漏检', filter: { withMisses: true } },
  { id: 'findings', name: '有异常', filter: { withFindings: true } },
  { id: 'nobody', name: '无人可派', filter: { withoutStaff: true, state: ['waiting'] } },
]

/** 巡更任务: every round, what came of it, and what is still to be walked. */
export default function TasksPage() {
  const navigate = useNavigate()
  const [reassigned, reassign] = useState<WorkTask>()
  const assign = useAssign(assignPatrolTasks, menu.task.permissions.reassign)
  const views = useTaskViews(otherViews)
  const rowActions = (task: WorkTask) => [
    { label: '详情', run: () => void navigate(`${paths.task}?id=${task.id}`) },
    assign.row(task),
    reassignAction(task, reassign),
    disableTask.row(task),
  ]
  return (
    <>
      <ListPage
        list={listPatrolTasks}
        itemName="巡更任务"
        columns={taskColumns}
        views={views}
        barFilters={['taskDate', 'roadId', 'staffId', 'state']}
        rowActions={rowActions}
        batchActions={[...assign.batch, disableTask.batch]}
        export={exportPatrolTasks}
        isDimmed={task => task.state === 'disabled'}
        drawer={{
          title: taskName,
          status: task => <ChoiceStatus choices={taskState} value={task.state} />,
          actions: rowActions,
        }}
      />
      {assign.dialog}
      {reassigned && <ReassignDialog record={reassigned} onClose={() => reassign(undefined)} />}
    </>
  )
}

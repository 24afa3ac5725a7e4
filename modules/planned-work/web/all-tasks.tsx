import { Link } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listAllTasks } from '../contract/overview.ts'
import type { WorkTask } from '../contract/task.ts'
import { paths } from '../module.ts'
import { useAddressKinds, useWorkKinds } from './kind-filter.tsx'
import { ListSubject } from './list-subject.tsx'
import { assigneeColumn } from './task-groups.ts'
import { useTaskViews } from './task-views.ts'
import './planned-work.css'

const otherViews = [
  { id: 'open', name: '未完成', filter: { state: ['waiting', 'running'] } },
  { id: 'missed', name: '逾期', filter: { state: ['partial', 'missed'] } },
  { id: 'again', name: '待重派', filter: { awaitsAgain: true } },
  { id: 'nobody', name: '无人可派', filter: { isNobody: true } },
]

/** 全部任务: the tasks of all kinds, which the figures count; each opens its own page. */
export default function AllTasksPage() {
  const [kinds] = useAddressKinds()
  const { taskPath } = useWorkKinds()
  const views = useTaskViews(otherViews)
  const linkOf = (task: WorkTask) => {
    const to = taskPath(task.kind, task.id)
    return to === undefined ? task.planName : <Link to={to}>{task.planName}</Link>
  }
  return (
    <ListPage
      list={listAllTasks}
      itemName="任务"
      settingsKey="planned-work/all-tasks"
      columns={buildColumns(listAllTasks.output, [
        { key: 'planName', identity: true, grow: 2, render: linkOf, text: task => task.planName },
        'kind',
        { key: 'targetName', grow: 2, hidePriority: 1 },
        { key: 'beginTime', fitContent: true },
        { key: 'endTime', wideOnly: true },
        assigneeColumn,
        { key: 'stepDone', hidePriority: 2 },
        { key: 'stepTotal', hidePriority: 2 },
        'missCount',
        'abnormalCount',
        'score',
        'state',
      ])}
      views={views}
      fixedFilter={kinds.length ? { kinds } : {}}
      filters={['taskDate', 'staffId', 'state', 'finishTime']}
      barFilters={['taskDate', 'staffId', 'state']}
      isDimmed={task => task.state === 'disabled'}
      belowToolbar={<ListSubject path={paths.allTasks} />}
    />
  )
}

import { Link } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listAllRecords } from '../contract/overview.ts'
import type { WorkStep } from '../contract/task.ts'
import { paths } from '../module.ts'
import { useAddressKinds, useWorkKinds } from './kind-filter.tsx'
import { ListSubject } from './list-subject.tsx'
import './planned-work.css'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'missed', name: '漏检', filter: { result: ['missed'] } },
  { id: 'late', name: '迟到', filter: { result: ['late'] } },
  { id: 'findings', name: '异常', filter: { isAbnormal: true } },
]

/** 全部任务记录: the results of all task items of all kinds; each links to its task. */
export default function AllRecordsPage() {
  const [kinds] = useAddressKinds()
  const { taskPath } = useWorkKinds()
  const linkOf = (step: WorkStep) => {
    const to = taskPath(step.kind, step.taskId)
    return to === undefined ? step.stepName : <Link to={to}>{step.stepName}</Link>
  }
  return (
    <ListPage
      list={listAllRecords}
      itemName="任务记录"
      settingsKey="planned-work/all-records"
      columns={buildColumns(listAllRecords.output, [
        { key: 'stepName', identity: true, grow: 2, render: linkOf, text: step => step.stepName },
        'kind',
        { key: 'targetName', grow: 2 },
        { key: 'planName', grow: 1 },
        'taskDate',
        { key: 'dueTime', wideOnly: true },
        'signTime',
        'result',
        'verdict',
        'assigneeNames',
        { key: 'staffName', wideOnly: true },
        'isAbnormal',
        { key: 'abnormal', grow: 1, hidePriority: 1 },
      ])}
      views={views}
      fixedFilter={kinds.length ? { kinds } : {}}
      filters={['taskDate', 'result', 'verdict', 'isAbnormal']}
      barFilters={['taskDate', 'result', 'verdict']}
      belowToolbar={<ListSubject path={paths.allRecords} />}
    />
  )
}

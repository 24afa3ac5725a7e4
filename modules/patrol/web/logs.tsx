import { Link } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportPatrolRecords, listPatrolRecords } from '../contract/task.ts'
import { paths } from './paths.ts'

const columns = buildColumns(listPatrolRecords.output, [
  {
    key: 'stepName',
    title: '点位',
    identity: true,
    grow: 2,
    render: step => <Link to={`${paths.task}?id=${step.taskId}`}>{step.stepName}</Link>,
    text: step => step.stepName,
  },
  { key: 'planName', grow: 1 },
  'taskDate',
  'dueTime',
  'signTime',
  'result',
  { key: 'assigneeNames', title: '巡更人', hidePriority: 1 },
  'staffName',
  { key: 'signType', hidePriority: 2 },
  { key: 'isOffline', hidePriority: 3 },
  'isAbnormal',
  {
    key: 'workOrderNo',
    hidePriority: 1,
    render: step =>
      step.workOrderId === undefined ? (
        '--'
      ) : (
        <Link to={`${paths.workOrder}?id=${step.workOrderId}`}>{step.workOrderNo}</Link>
      ),
    text: step => step.workOrderNo ?? '',
  },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'missed', name: '漏检', filter: { result: ['missed'] } },
  { id: 'late', name: '迟到', filter: { result: ['late'] } },
  { id: 'findings', name: '异常', filter: { isAbnormal: true } },
]

/** 巡更记录: what came of each point of each round. */
export default function LogsPage() {
  return (
    <ListPage
      list={listPatrolRecords}
      itemName="巡更记录"
      columns={columns}
      views={views}
      barFilters={['taskDate', 'roadId', 'pointId', 'result']}
      export={exportPatrolRecords}
      settingsKey="patrol/records"
    />
  )
}

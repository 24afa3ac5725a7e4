import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportLogs, importLogs, logs } from '../contract/log.ts'

const columns = buildColumns(logs.list.output, [
  { key: 'staffName', identity: true, width: 100 },
  'staffNo',
  { key: 'departmentName', hidePriority: 2 },
  'punchTime',
  'source',
  { key: 'deviceName', hidePriority: 1 },
  { key: 'place', grow: 1 },
  'matchedDate',
  { key: 'remark', hidePriority: 2 },
])

/** 原始记录: punches as they came, which nothing changes (ATT-3). */
export default function LogsPage() {
  return (
    <ListPage
      list={logs.list}
      itemName="打卡记录"
      columns={columns}
      filters={['punchTime', 'departmentId', 'source', 'staffId', 'deviceId', 'matchedDate']}
      barFilters={['punchTime', 'departmentId', 'source']}
      import={importLogs}
      export={exportLogs}
      drawer={{ title: row => `${row.staffName ?? ''} ${row.punchTime.slice(0, 16)}` }}
    />
  )
}

import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { recordState } from '../contract/choices.ts'
import { getVisit, listVisits, visitExport } from '../contract/visit.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { leaveAction, leaveBatch } from './leave-actions.ts'

const columns = buildColumns(listVisits.output, [
  { key: 'visitorName', identity: true },
  { key: 'mobile', width: 148, hidePriority: 1 },
  { key: 'certNo', hidePriority: 4, wideOnly: true },
  { key: 'plateNo', width: 100, hidePriority: 3 },
  { key: 'visitorKind', hidePriority: 2 },
  { key: 'personCount', hidePriority: 3 },
  { key: 'roomPath', grow: 1, hidePriority: 1 },
  { key: 'hostName', hidePriority: 2 },
  'inTime',
  { key: 'outTime', hidePriority: 1 },
  { key: 'inLocationName', hidePriority: 4, wideOnly: true },
  { key: 'temperature', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'inside', name: '在访', filter: { state: ['inside'] } },
  { id: 'overdue', name: '超时未离', filter: { isOverdue: true } },
  { id: 'walk-in', name: '临时来访', filter: { isWalkIn: true } },
]

/** 访客记录: the visitors' book. */
export default function VisitsPage() {
  return (
    <ListPage
      list={listVisits}
      itemName="到访登记"
      columns={columns}
      views={views}
      filters={['visitorKind', 'state', 'inTime', 'outTime', 'inLocationId', 'isOverdue', 'isWalkIn']}
      barFilters={['visitorKind', 'inTime']}
      keywordPlaceholder="访客、车牌、被访人"
      rowActions={record => [leaveAction(record)]}
      batchActions={[leaveBatch()]}
      export={visitExport}
      drawer={{
        title: record => record.visitorName,
        status: record => <ChoiceStatus choices={recordState} value={record.state} />,
        loadCall: getVisit,
        actions: record => [leaveAction(record)],
        historyEntity: visitRecord.name,
      }}
    />
  )
}

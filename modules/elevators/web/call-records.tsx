import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { elevatorCalls, exportElevatorCalls, type ElevatorCall } from '../contract/call-record.ts'
import type { Elevator } from '../contract/elevator.ts'

const personText = ({ userName, staffName, visitorName, cardNo }: ElevatorCall): string => {
  if (staffName) return `${staffName}（员工）`
  if (visitorName) return `${visitorName}（访客）`
  return userName ?? (cardNo ? '未登记' : '--')
}

const columns = buildColumns(elevatorCalls.list.output, [
  { key: 'callTime', identity: true },
  { key: 'elevatorName', width: 140, grow: 1 },
  { key: 'userName', title: '人员', width: 120, grow: 1, text: personText, render: personText },
  { key: 'cardNo', width: 120, hidePriority: 2 },
  { key: 'fromFloor', hidePriority: 2 },
  'toFloor',
  { key: 'method', hidePriority: 1 },
  'result',
  { key: 'reason', width: 160, grow: 2, hidePriority: 1 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'failed', name: '被拒绝', filter: { result: ['failed'] } },
]

/** 梯控记录: calls of lifts, of the last thirty days unless another time is asked. */
export default function CallRecordsPage() {
  return (
    <ListPage
      list={elevatorCalls.list}
      export={exportElevatorCalls}
      itemName="呼梯记录"
      columns={columns}
      views={views}
      filters={elevatorCalls.filters}
      barFilters={['elevatorId', 'callTime', 'method']}
      keywordPlaceholder="卡号"
      settingsKey="elevators/calls"
    />
  )
}

/** Those of one lift, in its drawer. */
export const LiftCalls = ({ lift }: { readonly lift: Elevator }) => (
  <ListPage
    embedded
    list={elevatorCalls.list}
    itemName="呼梯记录"
    fixedFilter={{ elevatorId: [String(lift.id)] }}
    filters={[]}
    columns={columns.filter(column => column.key !== 'elevatorName')}
    keywordPlaceholder="卡号"
    settingsKey="elevators/calls-of-lift"
  />
)

import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { rightState } from '../contract/choices.ts'
import { formatFloors } from '../contract/floors.ts'
import { elevatorRights, exportElevatorRights, type ElevatorRight } from '../contract/right.ts'
import { FloorSelect } from './floor-select.tsx'

const holderName = (row: ElevatorRight): string =>
  row.staffName ? `${row.staffName}（员工）` : (row.userName ?? '')

const floorsText = (row: ElevatorRight): string => formatFloors(row.floors)

const stateText = ({ isExpired, state }: ElevatorRight): string =>
  isExpired ? '已过期' : labelOf(rightState, state)

const RightStatus = ({ row }: { readonly row: ElevatorRight }) =>
  row.isExpired ? <Status tone="off">已过期</Status> : <ChoiceStatus choices={rightState} value={row.state} />

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'current', name: '有效', filter: { isCurrent: true } },
  { id: 'expired', name: '已过期', filter: { isExpired: true } },
]

interface HolderValues {
  readonly userId?: number
  readonly staffId?: number
}

const { model } = crudPages(elevatorRights, {
  export: exportElevatorRights,
  unit: '项梯控权限',
  nameOf: holderName,
  deletion: { reasons: ['录入有误', '不再需要'], consequences: ['该人员不再能到这些楼层，另有权限的除外'] },
  columns: [
    { key: 'userName', title: '人员', identity: true, grow: 1, text: holderName, render: holderName },
    { key: 'elevatorName', grow: 1 },
    { key: 'floors', grow: 1, text: floorsText, render: floorsText },
    { key: 'beginDate', hidePriority: 1 },
    { key: 'endDate', text: row => row.endDate ?? '长期', render: row => row.endDate ?? '长期' },
    { key: 'state', text: stateText, render: row => <RightStatus row={row} /> },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          { key: 'userId', isHidden: (values: HolderValues) => values.staffId !== undefined },
          { key: 'staffId', isHidden: (values: HolderValues) => values.userId !== undefined },
          { key: 'elevatorId', deriveValues: () => ({ floors: [] }) },
          { key: 'floors', control: FloorSelect, wide: true },
          'beginDate',
          'endDate',
          { key: 'windows', wide: true },
          'state',
          { key: 'remark', wide: true },
        ],
      },
    ],
  },
})

/** 梯控权限: floors of single people beside those of home (ELV-2). */
export const Rights = () => (
  <CrudList
    model={model}
    list={{ embedded: true, pageSize: 15, views, barFilters: ['elevatorId', 'userId', 'staffId', 'state'] }}
  />
)

import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { vipState } from '../contract/choices.ts'
import { vipDoorways, type VipDoorway } from '../contract/vip-doorway.ts'

const holderName = (row: VipDoorway): string =>
  row.staffName ? `${row.staffName}（员工）` : (row.userName ?? '')

const stateText = ({ isExpired, state }: VipDoorway): string =>
  isExpired ? '已过期' : labelOf(vipState, state)

const VipStatus = ({ row }: { readonly row: VipDoorway }) =>
  row.isExpired ? <Status tone="off">已过期</Status> : <ChoiceStatus choices={vipState} value={row.state} />

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'valid', name: '有效', filter: { state: ['valid'] } },
  { id: 'expired', name: '已过期', filter: { isExpired: true } },
  { id: 'disabled', name: '停用', filter: { state: ['disabled'] } },
]

interface HolderValues {
  readonly userId?: number
  readonly staffId?: number
}

const { model } = crudPages(vipDoorways, {
  unit: '项 VIP 门',
  nameOf: holderName,
  deletion: { reasons: ['录入有误', '不再需要'], consequences: ['该人员不再能开这些门，另有权限的除外'] },
  columns: [
    { key: 'userName', title: '人员', identity: true, grow: 1, text: holderName, render: holderName },
    'doorwayCount',
    { key: 'beginDate', hidePriority: 1 },
    {
      key: 'endDate',
      text: row => row.endDate ?? '长期',
      render: row => row.endDate ?? '长期',
    },
    { key: 'state', text: stateText, render: row => <VipStatus row={row} /> },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          { key: 'userId', isHidden: (values: HolderValues) => values.staffId !== undefined },
          { key: 'staffId', isHidden: (values: HolderValues) => values.userId !== undefined },
          { key: 'doorwayIds', wide: true },
          'beginDate',
          'endDate',
          'state',
          { key: 'remark', wide: true },
        ],
      },
    ],
  },
})

/** VIP 门: doors of single people beside those of the groups. */
export const VipDoorways = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, views, barFilters: ['userId', 'staffId'] }} />
)

import type { Id } from '#kit/domain/id.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { chargeLine, chargeLines, exportChargeLines } from '../contract/charge.ts'
import { useLiveOrders } from './live-orders.ts'
import { openOrder } from './order-address.ts'

const columns = buildColumns(chargeLine, [
  { key: 'name', identity: true, width: 140, grow: 1 },
  'lineKind',
  'quantity',
  { key: 'unit', width: 60 },
  'price',
  'amount',
  'useTime',
  { key: 'orderNo', width: 150 },
  { key: 'typeName', width: 92, hidePriority: 1 },
  { key: 'address', width: 120, grow: 1, hidePriority: 1 },
  { key: 'handlerName', width: 84, hidePriority: 2 },
])

const lineColumns = buildColumns(chargeLine, [
  { key: 'name', identity: true, width: 140, grow: 1 },
  'lineKind',
  'quantity',
  'unit',
  'price',
  'amount',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'material', name: '材料', filter: { lineKind: ['material'] } },
  { id: 'labour', name: '人工', filter: { lineKind: ['labour'] } },
]

/** The lines of one order's cost. */
export const ChargeLines = ({ orderId }: { readonly orderId: Id }) => (
  <ListPage
    embedded
    list={chargeLines.list}
    itemName="费用明细"
    columns={lineColumns}
    fixedFilter={{ orderId: [String(orderId)] }}
    filters={[]}
  />
)

/** 工单物料: what was used on orders, with its sums. */
export default function MaterialListPage() {
  useLiveOrders(chargeLines.list)
  return (
    <ListPage
      list={chargeLines.list}
      itemName="工单物料"
      columns={columns}
      filters={['lineKind', 'name', 'useTime', 'buildCode']}
      barFilters={['lineKind', 'buildCode']}
      views={views}
      rowActions={row => [{ label: '工单', run: () => openOrder(row.orderId) }]}
      export={exportChargeLines}
      drawer={{ title: row => row.name, openAsPage: row => openOrder(row.orderId) }}
    />
  )
}

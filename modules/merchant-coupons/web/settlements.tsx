import { buildColumns } from '#kit/web/columns.tsx'
import { month } from '#kit/contract/field.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { merchantOrder } from '../contract/order.ts'
import { exportSettlements, listSettlements } from '../contract/settlement.ts'

const columns = buildColumns(listSettlements.output, [
  { key: 'merchantName', identity: true, grow: 1 },
  'boughtQty',
  'boughtAmount',
  'presentedQty',
  { key: 'withdrawnQty', hidePriority: 2 },
  'usedQty',
  'usedValue',
  { key: 'expiredQty', hidePriority: 1 },
  { key: 'refundedQty', hidePriority: 2 },
  { key: 'refundedAmount', hidePriority: 2 },
  'netAmount',
]).map(column => ({ ...column, sortKey: undefined }))

const filterFields = { month: month('月份'), merchantId: merchantOrder.fields.merchantId }

/** 商户结算: what each merchant bought, gave away and had used in a month; this month by default. */
export const Settlements = () => (
  <ListPage
    embedded
    pageSize={20}
    list={listSettlements}
    itemName="商户"
    columns={columns}
    filters={['month', 'merchantId']}
    extraFilterFields={filterFields}
    barFilters={['month', 'merchantId']}
    export={exportSettlements}
    keyOf={row => row.merchantId}
    settingsKey="merchant-coupons/settlements"
  />
)

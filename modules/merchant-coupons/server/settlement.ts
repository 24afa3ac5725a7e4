import { refuseField } from '#kit/contract/wire.ts'
import { firstDay, monthOf, shiftMonth, type Month } from '#kit/domain/month.ts'
import { parseYuan, sumFen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseId } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { rowsExportHandlers } from '#kit/server/rows-export.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { contains, tenantFilter } from '#kit/server/table.ts'
import {
  merchantOrderState,
  orderReturnState,
  stockChange,
  ticketState,
  type StockChange,
} from '../contract/choices.ts'
import { merchantOrder } from '../contract/order.ts'
import { exportSettlements, listSettlements, type Settlement } from '../contract/settlement.ts'
import { merchantStockRecord } from '../contract/stock.ts'
import { merchantTicket } from '../contract/ticket.ts'
import { menu } from '../module.ts'

type Input = NonNullable<typeof listSettlements.input.T>

type Counted = Omit<Settlement, 'boughtAmount' | 'usedValue' | 'refundedAmount' | 'netAmount'> & {
  readonly boughtAmount: string
  readonly usedValue: string
  readonly refundedAmount: string
  readonly netAmount: string
}

const startOf = (month: Month) => sql`${`${month}-01 00:00:00+08`}::timestamptz`

interface Months {
  readonly from: Month
  /** The first that is not counted any more. */
  readonly end: Month
}

/** This month unless others are chosen. */
function monthsOf({ monthFrom, monthTo }: Input, today: Day): Months {
  const from = monthFrom ?? monthTo ?? monthOf(today)
  const to = monthTo ?? monthFrom ?? monthOf(today)
  return to < from ? refuseField('MonthTo', '月份止不能早于月份起') : { from, end: shiftMonth(to, 1) }
}

const isIn = (column: ReturnType<typeof sql>, { from, end }: Months) =>
  sql`${column} >= ${startOf(from)} and ${column} < ${startOf(end)}`

/** What a settlement is about: orders, tickets and stock records `t`. */
interface Asked {
  readonly scope: Scope
  readonly projectCode: string | undefined
  readonly months: Months
  readonly ofMerchants: ReturnType<typeof sql>
}

/** By stock records: presented, withdrawn, expired with their coupon. */
function movedStock({ scope, projectCode, months, ofMerchants }: Asked) {
  const qtyOf = (type: StockChange) =>
    sql`coalesce(sum(t.qty) filter (where t.change_type = ${code(stockChange, type)}), 0)`
  return sql`
    select t.merchant_id, 0 as bought, -${qtyOf('presented')} as presented,
      ${qtyOf('withdrawn')} as withdrawn, -${qtyOf('expired')} as expired, 0 as refunded,
      0 as used, 0::numeric as used_value, 0::numeric as paid, 0::numeric as returned
    from merchant_parking_record t
    where ${tenantFilter(merchantStockRecord, scope, projectCode)}
      and ${isIn(sql`t.create_time`, months)} ${ofMerchants}
    group by t.merchant_id
  `
}

const usedTickets = ({ scope, projectCode, months, ofMerchants }: Asked) => sql`
  select t.merchant_id, 0, 0, 0,
    count(*) filter (where t.state = ${code(ticketState, 'expired')}
      and t.valid_to >= ${firstDay(months.from)}::date and t.valid_to < ${firstDay(months.end)}::date),
    0, count(*) filter (where ${isIn(sql`t.used_time`, months)}),
    coalesce(sum(t.used_value) filter (where ${isIn(sql`t.used_time`, months)}), 0), 0, 0
  from merchant_parking_ticket t
  where ${tenantFilter(merchantTicket, scope, projectCode)} ${ofMerchants}
  group by t.merchant_id
`

/** What was paid for; what went back beyond the returns of an order went back with its bill. */
function paidOrders({ scope, projectCode, months, ofMerchants }: Asked) {
  const inRefundTime = isIn(sql`t.refund_time`, months)
  const withBill = sql`t.state = ${code(merchantOrderState, 'refunded')} and ${inRefundTime}`
  return sql`
    select t.merchant_id,
      coalesce(sum(t.total_qty) filter (where ${isIn(sql`t.pay_time`, months)}), 0), 0, 0, 0,
      coalesce(sum(t.refunded_qty - coalesce(r.qty, 0)) filter (where ${withBill}), 0), 0, 0,
      coalesce(sum(t.paid_amount) filter (where ${isIn(sql`t.pay_time`, months)}), 0),
      coalesce(sum(t.refunded_amount - coalesce(r.amount, 0)) filter (where ${withBill}), 0)
    from merchant_order t
    left join (
      select order_id, sum(qty) as qty, sum(amount) as amount
      from merchant_order_return
      where owner_id = ${scope.ownerId} and state = ${code(orderReturnState, 'done')}
      group by order_id
    ) r on r.order_id = t.id
    where ${tenantFilter(merchantOrder, scope, projectCode)} ${ofMerchants}
    group by t.merchant_id
  `
}

const doneReturns = ({ scope, projectCode, months, ofMerchants }: Asked) => sql`
  select t.merchant_id, 0, 0, 0, 0, sum(r.qty), 0, 0, 0, sum(r.amount)
  from merchant_order_return r
  join merchant_order t on t.owner_id = ${scope.ownerId} and t.id = r.order_id
    and ${tenantFilter(merchantOrder, scope, projectCode)} ${ofMerchants}
  where r.owner_id = ${scope.ownerId}
    and r.state = ${code(orderReturnState, 'done')}
    and ${isIn(sql`r.done_time`, months)}
  group by t.merchant_id
`

/**
 * What each merchant bought, presented and had used in some months, by stock records and tickets. What was
 * bought and returned is counted by the orders, as its money is: a receipt that was voided is no purchase,
 * and a return counts once its refund is done, in the month of it.
 */
async function findSettlements(db: Db, scope: Scope, input: Input, today: Day): Promise<Settlement[]> {
  const { ownerId } = scope
  const ids = input.merchantId?.map(parseId)
  const asked: Asked = {
    scope,
    projectCode: input.projectCode,
    months: monthsOf(input, today),
    ofMerchants: ids ? sql`and t.merchant_id = any(${ids}::bigint[])` : sql``,
  }
  const ofName = input.keyword === undefined ? sql`` : sql`and ${contains(sql`m.name`, input.keyword)}`
  const parts = [movedStock(asked), usedTickets(asked), paidOrders(asked), doneReturns(asked)]
  const rows = await db.rows<Counted>(sql`
    select v.merchant_id, m.name as merchant_name, sum(v.bought)::integer as bought_qty,
      sum(v.paid)::text as bought_amount, sum(v.presented)::integer as presented_qty,
      sum(v.withdrawn)::integer as withdrawn_qty, sum(v.used)::integer as used_qty,
      sum(v.used_value)::text as used_value, sum(v.expired)::integer as expired_qty,
      sum(v.refunded)::integer as refunded_qty, sum(v.returned)::text as refunded_amount,
      sum(v.paid - v.returned)::text as net_amount
    from (${sql.join(parts, sql` union all `)}) v
    join merchant m on m.owner_id = ${ownerId} and m.id = v.merchant_id ${ofName}
    group by v.merchant_id, m.name
    having sum(abs(v.bought) + abs(v.presented) + abs(v.withdrawn) + abs(v.used) + abs(v.expired)
      + abs(v.refunded)) + sum(v.paid + v.returned) > 0
    order by m.name, v.merchant_id
  `)
  return rows.map(row => ({
    ...row,
    boughtAmount: parseYuan(row.boughtAmount),
    usedValue: parseYuan(row.usedValue),
    refundedAmount: parseYuan(row.refundedAmount),
    netAmount: parseYuan(row.netAmount),
  }))
}

type Count = 'boughtQty' | 'presentedQty' | 'withdrawnQty' | 'usedQty' | 'expiredQty' | 'refundedQty'

function sumOf(rows: readonly Settlement[]) {
  const count = (key: Count): number => rows.reduce((sum, row) => sum + row[key], 0)
  return {
    boughtQty: count('boughtQty'),
    presentedQty: count('presentedQty'),
    withdrawnQty: count('withdrawnQty'),
    usedQty: count('usedQty'),
    expiredQty: count('expiredQty'),
    refundedQty: count('refundedQty'),
    boughtAmount: sumFen(rows.map(row => row.boughtAmount)),
    usedValue: sumFen(rows.map(row => row.usedValue)),
    refundedAmount: sumFen(rows.map(row => row.refundedAmount)),
    netAmount: sumFen(rows.map(row => row.netAmount)),
  }
}

const settlementExport = rowsExportHandlers<Input, Settlement>({
  kind: `${menu.order.key}.settlement`,
  name: exportSettlements.label,
  calls: exportSettlements,
  columns: exportSettlements.columns,
  entity: merchantOrder.name,
  keyOf: row => String(row.merchantId),
  load: async (input, { db, scope, today }, limit) => {
    const rows = await findSettlements(db, scope, input, today)
    return { total: rows.length, rows: rows.slice(0, limit) }
  },
})

export const settlementServer = {
  handlers: [
    reads(listSettlements, async (input, { db, scope, today }) => {
      const rows = await findSettlements(db, scope, input, today)
      const { page = 1, size = 20 } = input
      return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, sum: sumOf(rows) }
    }),
    ...settlementExport.handlers,
  ],
  jobs: [settlementExport.job],
}

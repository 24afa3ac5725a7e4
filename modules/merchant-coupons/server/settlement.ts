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
import { merchantOrderState, stockChange, ticketState } from '../contract/choices.ts'
import { merchantOrder } from '../contract/order.ts'
import { exportSettlements, listSettlements, type Settlement } from '../contract/settlement.ts'
import { merchantStockRecord } from '../contract/stock.ts'
import { merchantTicket } from '../contract/ticket.ts'
import { menu } from '../module.ts'

type Input = NonNullable<typeof listSettlements.input.T>

type Counted = Omit<Settlement, 'boughtAmount' | 'usedValue' | 'refundedAmount'> & {
  readonly boughtAmount: string
  readonly usedValue: string
  readonly refundedAmount: string
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

/** Of an order `t` that was refunded as a bill, without a return of its own, all of it went back. */
const returnedQty = sql`
  case when t.state = ${code(merchantOrderState, 'refunded')} and t.refunded_qty = 0 then t.total_qty
    else t.refunded_qty end
`

/**
 * What each merchant bought, presented and had used in some months, by stock records and tickets. What was
 * bought and returned is counted by the orders, as its money is: a receipt that was voided is no purchase,
 * and a return counts once its refund is done.
 */
async function findSettlements(db: Db, scope: Scope, input: Input, today: Day): Promise<Settlement[]> {
  const { ownerId } = scope
  const months = monthsOf(input, today)
  const ids = input.merchantId?.map(parseId)
  const ofMerchants = ids ? sql`and t.merchant_id = any(${ids}::bigint[])` : sql``
  const ofName = input.keyword === undefined ? sql`` : sql`and ${contains(sql`m.name`, input.keyword)}`
  const qtyOf = (type: Parameters<typeof code<keyof typeof stockChange.rows>>[1]) =>
    sql`coalesce(sum(t.qty) filter (where t.change_type = ${code(stockChange, type)}), 0)`
  const rows = await db.rows<Counted>(sql`
    with moved as (
      select t.merchant_id, 0 as bought, -${qtyOf('presented')} as presented,
        ${qtyOf('withdrawn')} as withdrawn, -${qtyOf('expired')} as expired, 0 as refunded,
        0 as used, 0::numeric as used_value, 0::numeric as paid, 0::numeric as returned
      from merchant_parking_record t
      where ${tenantFilter(merchantStockRecord, scope, input.projectCode)}
        and ${isIn(sql`t.create_time`, months)} ${ofMerchants}
      group by t.merchant_id
      union all
      select t.merchant_id, 0, 0, 0,
        count(*) filter (where t.state = ${code(ticketState, 'expired')}
          and t.valid_to >= ${firstDay(months.from)}::date and t.valid_to < ${firstDay(months.end)}::date),
        0, count(*) filter (where ${isIn(sql`t.used_time`, months)}),
        coalesce(sum(t.used_value) filter (where ${isIn(sql`t.used_time`, months)}), 0), 0, 0
      from merchant_parking_ticket t
      where ${tenantFilter(merchantTicket, scope, input.projectCode)} ${ofMerchants}
      group by t.merchant_id
      union all
      select t.merchant_id,
        coalesce(sum(t.total_qty) filter (where ${isIn(sql`t.pay_time`, months)}), 0), 0, 0, 0,
        coalesce(sum(${returnedQty}) filter (where ${isIn(sql`t.refund_time`, months)}), 0), 0, 0,
        coalesce(sum(t.payable_amount) filter (where ${isIn(sql`t.pay_time`, months)}), 0),
        coalesce(sum(t.refunded_amount) filter (where ${isIn(sql`t.refund_time`, months)}), 0)
      from merchant_order t
      where ${tenantFilter(merchantOrder, scope, input.projectCode)} ${ofMerchants}
      group by t.merchant_id
    )
    select v.merchant_id, m.name as merchant_name, sum(v.bought)::integer as bought_qty,
      sum(v.paid)::text as bought_amount, sum(v.presented)::integer as presented_qty,
      sum(v.withdrawn)::integer as withdrawn_qty, sum(v.used)::integer as used_qty,
      sum(v.used_value)::text as used_value, sum(v.expired)::integer as expired_qty,
      sum(v.refunded)::integer as refunded_qty, sum(v.returned)::text as refunded_amount
    from moved v
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

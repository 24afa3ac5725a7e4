import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { couponState, merchantOrderState, ticketState } from '../contract/choices.ts'
import { merchantCoupon } from '../contract/coupon.ts'
import { merchantTicket } from '../contract/ticket.ts'
import { keptAtExpiry } from '../domain/coupon.ts'
import { moveStock, type StockKey } from './stock.ts'

interface EndedStock extends StockKey {
  readonly balance: number
  /** Of orders whose expired tickets may be returned. */
  readonly returnable: number
}

const endedStocks = (tx: Tx, ownerId: Id, couponIds: readonly Id[]): Promise<EndedStock[]> =>
  tx.rows<EndedStock>(sql`
    select s.project_code, s.merchant_id, s.coupon_id, s.balance, coalesce((
        select sum(d.qty - d.refunded_qty)
        from merchant_order o
        join merchant_order_detail d on d.owner_id = ${ownerId} and d.order_id = o.id
        where o.owner_id = ${ownerId}
          and o.merchant_id = s.merchant_id
          and d.coupon_id = s.coupon_id
          and o.refunds_expired
          and o.state in ${codes(merchantOrderState, 'paid', 'partRefunded')}
      ), 0)::integer as returnable
    from merchant_coupon_stock s
    where s.owner_id = ${ownerId} and s.coupon_id = any(${[...couponIds]}::bigint[]) and s.balance > 0
    order by s.coupon_id, s.merchant_id
    for no key update of s
  `)

/** Coupons end with their day; what merchants have left of them ends, unless their order says otherwise. */
async function expireCoupons(tx: Tx, scope: Scope, today: Day): Promise<readonly Id[]> {
  const ended = await tx.rows<{ id: Id }>(sql`
    update merchant_parking_coupon
    set state = ${code(couponState, 'expired')}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and ${notDeleted()}
      and state <> ${code(couponState, 'expired')}
      and valid_to < ${today}::date
    returning id
  `)
  const ids = ended.map(({ id }) => id)
  if (!ids.length) return ids
  for (const stock of await endedStocks(tx, scope.ownerId, ids)) {
    const qty = keptAtExpiry(stock.balance, stock.returnable) - stock.balance
    await moveStock(tx, scope, { ...stock, type: 'expired', qty, refNo: undefined })
  }
  return ids
}

/** Tickets that nobody used in time; not those that a payment keeps. */
const expireTickets = (tx: Tx, scope: Scope, today: Day): Promise<{ id: Id }[]> =>
  tx.rows<{ id: Id }>(sql`
    update merchant_parking_ticket
    set state = ${code(ticketState, 'expired')}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and state = ${code(ticketState, 'unused')}
      and stay_id is null
      and valid_to < ${today}::date
    returning id
  `)

/** May run any number of times. */
export async function expireMerchantCoupons(app: App): Promise<void> {
  const today = dayOfInstant(app.clock())
  const due = sql<{ ownerId: Id }>`
    select owner_id
    from merchant_parking_ticket
    where state = ${code(ticketState, 'unused')} and stay_id is null and valid_to < ${today}::date
    union
    select owner_id
    from merchant_parking_coupon
    where ${notDeleted()} and state <> ${code(couponState, 'expired')} and valid_to < ${today}::date
  `
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const scope = clockScope(app, ownerId)
    const tickets = await expireTickets(tx, scope, today)
    const coupons = await expireCoupons(tx, scope, today)
    const changed = [
      [merchantTicket.name, tickets.map(({ id }) => id)],
      [merchantCoupon.name, coupons],
    ] as const
    for (const [entity, ids] of changed) {
      if (ids.length) {
        publishRecordsWritten(tx, ownerId, { entity, action: 'update', ids })
      }
    }
  })
}

export const expiryCron = defineCron({
  name: 'merchant-coupons-expiry',
  schedule: '4 0 * * *',
  run: expireMerchantCoupons,
})

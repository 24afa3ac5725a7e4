import { codeOf } from '#kit/contract/field.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { merchant, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import { ticketOrigin, ticketState, type TicketOrigin } from '../contract/choices.ts'
import { merchantCoupon, type MerchantCoupon } from '../contract/coupon.ts'
import { presentTickets } from '../contract/ticket.ts'
import { codeEnd, couponRefusal, ticketEnd } from '../domain/coupon.ts'
import type { CouponContext } from './coupon-context.ts'
import { assertOpen } from './orders.ts'
import { lockStock, moveStock } from './stock.ts'

/** What the numbers of tickets begin with (G-14). */
export const ticketPrefix = 'TQ'

export interface TicketSource {
  readonly origin: TicketOrigin
  readonly shop: Merchant
  readonly coupon: MerchantCoupon
  /** The fixed code that was scanned, and the stay for which. */
  readonly codeId?: Id | undefined
  readonly claimStayId?: Id | undefined
}

export async function requireSource(
  c: CouponContext,
  origin: TicketOrigin,
  { merchantId, couponId }: { readonly merchantId: Id; readonly couponId: Id },
): Promise<TicketSource> {
  const { tx, scope, today } = c
  const shop = await requireById(tx, merchant, scope, merchantId)
  const coupon = await requireById(tx, merchantCoupon, scope, couponId)
  assertOpen(shop)
  if (coupon.projectCode !== shop.projectCode) {
    refuseField('CouponID', '停车券不属于该商户的项目，请重新选择')
  }
  const refusal = couponRefusal(coupon, today)
  if (refusal) {
    refuseField('CouponID', refusal)
  }
  return { origin, shop, coupon }
}

interface NewTicket {
  readonly id: Id
  readonly plateNo?: string | null
  readonly ticketNo: string
}

/** TKT-13: the lowest number of the day that is free, up to the limit; the index keeps it from being two. */
const freeSeq = (ownerId: Id, { id, dayLimit = 0 }: MerchantCoupon, today: string) =>
  dayLimit === 0
    ? sql`select null::integer as seq`
    : sql`
        select s.seq
        from generate_series(1, ${dayLimit}::integer) s(seq)
        where not exists (
          select 1
          from merchant_parking_ticket t
          where t.owner_id = ${ownerId}
            and t.coupon_id = ${id}
            and t.plate_no = p.plate_no
            and t.present_day = ${today}::date
            and t.day_seq = s.seq
            and t.state <> ${code(ticketState, 'withdrawn')}
        )
        order by s.seq
        limit 1
      `

/** Writes tickets; those of plates that have had theirs today are not written. */
async function insertTickets(
  { tx, scope, now, today }: CouponContext,
  { origin, shop, coupon, codeId, claimStayId }: TicketSource,
  plateNos: readonly (string | null)[],
): Promise<NewTicket[]> {
  const { ownerId } = scope
  const numbers = await tx.numbers.nextMany(ownerId, ticketPrefix, today, plateNos.length)
  const isBound = origin !== 'once'
  return tx.rows<NewTicket>(sql`
    insert into merchant_parking_ticket (
      owner_id, project_code, ticket_no, coupon_id, merchant_id, park_id, kind, origin, plate_no, present_time,
      present_day, day_seq, code_id, claim_stay_id, valid_to, operator_name, state, create_by
    )
    select ${ownerId}::bigint, ${shop.projectCode}, p.ticket_no, ${coupon.id}::bigint, ${shop.id}::bigint,
      ${coupon.parkId}::bigint, ${codeOf(couponKind, coupon.kind)}::smallint,
      ${codeOf(ticketOrigin, origin)}::smallint, p.plate_no, ${now}::timestamptz,
      ${isBound ? today : null}::date, f.seq, ${codeId ?? null}::bigint, ${claimStayId ?? null}::bigint,
      ${isBound ? ticketEnd(coupon, today) : codeEnd(coupon, today)}::date, ${scope.name},
      ${code(ticketState, 'unused')}, ${scope.operatorId}::bigint
    from unnest(${sqlArray('text', plateNos)}, ${sqlArray('text', numbers)}) as p(plate_no, ticket_no)
    cross join lateral (${isBound ? freeSeq(ownerId, coupon, today) : sql`select null::integer as seq`}) f
    on conflict do nothing
    returning id, plate_no, ticket_no
  `)
}

export interface Presented {
  readonly tickets: readonly NewTicket[]
  /** Plates that have had theirs today. */
  readonly full: readonly string[]
}

/**
 * One ticket to each plate, out of the merchant's stock. Somebody else may take a number of the day at the
 * same moment: then the next one is tried.
 */
export async function presentToPlates(
  c: CouponContext,
  source: TicketSource,
  plateNos: readonly string[],
): Promise<Presented> {
  const { tx, scope } = c
  const key = { projectCode: source.shop.projectCode, merchantId: source.shop.id, couponId: source.coupon.id }
  if ((await lockStock(tx, scope.ownerId, key)) === 0) {
    refuse(`停车券「${source.coupon.couponName}」无结余，请先购券`)
  }
  const tickets: NewTicket[] = []
  let waiting = [...new Set(plateNos)].toSorted()
  for (let tries = 0; waiting.length > 0 && tries <= (source.coupon.dayLimit ?? 0); tries++) {
    const written = await insertTickets(c, source, waiting)
    tickets.push(...written)
    const done = new Set(written.map(({ plateNo }) => plateNo))
    waiting = waiting.filter(plateNo => !done.has(plateNo))
  }
  await takeFromStock(c, source, tickets)
  return { tickets, full: waiting }
}

/** As many as were written; refuses all of them where there are not so many. */
const takeFromStock = (
  { tx, scope }: CouponContext,
  { shop, coupon }: TicketSource,
  tickets: readonly NewTicket[],
): Promise<void> =>
  moveStock(tx, scope, {
    projectCode: shop.projectCode,
    merchantId: shop.id,
    couponId: coupon.id,
    type: 'presented',
    qty: -tickets.length,
    refNo: tickets[0]?.ticketNo,
  })

/** One-time codes: tickets that wait for a plate. */
export async function presentCodes(c: CouponContext, source: TicketSource, count: number): Promise<Id[]> {
  const tickets = await insertTickets(c, source, Array<null>(count).fill(null))
  await takeFromStock(c, source, tickets)
  return tickets.map(({ id }) => id)
}

export const fullText = ({ dayLimit = 0 }: Pick<MerchantCoupon, 'dayLimit'>): string =>
  `今日已领取 ${dayLimit} 张，达到单车日限`

export const presentHandlers = [
  writes(presentTickets, async ({ merchantId, couponId, plateNos }, c) => {
    const source = await requireSource(c, 'plate', { merchantId, couponId })
    const asked = plateNos.map(normalizePlate)
    const { tickets, full } = await presentToPlates(c, source, asked)
    const repeated = asked.length - new Set(asked).size
    return {
      success: tickets.length,
      fail: full.length,
      skipped: repeated,
      rows: full.map(plateNo => ({ code: plateNo, reason: fullText(source.coupon) })),
    }
  }),
]

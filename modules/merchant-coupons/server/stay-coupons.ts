import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code, touch } from '#kit/server/sql.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import {
  registerStayCoupons,
  type CouponsAsked,
  type RestoredCoupon,
  type StayCoupons,
  type StayOfCoupons,
} from '#modules/parking-lanes/server/public.ts'
import { ticketState } from '../contract/choices.ts'
import { couponValue } from '../domain/coupon.ts'

interface TicketRow {
  readonly ticketNo: string
  readonly plateNo: string
  readonly kind: number
  readonly faceValue?: string
  readonly validTo: Day
}

/** By merchant_ticket_plate. */
const find: StayCoupons['find'] = async (db, ownerId, asked: CouponsAsked) => {
  const { parkId, plateNos, day, stayIds, lock } = asked
  if (!plateNos.length) return new Map()
  const rows = await db.rows<TicketRow>(sql`
    select t.ticket_no, t.plate_no, t.kind, c.face_value::text as face_value, t.valid_to
    from merchant_parking_ticket t
    join merchant_parking_coupon c on c.owner_id = ${ownerId} and c.id = t.coupon_id
    where t.owner_id = ${ownerId}
      and t.park_id = ${parkId}
      and t.plate_no = any(${sqlArray('text', [...plateNos])})
      and t.state = ${code(ticketState, 'unused')}
      and (
        t.stay_id is null and t.valid_to >= ${day}::date
        or t.stay_id = any(${sqlArray('bigint', [...stayIds])})
      )
    order by t.valid_to, t.id
    ${lock ? sql`for no key update of t` : sql``}
  `)
  const found = rows.map(({ ticketNo, plateNo, kind: kindCode, faceValue, validTo }) => {
    const kind = defined(keyOf(couponKind, kindCode))
    return { key: ticketNo, kind, value: couponValue({ kind, faceValue }), parkId, validTo, plateNo }
  })
  return Map.groupBy(found, ({ plateNo }) => plateNo)
}

/** Those of the plate, and those that are kept for the stay: by the plate that it had then. */
const ticketsOf = (scope: Scope, { stayId, plateNo }: StayOfCoupons) => sql`
  t.owner_id = ${scope.ownerId}
  and t.state = ${code(ticketState, 'unused')}
  and (t.stay_id is null and t.plate_no = ${plateNo} or t.stay_id = ${stayId})
`

const assertAll = (done: number, asked: number): void => {
  if (done < asked) {
    refuse('停车券已使用、撤回、过期或正在用于另一次支付，请重新计算停车费')
  }
}

/** TKT-12: nobody withdraws or uses them until the order is paid, or is known not to be. */
async function reserve(
  tx: Tx,
  scope: Scope,
  stay: StayOfCoupons,
  uses: Parameters<StayCoupons['reserve']>[3],
): Promise<void> {
  if (!uses.length) return
  const keys = uses.map(({ key }) => key)
  const done = await tx.execute(sql`
    update merchant_parking_ticket t
    set stay_id = ${stay.stayId}, ${touch(scope, 't')}
    where ${ticketsOf(scope, stay)} and t.ticket_no = any(${sqlArray('text', keys)})
  `)
  assertAll(done, new Set(keys).size)
}

/** What has ended by now is ended by the daily job. */
const release = async (tx: Tx, scope: Scope, stayIds: readonly Id[]): Promise<void> => {
  await tx.execute(sql`
    update merchant_parking_ticket
    set stay_id = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and stay_id = any(${sqlArray('bigint', [...stayIds])})
      and state = ${code(ticketState, 'unused')}
  `)
}

async function use(
  tx: Tx,
  scope: Scope,
  stay: StayOfCoupons,
  uses: Parameters<StayCoupons['use']>[3],
): Promise<void> {
  if (!uses.length) return
  const done = await tx.execute(sql`
    update merchant_parking_ticket t
    set state = ${code(ticketState, 'used')}, stay_id = ${stay.stayId}, used_pass_no = ${stay.passNo},
      used_time = ${scope.time}::timestamptz, used_value = u.value, ${touch(scope, 't')}
    from unnest(
      ${sqlArray(
        'text',
        uses.map(({ key }) => key),
      )},
      ${sqlArray(
        'numeric',
        uses.map(({ discount }) => formatYuan(discount)),
      )}
    ) as u(ticket_no, value)
    where ${ticketsOf(scope, stay)} and t.ticket_no = u.ticket_no
  `)
  assertAll(done, uses.length)
}

async function canUse(
  tx: Tx,
  scope: Scope,
  stay: StayOfCoupons,
  uses: Parameters<StayCoupons['use']>[3],
): Promise<boolean> {
  if (!uses.length) return true
  const keys = uses.map(({ key }) => key)
  const rows = await tx.rows<{ id: Id }>(sql`
    select t.id
    from merchant_parking_ticket t
    where ${ticketsOf(scope, stay)} and t.ticket_no = any(${sqlArray('text', keys)})
    order by t.valid_to, t.id
    for no key update of t
  `)
  return rows.length === new Set(keys).size
}

/** TKT-12: of a payment that went back; what has ended by now stays used. */
const restore: StayCoupons['restore'] = (tx, scope, stayId, day) =>
  tx.rows<RestoredCoupon>(sql`
    update merchant_parking_ticket t
    set state = ${code(ticketState, 'unused')}, stay_id = null, used_pass_no = null, used_time = null,
      used_value = null, ${touch(scope, 't')}
    from merchant_parking_ticket u
    where t.owner_id = ${scope.ownerId}
      and t.stay_id = ${stayId}
      and t.state = ${code(ticketState, 'used')}
      and t.valid_to >= ${day}::date
      and u.owner_id = ${scope.ownerId}
      and u.id = t.id
    returning t.ticket_no as key, (u.used_value * 100)::bigint as discount
  `)

registerStayCoupons({ find, reserve, release, use, canUse, restore })

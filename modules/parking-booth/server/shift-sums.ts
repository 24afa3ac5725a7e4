import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { onlyBooth, type BoothShift } from '../contract/shift.ts'
import { shiftEventKind } from '../contract/choices.ts'

type Shift = Pick<BoothShift, 'id' | 'parkId' | 'boothName' | 'offStaffId' | 'beginTime'>

/** Longer than any transaction. */
const marginMinutes = 60

/**
 * What comes after the person's last sheet of the car park, so that nothing is in none: a payment that was
 * under way at that hand-over is dated before it. Without a sheet before, everything ever collected there.
 */
export async function findSince(db: Db, ownerId: Id, shift: Shift): Promise<Moment | undefined> {
  const last = await db.one<{ endTime?: Moment }>(sql`
    select max(s.end_time) as end_time
    from park_shift s
    where s.owner_id = ${ownerId}
      and s.off_staff_id = ${shift.offStaffId}
      and s.park_id = ${shift.parkId}
      and ${notDeleted('s')}
  `)
  return last?.endTime && addMinutes(last.endTime, -marginMinutes)
}

/** Charges of the person at the car park that are on no sheet. */
export const openCharges = (ownerId: Id, shift: Shift, since: Moment | undefined, alias = 'c') => sql`
  ${sql.ref(`${alias}.owner_id`)} = ${ownerId}
  and ${sql.ref(`${alias}.cashier`)} = ${shift.offStaffId}
  and ${sql.ref(`${alias}.park_id`)} = ${shift.parkId}
  and ${sql.ref(`${alias}.pay_time`)} >= coalesce(${since ?? null}::timestamptz, '-infinity')
  and ${notDeleted(alias)}
  and not exists (
    select from park_shift_charge k
    where k.owner_id = ${ownerId} and k.charge_id = ${sql.ref(`${alias}.id`)}
  )
`

/** What the person did by hand at the car park and is on no sheet. */
export const openEvents = (ownerId: Id, shift: Shift, since: Moment | undefined, alias = 'e') => sql`
  ${sql.ref(`${alias}.owner_id`)} = ${ownerId}
  and ${sql.ref(`${alias}.operator_id`)} = ${shift.offStaffId}
  and ${sql.ref(`${alias}.park_id`)} = ${shift.parkId}
  and ${sql.ref(`${alias}.shift_id`)} is null
  and ${sql.ref(`${alias}.event_time`)} >= coalesce(${since ?? null}::timestamptz, '-infinity')
`

type Condition = ReturnType<typeof sql>

interface MethodRow {
  readonly method: number
  readonly amount: Fen
  readonly count: number
}

interface EventRow {
  readonly freeCount: number
  readonly openCount: number
  readonly priceCount: number
  readonly waivedAmount: Fen
}

interface PassRow {
  readonly inCount: number
  readonly outCount: number
}

const passagesAt = (ownerId: Id, shift: Shift, until: Moment) => sql<PassRow>`
  select count(*) filter (where e.way = ${code(passWay, 'in')})::integer as in_count,
    count(*) filter (where e.way = ${code(passWay, 'out')})::integer as out_count
  from park_lane_event e
  join park_lane l on l.owner_id = ${ownerId} and l.id = e.lane_id
  where e.owner_id = ${ownerId}
    and e.create_time >= ${shift.beginTime}::timestamptz
    and e.create_time <= ${until}::timestamptz
    and e.is_open
    and l.park_id = ${shift.parkId}
    and coalesce(l.booth_name, ${onlyBooth}) = ${shift.boothName}
`

/** The sums of charges `c` and events `e`, and the cars that the booth's lanes let pass. */
export async function sumShift(
  db: Db,
  ownerId: Id,
  shift: Shift,
  until: Moment,
  { charges, events }: { readonly charges: Condition; readonly events: Condition },
) {
  const [rows, [event], [pass]] = await db.all<[MethodRow, EventRow, PassRow]>(
    sql`
      select c.pay_method as method, (sum(c.paid_amount) * 100)::bigint as amount, count(*)::integer as count
      from parking_charge c
      where ${charges}
      group by c.pay_method
      order by c.pay_method
    `,
    sql`
      select count(*) filter (where e.kind = ${code(shiftEventKind, 'free')})::integer as free_count,
        count(*) filter (where e.kind = ${code(shiftEventKind, 'open')})::integer as open_count,
        count(*) filter (where e.kind = ${code(shiftEventKind, 'price')})::integer as price_count,
        (coalesce(sum(e.waived), 0) * 100)::bigint as waived_amount
      from park_shift_event e
      where ${events}
    `,
    passagesAt(ownerId, shift, until),
  )
  const methods = rows.map(row => ({ ...row, method: defined(keyOf(parkPayMethod, row.method)) }))
  const amountOf = (isCash: boolean): Fen =>
    sumFen(methods.filter(row => (row.method === 'cash') === isCash).map(row => row.amount))
  return {
    methods,
    chargeCount: methods.reduce((sum, row) => sum + row.count, 0),
    cashAmount: amountOf(true),
    onlineAmount: amountOf(false),
    ...defined(event),
    ...defined(pass),
  }
}

/**
 * Puts on a sheet what the person has on none. The sheet is summed from the locked rows alone: a payment that
 * commits afterwards waits for the next one.
 */
export async function claimForShift(tx: Tx, ownerId: Id, shift: Shift & { readonly projectCode: string }) {
  const since = await findSince(tx, ownerId, shift)
  const charges = await tx.rows<{ id: Id }>(sql`
    select c.id
    from parking_charge c
    where ${openCharges(ownerId, shift, since)}
    order by c.id
    for update
  `)
  const ids = charges.map(row => row.id)
  await tx.execute(sql`
    insert into park_shift_charge (owner_id, charge_id, shift_id, project_code)
    select ${ownerId}, u.id, ${shift.id}, ${shift.projectCode}
    from unnest(${ids}::bigint[]) as u (id)
    returning charge_id
  `)
  await tx.execute(sql`
    update park_shift_event e
    set shift_id = ${shift.id}
    where ${openEvents(ownerId, shift, since)}
  `)
  return {
    charges: sql`c.owner_id = ${ownerId} and c.id = any(${ids}::bigint[])`,
    events: sql`e.owner_id = ${ownerId} and e.shift_id = ${shift.id}`,
  }
}

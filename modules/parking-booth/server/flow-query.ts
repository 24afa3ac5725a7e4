import { refuseField } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, tenantFilter } from '#kit/server/table.ts'
import { monthOrderState } from '#modules/month-cards/contract/choices.ts'
import { monthOrder } from '#modules/month-cards/contract/month-order.ts'
import { park } from '#modules/parking/contract/park.ts'
import { stayState } from '#modules/parking-lanes/contract/choices.ts'
import { getFlowStatistics, maxFlowDays } from '../contract/flow.ts'
import { shiftEventKind } from '../contract/choices.ts'
import type { FlowPark, HourCount } from '../domain/flow-figures.ts'

export type FlowInput = NonNullable<typeof getFlowStatistics.input.T>

const defaultDays = 7

export interface Period {
  readonly from: Day
  readonly to: Day
}

export function periodOf({ dayFrom, dayTo }: Pick<FlowInput, 'dayFrom' | 'dayTo'>, today: Day): Period {
  const to = dayTo ?? today
  const from = dayFrom ?? addDays(to, 1 - defaultDays)
  if (from > to) return refuseField('EndDate', '截止日期不能早于开始日期')
  return daysBetween(from, to) >= maxFlowDays
    ? refuseField('EndDate', `一次最多统计 ${maxFlowDays} 天，请缩短时间`)
    : { from, to }
}

const startOf = (day: Day) => sql`${`${day} 00:00:00+08`}::timestamptz`

const within = (column: ReturnType<typeof sql>, { from, to }: Period) =>
  sql`${column} >= ${startOf(from)} and ${column} < ${startOf(addDays(to, 1))}`

/** Hours since 1970 in Shanghai, which is whole hours from UTC. */
const hourOf = (column: ReturnType<typeof sql>) => sql`date_bin('1 hour', ${column}, 'epoch'::timestamptz)`

const hourNumber = sql`(date_part('epoch', f.at) / 3600)::integer + 8`

/** Stays `t` of car parks; each statement reads one index of them alone. */
const staysOf = (ownerId: Id, parkIds: readonly Id[]) => sql`
  t.owner_id = ${ownerId} and t.park_id = any(${[...parkIds]}::bigint[]) and t.delete_tag = 0
  and t.state <> ${code(stayState, 'merged')}
`

const inside = codes(stayState, 'inside', 'paid')

interface EntryRow {
  readonly parkId: Id
  readonly hour: number
  readonly count: number
  readonly change: number
}

interface ExitRow extends EntryRow {
  readonly minutes: number
  readonly timedCount: number
}

/** Who never was seen leaving is not counted as inside: it would be there for ever. */
const entries = (ownerId: Id, parkIds: readonly Id[], period: Period) => sql<EntryRow>`
  select f.park_id, ${hourNumber} as hour, f.count, f.change
  from (
    select t.park_id, ${hourOf(sql`t.in_time`)} as at, count(*)::integer as count,
      count(*) filter (where t.out_time is not null or t.state in ${inside})::integer as change
    from parking_stay t
    where ${staysOf(ownerId, parkIds)} and ${within(sql`t.in_time`, period)}
    group by 1, 2
  ) f
`

const exits = (ownerId: Id, parkIds: readonly Id[], period: Period) => sql<ExitRow>`
  select f.park_id, ${hourNumber} as hour, f.count, f.change, f.minutes, f.timed_count
  from (
    select t.park_id, ${hourOf(sql`t.out_time`)} as at, count(*)::integer as count,
      count(*) filter (where t.in_time is not null)::integer as change,
      coalesce(sum(t.stay_minutes), 0)::bigint as minutes, count(t.stay_minutes)::integer as timed_count
    from parking_stay t
    where ${staysOf(ownerId, parkIds)} and ${within(sql`t.out_time`, period)}
    group by 1, 2
  ) f
`

/**
 * Inside when the time begins: short stays of the day before, long ones, and those that are inside still.
 * The three do not overlap.
 */
const insideBefore = (ownerId: Id, parkIds: readonly Id[], from: Day) => sql<{ parkId: Id; count: number }>`
  select f.park_id, count(*)::integer as count
  from (
    select t.park_id
    from parking_stay t
    where ${staysOf(ownerId, parkIds)}
      and t.in_time >= ${startOf(addDays(from, -1))}
      and t.in_time < ${startOf(from)}
      and t.out_time >= ${startOf(from)}
      and t.stay_minutes <= 1440
    union all
    select t.park_id
    from parking_stay t
    where ${staysOf(ownerId, parkIds)}
      and t.stay_minutes > 1440
      and t.out_time >= ${startOf(from)}
      and t.in_time < ${startOf(from)}
    union all
    select t.park_id
    from parking_stay t
    where ${staysOf(ownerId, parkIds)} and t.state in ${inside} and t.in_time < ${startOf(from)}
  ) f
  group by 1
`

/** The car parks that are asked for and may be seen, in their order. */
export async function findFlowParks(db: Db, scope: Scope, { projectCode, parkId }: FlowInput) {
  if (projectCode) {
    requireProject(scope.domain, projectCode)
  }
  const parks = await findAll(db, park, scope, projectCode ? { projectCode } : {})
  return parks.filter(each => parkId === undefined || each.id === parkId)
}

export type FlowParks = Awaited<ReturnType<typeof findFlowParks>>

export interface Flow {
  readonly parks: readonly FlowPark[]
  readonly counts: readonly HourCount[]
}

const noCount = { inCount: 0, outCount: 0, change: 0, minutes: 0, timedCount: 0 }

/** Comings and goings of one hour as one line. */
function joinCounts(came: readonly EntryRow[], went: readonly ExitRow[]): HourCount[] {
  const byKey = new Map<string, HourCount>()
  const add = (row: EntryRow, more: (count: HourCount) => Partial<HourCount>): void => {
    const { parkId, hour } = row
    const key = `${parkId}/${hour}`
    const count = byKey.get(key) ?? { parkId, hour, ...noCount }
    byKey.set(key, { ...count, ...more(count) })
  }
  for (const row of came) {
    add(row, count => ({ inCount: row.count, change: count.change + row.change }))
  }
  for (const row of went) {
    const { minutes, timedCount } = row
    add(row, count => ({ outCount: row.count, change: count.change - row.change, minutes, timedCount }))
  }
  return [...byKey.values()]
}

export async function readFlow(db: Db, { ownerId }: Scope, parks: FlowParks, period: Period): Promise<Flow> {
  const ids = parks.map(each => each.id)
  const [came, went, before] = await Promise.all([
    db.rows<EntryRow>(entries(ownerId, ids, period)),
    db.rows<ExitRow>(exits(ownerId, ids, period)),
    db.rows<{ parkId: Id; count: number }>(insideBefore(ownerId, ids, period.from)),
  ])
  return {
    parks: parks.map(({ id, name, totalPlace = 0 }) => ({
      parkId: id,
      parkName: name,
      places: totalPlace,
      insideBefore: before.find(row => row.parkId === id)?.count ?? 0,
    })),
    counts: joinCounts(came, went),
  }
}

export interface IncomeRow {
  readonly chargeType: number
  readonly payMethod: number
  readonly amount: Fen
  readonly count: number
}

export const readIncome = (db: Db, { ownerId }: Scope, parks: FlowParks, period: Period) =>
  db.rows<IncomeRow>(sql`
    select c.charge_type, c.pay_method, (sum(c.paid_amount) * 100)::bigint as amount,
      count(*)::integer as count
    from parking_charge c
    where c.owner_id = ${ownerId}
      and c.park_id = any(${parks.map(each => each.id)}::bigint[])
      and c.delete_tag = 0
      and ${within(sql`c.pay_time`, period)}
    group by c.charge_type, c.pay_method
    order by c.charge_type, c.pay_method
  `)

interface WaivedRow {
  readonly waived: Fen
  readonly freeCount: number
  readonly priceCount: number
}

/** What booths let off: without a fee, or at a lower price (PRK-10). By park_shift_event_time. */
export const readWaived = async (db: Db, { ownerId }: Scope, parks: FlowParks, period: Period) =>
  defined(
    await db.one<WaivedRow>(sql`
      select (coalesce(sum(e.waived), 0) * 100)::bigint as waived,
        count(*) filter (where e.kind = ${code(shiftEventKind, 'free')})::integer as free_count,
        count(*) filter (where e.kind = ${code(shiftEventKind, 'price')})::integer as price_count
      from park_shift_event e
      where e.owner_id = ${ownerId}
        and e.park_id = any(${parks.map(each => each.id)}::bigint[])
        and ${within(sql`e.event_time`, period)}
    `),
  )

interface DayIncomeRow {
  readonly parkId: Id
  readonly day: Day
  readonly amount: Fen
}

export const readDayIncome = (db: Db, { ownerId }: Scope, parks: FlowParks, period: Period) =>
  db.rows<DayIncomeRow>(sql`
    select f.park_id, to_char(f.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
      (f.amount * 100)::bigint as amount
    from (
      select c.park_id,
        date_bin('1 day', c.pay_time, '2000-01-01 00:00:00+08'::timestamptz) as at, sum(c.paid_amount) as amount
      from parking_charge c
      where c.owner_id = ${ownerId}
        and c.park_id = any(${parks.map(each => each.id)}::bigint[])
        and c.delete_tag = 0
        and ${within(sql`c.pay_time`, period)}
      group by 1, 2
    ) f
  `)

/** Month cards are of a project, not of a car park: what was paid in the time. */
export const readMonthIncome = (db: Db, scope: Scope, { projectCode }: FlowInput, period: Period) =>
  db.one<{ amount: Fen; count: number }>(sql`
    select (coalesce(sum(t.paid_amount), 0) * 100)::bigint as amount, count(*)::integer as count
    from park_month_order t
    where ${tenantFilter(monthOrder, scope, projectCode)}
      and t.state in ${codes(monthOrderState, 'paid', 'refunded')}
      and ${within(sql`t.paid_time`, period)}
  `)

import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { park } from '#modules/parking/contract/park.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { stayState } from '../contract/choices.ts'
import { correctCounter, listParkCounters } from '../contract/counter.ts'
import { isFullFor, occupancyOf } from '../domain/occupancy.ts'
import { longStaySince } from './ages.ts'

interface InsideRow {
  readonly parkId: Id
  readonly inside: number
  readonly temporary: number
  readonly longStays: number
}

interface ChangeRow {
  readonly parkId: Id
  readonly time: Moment
  readonly inside: number
  readonly reason: string
  readonly operatorName: string
  readonly place: number
}

const paidByTime = codes(carKind, 'temp', 'visitor', 'stored')

const countInside = (db: Db, ownerId: Id, parkIds: readonly Id[], now: Moment): Promise<InsideRow[]> =>
  db.rows(sql`
    select t.park_id, count(*)::integer as inside,
      count(*) filter (where t.car_kind in ${paidByTime})::integer as temporary,
      count(*) filter (where t.in_time < ${longStaySince(now)}::timestamptz)::integer as long_stays
    from parking_stay t
    where t.owner_id = ${ownerId}
      and t.park_id = any(${[...parkIds]}::bigint[])
      and t.state in ${codes(stayState, 'inside', 'paid')}
      and ${notDeleted('t')}
    group by t.park_id
  `)

const sumAdjustments = (db: Db, ownerId: Id, parkIds: readonly Id[]) =>
  db.rows<{ parkId: Id; adjustment: number }>(sql`
    select park_id, sum(adjustment)::integer as adjustment
    from park_count_change
    where owner_id = ${ownerId} and park_id = any(${[...parkIds]}::bigint[])
    group by park_id
  `)

const lastChanges = (db: Db, ownerId: Id, parkIds: readonly Id[]): Promise<ChangeRow[]> =>
  db.rows(sql`
    select r.park_id, r.time, r.inside, r.reason, r.operator_name, r.place
    from (
      select c.park_id, c.create_time as time, c.inside, c.reason, c.operator_name,
        row_number() over (partition by c.park_id order by c.id desc)::integer as place
      from park_count_change c
      where c.owner_id = ${ownerId} and c.park_id = any(${[...parkIds]}::bigint[])
    ) r
    where r.place <= 3
    order by r.park_id, r.place
  `)

async function countersOf(db: Db, scope: Scope, projectCode: string | undefined, now: Moment) {
  const parks = (await findAll(db, park, scope, projectCode ? { projectCode } : {})).filter(
    each => each.state === 'on',
  )
  const ids = parks.map(each => each.id)
  const [inside, adjustments, changes] = await Promise.all([
    countInside(db, scope.ownerId, ids, now),
    sumAdjustments(db, scope.ownerId, ids),
    lastChanges(db, scope.ownerId, ids),
  ])
  return parks.map(({ id, name, totalPlace = 0, reservedPlace = 0, tempPlace = 0 }) => {
    const counted = inside.find(row => row.parkId === id)
    const adjustment = adjustments.find(row => row.parkId === id)?.adjustment ?? 0
    const occupancy = occupancyOf({ inside: 0, temporary: 0, ...counted, adjustment })
    return {
      parkId: id,
      parkName: name,
      total: totalPlace,
      reserved: reservedPlace,
      ...occupancy,
      free: Math.max(0, totalPlace - occupancy.inside),
      isFull: isFullFor(occupancy, { totalPlace, tempPlace }),
      longStays: counted?.longStays ?? 0,
      corrections: changes
        .filter(row => row.parkId === id)
        .map(({ time, inside: count, reason, operatorName }) => ({
          time,
          inside: count,
          reason,
          operatorName,
        })),
    }
  })
}

export const counterHandlers = [
  reads(listParkCounters, ({ projectCode }, { db, scope, now }) => countersOf(db, scope, projectCode, now)),
  writes(correctCounter, async ({ parkId, inside, reason }, { tx, scope, now }) => {
    const lot = await requireById(tx, park, scope, parkId, { lock: true })
    if (lot.state !== 'on') {
      refuse(`停车场「${lot.name}」已停用，请先启用`)
    }
    const [[recorded], [adjusted]] = await Promise.all([
      countInside(tx, scope.ownerId, [parkId], now),
      sumAdjustments(tx, scope.ownerId, [parkId]),
    ])
    // Below 0 where records were ended after a count: what is shown is 0, the difference is not.
    const known = (recorded?.inside ?? 0) + (adjusted?.adjustment ?? 0)
    if (known === inside) {
      refuseField('Inside', `系统在场数已是 ${inside} 辆，无需校正`)
    }
    await tx.execute(sql`
      insert into park_count_change (
        owner_id, project_code, park_id, inside, adjustment, reason, operator_name, create_time
      )
      values (
        ${scope.ownerId}, ${lot.projectCode}, ${parkId}, ${inside}, ${inside - known}, ${reason},
        ${scope.name}, ${scope.time}::timestamptz
      )
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: park.name,
        entityId: parkId,
        projectCode: lot.projectCode,
        before: { inside: Math.max(0, known) },
        after: { inside },
        reason,
      },
    ])
  }),
]

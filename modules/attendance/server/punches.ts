import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { daysBetween } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { punchSource } from '../contract/choices.ts'
import { affectedSpan } from './person-days.ts'
import { recomputePeople } from './recompute.ts'

export interface NewPunch {
  readonly staffId: Id
  readonly punchTime: Moment
  readonly source: ChoiceOf<typeof punchSource>
  readonly deviceId?: Id | undefined
  readonly place?: string | undefined
  readonly remark?: string | undefined
}

/** A device whose clock is at another year reports nothing that can be meant. */
const maxAgeDays = 366

/** Why a punch cannot be true, or undefined. */
export function punchTimeFault(punchTime: Moment, now: Moment): string | undefined {
  if (punchTime > now) return '打卡时间不能晚于现在'
  return daysBetween(dayOfMoment(punchTime), dayOfMoment(now)) > maxAgeDays
    ? '打卡时间早于一年前，请核对考勤机的时钟'
    : undefined
}

export const nowOf = (scope: Pick<Scope, 'time'>): Moment => fromInstant(Date.parse(scope.time))

/**
 * Writes punches and computes the days that they may change: ATT-3, ATT-12. A punch that is there already is
 * left as it is. Returns the new ones' ids, by person and time.
 */
export async function addPunches(
  tx: Tx,
  scope: Scope,
  punches: readonly NewPunch[],
  now: Moment,
): Promise<ReadonlyMap<string, Id>> {
  if (!punches.length) return new Map()
  const rows = punches.map(({ staffId, punchTime, source, deviceId, place, remark }) => ({
    staff_id: staffId,
    punch_time: punchTime,
    // Nearly always its day of work; computing the days writes it only where it is another one (ATT-4).
    matched_date: dayOfMoment(punchTime),
    source: Number(codeOf(punchSource, source)),
    device_id: deviceId,
    place,
    remark,
  }))
  const added = await tx.rows<{ id: Id; staffId: Id; punchTime: Moment }>(sql`
    insert into attendance_log (
      owner_id, create_by, update_by, staff_id, punch_time, matched_date, source, device_id, place, remark
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, staff_id,
      punch_time, matched_date, source, device_id, place, remark
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(staff_id bigint, punch_time timestamptz, matched_date date, source smallint, device_id bigint,
        place text, remark text)
    on conflict do nothing
    returning id, staff_id, punch_time
  `)
  publishRecordsWritten(tx, scope.ownerId, {
    entity: 'attendanceLog',
    action: 'insert',
    ids: added.map(({ id }) => id),
  })
  const days = added.map(({ punchTime }) => dayOfMoment(punchTime)).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  if (from && to) {
    const people = added.map(({ staffId }) => staffId)
    await recomputePeople(tx, scope, people, affectedSpan(from, to), now)
  }
  return new Map(added.map(({ id, staffId, punchTime }) => [`${staffId} ${punchTime}`, id]))
}

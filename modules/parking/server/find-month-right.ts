import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { carKind, carState, type CarKind, type CarState } from '../contract/labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import { judgeMonthRight, type RightStatus } from '../domain/month-right.ts'
import { expiredEntrySetting, graceDaysSetting } from './car-settings.ts'

/** A group that shares places in the car park and is valid on the day. */
export interface RightGroup {
  readonly id: Id
  readonly name: string
  /** M of N: at most so many of the plates are on the month right at once (PRK-6). */
  readonly placeCount: number
  readonly plateNos: readonly string[]
  readonly switchesOnLeave: boolean
}

/** What a plate may do in a car park on a day, before who is inside is counted. */
export interface MonthRight {
  readonly plateNo: string
  readonly carId?: Id | undefined
  readonly carKind?: CarKind | undefined
  readonly carState?: CarState | undefined
  /** It is on the black list. */
  readonly blackReason?: string | undefined
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
  readonly placeId?: Id | undefined
  readonly status: RightStatus
  readonly group?: RightGroup | undefined
  /** Of one whose right has expired: it pays as a temporary one, or is refused. */
  readonly expiredEntry: 'temporary' | 'refused'
}

interface FoundRow {
  readonly plateNo: string
  readonly carId?: Id
  readonly carKind?: number
  readonly carState?: number
  readonly blackReason?: string
  readonly beginDate?: Day
  readonly endDate?: Day
  readonly parkIds?: readonly string[]
  readonly placeId?: Id
  readonly groupId?: Id
  readonly groupName?: string
  readonly placeCount?: number
  readonly plateNos?: readonly string[]
  readonly switchOnLeave?: boolean
  readonly graceDays?: string
  readonly expiredEntry?: string
}

const groupOf = (row: FoundRow): RightGroup | undefined =>
  row.groupId === undefined
    ? undefined
    : {
        id: row.groupId,
        name: defined(row.groupName),
        placeCount: defined(row.placeCount),
        plateNos: defined(row.plateNos),
        switchesOnLeave: defined(row.switchOnLeave),
      }

/** A car of a valid group shares its right, whatever its own days are; one that is stopped has none. */
function statusOf(row: FoundRow, kind: CarKind | undefined, state: CarState | undefined, at: RightPlace) {
  const isStopped = state !== undefined && state !== 'normal' && state !== 'expired'
  if (row.groupId !== undefined && !isStopped) return 'valid'
  if (kind === undefined || state === undefined) return 'none'
  const facts = {
    carKind: kind,
    carState: state,
    beginDate: row.beginDate,
    endDate: row.endDate,
    parkIds: row.parkIds,
  }
  return judgeMonthRight(facts, at.parkId, at.day, Number(row.graceDays ?? graceDaysSetting.defaultValue))
}

interface RightPlace {
  readonly parkId: Id
  readonly day: Day
}

function toRight(row: FoundRow, at: RightPlace): MonthRight {
  const kind = row.carKind === undefined ? undefined : keyOf(carKind, row.carKind)
  const state = row.carState === undefined ? undefined : keyOf(carState, row.carState)
  return {
    plateNo: row.plateNo,
    carId: row.carId,
    carKind: kind,
    carState: state,
    blackReason: state === 'blocked' ? row.blackReason : undefined,
    beginDate: row.beginDate,
    endDate: row.endDate,
    placeId: row.placeId,
    status: statusOf(row, kind, state, at),
    group: groupOf(row),
    expiredEntry: (row.expiredEntry ?? expiredEntrySetting.defaultValue) === '2' ? 'refused' : 'temporary',
  }
}

/**
 * The month rights of plates in a car park at a moment, by plate as it is kept, in one statement:
 * the gates ask it. Every plate is answered, also one that nobody knows. Needs car_plate_live.
 */
export async function findMonthRight(
  db: Db,
  ownerId: Id,
  projectCode: string,
  parkId: Id,
  plates: readonly string[],
  at: Moment,
): Promise<ReadonlyMap<string, MonthRight>> {
  const asked = [...new Set(plates.map(normalizePlate))]
  if (!asked.length) return new Map()
  const day = dayOfMoment(at)
  const settingOf = (key: string) => sql`
    (
      select s.value
      from estate_setting s
      where s.owner_id = ${ownerId} and s.project_code = ${projectCode} and s.key = ${key}
    )
  `
  const rows = await db.rows<FoundRow>(sql`
    select a.plate_no, c.id as car_id, c.car_kind, c.car_state, c.black_reason, c.begin_date, c.end_date,
      c.park_ids, c.place_id, g.id as group_id, g.group_name, g.place_count, g.plate_nos, g.switch_on_leave,
      ${settingOf(graceDaysSetting.key)} as grace_days, ${settingOf(expiredEntrySetting.key)} as expired_entry
    from unnest(${asked}::text[]) as a(plate_no)
    left join car c on c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.plate_no = a.plate_no
      and c.car_state <> ${code(carState, 'cancelled')}
      and ${notDeleted('c')}
    left join car_group g on g.owner_id = ${ownerId}
      and g.project_code = ${projectCode}
      and g.state = ${code(enabledState, 'on')}
      and a.plate_no = any(g.plate_nos)
      and ${String(parkId)} = any(g.park_ids)
      and (g.begin_date is null or g.begin_date <= ${day}::date)
      and (g.end_date is null or g.end_date >= ${day}::date)
      and ${notDeleted('g')}
  `)
  return new Map(rows.map(row => [row.plateNo, toRight(row, { parkId, day })]))
}

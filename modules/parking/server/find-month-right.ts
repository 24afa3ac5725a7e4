import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { carKind, carState } from '../contract/car-labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import type { MonthRight, RightGroup } from '../contract/month-right.ts'
import {
  canShareRight,
  joinGroupRight,
  judgeMonthRight,
  kindInGroup,
  type RightFacts,
  type SharedRight,
} from '../domain/month-right.ts'
import { expiredEntrySetting, graceDaysSetting } from './car-settings.ts'

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
  readonly groupBegin?: Day
  readonly groupEnd?: Day
  readonly switchOnLeave?: boolean
  readonly graceDays?: string
  readonly expiredEntry?: string
}

/** The group on its days; one that has ended or is to begin shares no places. */
const groupOf = (row: FoundRow, day: Day): RightGroup | undefined =>
  row.groupId === undefined || (row.groupBegin ?? day) > day || (row.groupEnd ?? day) < day
    ? undefined
    : {
        id: row.groupId,
        name: defined(row.groupName),
        placeCount: defined(row.placeCount),
        plateNos: defined(row.plateNos),
        switchesOnLeave: defined(row.switchOnLeave),
      }

interface RightPlace {
  readonly parkId: Id
  readonly day: Day
}

function judge(row: FoundRow, car: RightFacts | undefined, { parkId, day }: RightPlace): SharedRight {
  const graceDays = Number(row.graceDays ?? graceDaysSetting.defaultValue)
  const status = car ? judgeMonthRight(car, parkId, day, graceDays) : 'none'
  const own = { status, beginDate: row.beginDate, endDate: row.endDate, isOfGroup: false }
  if (row.groupId === undefined || !canShareRight(car)) return own
  return joinGroupRight(own, { beginDate: row.groupBegin, endDate: row.groupEnd }, day)
}

function toRight(row: FoundRow, at: RightPlace): MonthRight {
  const kind = row.carKind === undefined ? undefined : keyOf(carKind, row.carKind)
  const state = row.carState === undefined ? undefined : keyOf(carState, row.carState)
  const car = kind && state && { ...row, carKind: kind, carState: state }
  const { status, beginDate, endDate, isOfGroup } = judge(row, car, at)
  return {
    plateNo: row.plateNo,
    carId: row.carId,
    carKind: isOfGroup ? kindInGroup(kind) : kind,
    carState: state,
    blackReason: state === 'blocked' ? (row.blackReason ?? '') : undefined,
    beginDate,
    endDate,
    placeId: row.placeId,
    status,
    group: groupOf(row, at.day),
    expiredEntry: (row.expiredEntry ?? expiredEntrySetting.defaultValue) === '2' ? 'refused' : 'temporary',
  }
}

/**
 * The month rights of plates in a car park at a moment, by plate as it is kept, in one statement:
 * the lanes ask it. Every plate is answered, also one that nobody knows. Needs car_plate_live.
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
      g.begin_date as group_begin, g.end_date as group_end,
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
      and ${notDeleted('g')}
  `)
  return new Map(rows.map(row => [row.plateNo, toRight(row, { parkId, day })]))
}

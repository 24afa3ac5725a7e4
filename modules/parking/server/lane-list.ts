import { keyOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { getSettingValue } from '#modules/estates/server/public.ts'
import { carKind, carState, type CarKind } from '../contract/car-labels.ts'
import { hasMonthRight } from '../domain/car-state.ts'
import { graceDaysSetting } from './car-settings.ts'

/** A plate that a lane without a line may let pass, and on which days. */
export interface ListedCar {
  readonly plateNo: string
  readonly carKind: CarKind
  readonly from?: Day
  readonly to?: Day
}

export interface LaneList {
  readonly cars: readonly ListedCar[]
  readonly blocked: readonly string[]
}

interface CarRow {
  readonly plateNo: string
  readonly carKind: number
  readonly isBlocked: boolean
  readonly beginDate?: Day
  readonly endDate?: Day
}

interface GroupRow {
  readonly plateNo: string
  readonly beginDate?: Day
  readonly endDate?: Day
}

interface Lane {
  readonly projectCode: string
  readonly parkId: Id
}

const rightKinds = (['month', 'fixed', 'inner', 'visitor', 'vip'] as const).filter(hasMonthRight)

/**
 * The cars with a right in a car park from a day on, those of its groups, and the black list: what a lane
 * decides by while it has no line. Its records are judged again when they come in (PRK-6).
 */
export async function findLaneList(
  db: Db,
  ownerId: Id,
  { projectCode, parkId }: Lane,
  today: Day,
): Promise<LaneList> {
  const graceDays = Number(await getSettingValue(db, ownerId, projectCode, graceDaysSetting))
  const [cars, groups] = await db.all<[CarRow, GroupRow]>(
    sql`
      select c.plate_no, c.car_kind, c.car_state = ${code(carState, 'blocked')} as is_blocked, c.begin_date,
        c.end_date
      from car c
      where c.owner_id = ${ownerId}
        and c.project_code = ${projectCode}
        and ${notDeleted('c')}
        and (
          c.car_state = ${code(carState, 'blocked')}
          or (
            c.car_state in ${codes(carState, 'normal', 'expired')}
            and c.car_kind in ${codes(carKind, ...rightKinds)}
            and (cardinality(coalesce(c.park_ids, '{}')) = 0 or ${String(parkId)} = any(c.park_ids))
            and (c.end_date is null or c.end_date >= ${addDays(today, -graceDays)}::date)
          )
        )
      order by c.plate_no
    `,
    sql`
      select p.plate_no, g.begin_date, g.end_date
      from car_group g
      cross join unnest(g.plate_nos) as p(plate_no)
      where g.owner_id = ${ownerId}
        and g.project_code = ${projectCode}
        and g.state = ${code(enabledState, 'on')}
        and ${String(parkId)} = any(g.park_ids)
        and (g.end_date is null or g.end_date >= ${today}::date)
        and ${notDeleted('g')}
        and not exists (
          select 1
          from car c
          where c.owner_id = ${ownerId}
            and c.project_code = ${projectCode}
            and c.plate_no = p.plate_no
            and c.car_state in ${codes(carState, 'pending', 'suspended', 'blocked')}
            and ${notDeleted('c')}
        )
      order by p.plate_no
    `,
  )
  const blocked = new Set(cars.filter(row => row.isBlocked).map(row => row.plateNo))
  const listed = new Map<string, ListedCar>()
  for (const row of groups) {
    listed.set(row.plateNo, daysOf(row, 'month', 0))
  }
  for (const row of cars) {
    listed.set(row.plateNo, daysOf(row, defined(keyOf(carKind, row.carKind)), graceDays))
  }
  return { cars: [...listed.values()].filter(({ plateNo }) => !blocked.has(plateNo)), blocked: [...blocked] }
}

const daysOf = ({ plateNo, beginDate, endDate }: GroupRow, kind: CarKind, graceDays: number): ListedCar => ({
  plateNo,
  carKind: kind,
  ...(beginDate === undefined ? {} : { from: beginDate }),
  ...(endDate === undefined ? {} : { to: addDays(endDate, graceDays) }),
})

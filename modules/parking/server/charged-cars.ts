import type { Day } from '#kit/domain/day.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { carState } from '../contract/car-labels.ts'

export interface ChargedCar {
  /** What charges know the car by: its id, for its plate may change. */
  readonly code: string
  readonly plateNo: string
  readonly enabled: boolean
  readonly userId?: Id | undefined
  readonly companyId?: Id | undefined
  readonly roomCode?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** Cars of a project by code, as those see them who charge for them. */
export async function findChargedCars(
  db: Db,
  ownerId: Id,
  project: string,
  carCodes: readonly string[],
): Promise<ReadonlyMap<string, ChargedCar>> {
  const ids = carCodes.map(parseId).filter(id => id > 0)
  if (!ids.length) return new Map()
  const rows = await db.rows<ChargedCar>(sql`
    select id::text as code, plate_no, car_state not in ${codes(carState, 'pending', 'cancelled')} as enabled,
      user_id, company_id, room_code, begin_date as "from", end_date as "to"
    from car
    where owner_id = ${ownerId}
      and project_code = ${project}
      and id = any(${ids}::bigint[])
      and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.code, row]))
}

import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { PlannedUnit, UnitRooms } from '../domain/units.ts'

type RoomCounter = (
  db: Db,
  scope: Scope,
  project: string,
  codes: readonly string[],
) => Promise<readonly (UnitRooms & { readonly buildCode: string })[]>

let roomCounter: RoomCounter = async () => []

/** The module that keeps rooms says which are in the units of buildings (BASE-4). */
export const registerRoomCounter = (count: RoomCounter): void => {
  roomCounter = count
}

export const countRoomsByUnit: RoomCounter = (db, scope, project, codes) =>
  roomCounter(db, scope, project, codes)

export interface BuildingUnitPlan {
  readonly code: string
  readonly planned: readonly PlannedUnit[]
}

/**
 * Brings the unit rows of buildings of one project to what these say: names stay the same rows, new ones are
 * added, gone ones removed.
 */
export async function syncUnits(
  tx: Tx,
  scope: Scope,
  project: string,
  plans: readonly BuildingUnitPlan[],
): Promise<void> {
  const rows = plans.flatMap(buildingUnitPlan =>
    buildingUnitPlan.planned.map((plannedUnit, i) => ({
      code: buildingUnitPlan.code,
      name: plannedUnit.name,
      floors: plannedUnit.floors,
      underground: plannedUnit.underground,
      sort: i + 1,
    })),
  )
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
    code text, name text, floors int, underground int, sort int
  )`
  await tx.execute(sql`
    update unit u
    set delete_tag = 1, update_time = ${scope.time}
    where owner_id = ${scope.ownerId}
      and project_code = ${project}
      and build_code = any(${plans.map(b => b.code)})
      and ${notDeleted()}
      and not exists (select 1 from ${wanted} where r.code = u.build_code and r.name = u.name)
  `)
  await tx.execute(sql`
    insert into unit (
      owner_id, project_code, build_code, code, name, floor_count, underground_floors, sort, update_time,
      create_by, update_by
    )
    select ${scope.ownerId}::bigint, ${project}, r.code, next_code('U'), r.name, r.floors, r.underground,
      r.sort, ${scope.time}::timestamptz, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from ${wanted}
    on conflict (owner_id, project_code, build_code, name)
    where ${notDeleted()} do update set floor_count = excluded.floor_count,
      underground_floors = excluded.underground_floors, sort = excluded.sort, update_time = excluded.update_time
    returning id
  `)
}

import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Building } from '../contract/building.ts'

export interface BuildingUnit {
  readonly name: string
  readonly floorCount: number
  readonly undergroundFloors: number
}

interface NamedBuilding {
  readonly code: string
  readonly name: string
}

/** A building as what is in it must know it. */
export interface BuildingWithUnits extends NamedBuilding {
  readonly units: readonly BuildingUnit[]
}

type UnitRow = BuildingUnit & { readonly buildCode: string }

/**
 * The buildings of a project (or the named ones) with their units. Inside a transaction that will put
 * something into them say `lock`: a deletion at the same time then waits, or has already happened and the
 * building is not there.
 */
export async function findBuildings(
  db: Db,
  ownerId: Id,
  project: string,
  codes: readonly string[] | 'all',
  options: { readonly lock?: boolean } = {},
): Promise<ReadonlyMap<string, BuildingWithUnits>> {
  const named = (column: string) =>
    codes === 'all' ? sql`` : sql`and ${sql.id(column)} = any(${[...codes]})`
  const buildings = sql<NamedBuilding>`
    select code, name
    from building
    where owner_id = ${ownerId} and project_code = ${project} and ${notDeleted()} ${named('code')}
    order by code ${options.lock ? sql`for share` : sql``}
  `
  const units = sql<UnitRow>`
    select build_code, name, floor_count, coalesce(underground_floors, 0) as underground_floors
    from unit
    where owner_id = ${ownerId} and project_code = ${project} and ${notDeleted()} ${named('build_code')}
    order by build_code, sort
  `
  // One after the other where it locks: what a rename wrote while we waited must be seen.
  const found = options.lock
    ? ([await db.rows(buildings), await db.rows(units)] as const)
    : await db.all<[NamedBuilding, UnitRow]>(buildings, units)
  const ofBuilding = Map.groupBy(found[1], u => u.buildCode)
  return new Map(
    found[0].map(b => [
      b.code,
      { ...b, units: (ofBuilding.get(b.code) ?? []).map(({ buildCode: _buildCode, ...u }) => u) },
    ]),
  )
}

/** In the transaction that gives a building another name. */
export const [onBuildingRenamed, publishBuildingRenamed] =
  defineEvent<[tx: Tx, scope: Scope, building: Pick<Building, 'projectCode' | 'code' | 'name'>]>()

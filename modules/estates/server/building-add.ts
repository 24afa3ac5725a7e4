import { defined } from '#kit/domain/defined.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { building } from '../contract/building.ts'
import { menu } from '../module.ts'
import { syncUnits } from './unit-rows.ts'

/** A building as an import of what stands in it needs it. */
export interface NewBuilding {
  readonly name: string
  readonly units: readonly { readonly name: string; readonly floors: number }[]
  readonly underground: number
}

/** Who is limited to some buildings of the project adds none. */
export const canAddBuildings = (scope: Scope, projectCode: string): boolean =>
  hasPermission(scope, menu.building.permissions.add) &&
  (scope.domain.all || !scope.domain.projects.get(projectCode))

/** Adds buildings with their units, in statements over sets. */
export async function addBuildings(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  buildings: readonly NewBuilding[],
): Promise<void> {
  if (!buildings.length) return
  const codes = await tx.rows<{ code: string }>(
    sql`select next_code('B') as code from generate_series(1, ${buildings.length}::int)`,
  )
  const rows = buildings.map(({ name, units, underground }, i) => ({
    projectCode,
    code: defined(codes[i]).code,
    name,
    units: units.length,
    unitType: 'number' as const,
    unitNames: units.map(unit => unit.name),
    floors: units.map(unit => String(unit.floors)),
    undergroundFloors: underground,
    sort: 0,
  }))
  const ids = await insertAll(tx, building, scope, rows)
  await syncUnits(
    tx,
    scope,
    projectCode,
    buildings.map(({ units, underground }, i) => ({
      code: defined(codes[i]).code,
      planned: units.map(unit => ({ ...unit, underground })),
    })),
  )
  await audit(
    tx,
    scope,
    rows.map((after, i) => ({
      action: 'insert' as const,
      entity: building.name,
      entityId: defined(ids[i]),
      projectCode,
      after,
    })),
  )
}

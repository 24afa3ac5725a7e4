import { defined } from '#kit/domain/defined.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findAll, insertAll, update } from '#kit/server/table.ts'
import { building } from '../contract/building.ts'
import { menu } from '../module.ts'
import { findBuildings } from './building-units.ts'
import { syncUnits } from './unit-rows.ts'

interface NewUnits {
  readonly units: readonly { readonly name: string; readonly floors: number }[]
  readonly underground: number
}

/** A building as an import of what is in it needs it. */
export interface NewBuilding extends NewUnits {
  readonly name: string
}

/** Units that a building lacks. */
export interface AddedUnits extends NewUnits {
  readonly buildCode: string
}

/** A caller who is limited to some buildings of the project adds none. */
export const canAddBuildings = (scope: Scope, projectCode: string): boolean =>
  hasPermission(scope, menu.building.permissions.add) &&
  (scope.domain.all || !scope.domain.projects.get(projectCode))

export const canAddUnits = (scope: Scope, projectCode: string): boolean =>
  hasPermission(scope, menu.building.permissions.edit) &&
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

/** Adds units behind those that the buildings have; all of a building go as deep as the deepest. */
export async function addUnits(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  additions: readonly AddedUnits[],
): Promise<void> {
  if (!additions.length) return
  const codes = additions.map(({ buildCode }) => buildCode)
  const found = await findBuildings(tx, scope.ownerId, projectCode, codes)
  const records = await findAll(
    tx,
    building,
    scope,
    { projectCode },
    { where: [sql`t.code = any(${codes})`] },
  )
  const idByCode = new Map(records.map(({ code, id }) => [code, id]))
  const plans = additions.map(({ buildCode, units, underground }) => {
    const existing = defined(found.get(buildCode)).units
    const depth = Math.max(underground, ...existing.map(unit => unit.undergroundFloors))
    return {
      code: buildCode,
      planned: [
        ...existing.map(({ name, floorCount }) => ({ name, floors: floorCount, underground: depth })),
        ...units.map(unit => ({ ...unit, underground: depth })),
      ],
    }
  })
  for (const { code, planned } of plans) {
    await update(tx, building, scope, defined(idByCode.get(code)), {
      units: planned.length,
      unitNames: planned.map(unit => unit.name),
      floors: planned.map(unit => String(unit.floors)),
      undergroundFloors: planned[0]?.underground ?? 0,
    })
  }
  await syncUnits(tx, scope, projectCode, plans)
}

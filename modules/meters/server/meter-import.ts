import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import type { Db } from '#kit/server/db.ts'
import type { ImportDefinition } from '#kit/server/sheet-import.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { shortBuildingName } from '#modules/rooms/server/public.ts'
import type { Meter } from '../contract/meter.ts'
import { importMeters, meterSheet, type importProjectInput, type MeterLine } from '../contract/transfer.ts'
import { checkMeterRow } from './meter-import-check.ts'
import { loadMeterReferences, noReferences } from './meter-import-references.ts'
import { writeMeters } from './meter-import-write.ts'

/** The buildings that the user may see, deleted ones among them. */
async function findOwnBuildings(db: Db, scope: Scope, projectCode: string, lock?: boolean) {
  const buildings = await findBuildings(
    db,
    scope.ownerId,
    projectCode,
    'all',
    lock === undefined ? undefined : { lock },
  )
  return [...buildings.values()].filter(b => hasBuilding(scope.domain, projectCode, b.code))
}

type OwnBuilding = Awaited<ReturnType<typeof findOwnBuildings>>[number]

/** The codes of the buildings that a name means: by name, else by code, else by short name. */
function matchBuildings(buildings: readonly OwnBuilding[], name: string): string[] {
  const matchers: readonly ((b: OwnBuilding) => boolean)[] = [
    b => b.name === name,
    b => b.code === name,
    b => shortBuildingName(b.name) === shortBuildingName(name),
  ]
  for (const matches of matchers) {
    const found = buildings.filter(matches)
    if (found.length) return found.map(b => b.code)
  }
  return []
}

export const meterImporter: ImportDefinition<MeterLine, typeof importProjectInput, Meter> = {
  kind: 'meters.meter',
  calls: importMeters,
  sheet: meterSheet,
  templateOptions: async (db, { scope, extraInput }) => {
    const buildings = await findOwnBuildings(db, scope, extraInput.projectCode)
    return {
      buildCode: buildings.map(b => b.name),
      unitName: [...new Set(buildings.flatMap(b => b.units.map(u => u.name)))],
    }
  },
  openSession: async (db, request, _lines, lock) => {
    const {
      scope,
      extraInput: { projectCode },
    } = request
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const buildings = await findOwnBuildings(db, scope, projectCode, lock)
    let references = noReferences
    return {
      findReferences: (_key, name) => matchBuildings(buildings, name),
      findExisting: async lines => {
        references = await loadMeterReferences(
          db,
          scope,
          projectCode,
          lines.map(l => l.row),
        )
        return new Map(
          lines.flatMap(l => {
            const existing = references.metersByNo.get(l.row.meterNo ?? '')
            return existing ? [[l.line, existing] as const] : []
          }),
        )
      },
      checkRow: (row, existing) => checkMeterRow(row, existing, references),
      isSkipped: ({ existing }) => request.mode !== 'update' && existing !== undefined,
      apply: (tx, lines) => writeMeters(tx, request, lines, references),
    }
  },
}

import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db } from '#kit/server/db.ts'
import type { MissingRecords } from '#kit/server/sheet-import.ts'
import {
  addBuildings,
  canAddBuildings,
  findBuildings,
  type NewBuilding,
} from '#modules/estates/server/public.ts'
import type { RoomSheetRow } from '../contract/import-export.ts'
import { planBuildings, type NamedPosition } from '../domain/imported-buildings.ts'
import type { ImportRow, RoomImportRequest } from './room-import-read.ts'
import { findBuildingCodesByName } from './sheet-places.ts'

type Line = SheetLine<RoomSheetRow>

const positionsOf = (lines: readonly Line[]): NamedPosition[] =>
  lines.flatMap(({ row, referenceNames }) => {
    const building = referenceNames.buildCode
    const { unitName, floorNum }: ImportRow = row
    return building && unitName && floorNum !== undefined ? [{ building, unitName, floorNum }] : []
  })

/** The buildings that the lines name and the project lacks, as their rooms need them. */
async function findMissing(
  db: Db,
  { scope, extraInput: { projectCode } }: RoomImportRequest,
  lines: readonly Line[],
): Promise<NewBuilding[]> {
  if (!canAddBuildings(scope, projectCode)) return []
  const known = [...(await findBuildings(db, scope.ownerId, projectCode, 'all')).values()]
  const missing = positionsOf(lines).filter(p => !findBuildingCodesByName(known, p.building).length)
  return planBuildings(missing)
}

const describeFloors = ({ units }: NewBuilding): string => {
  const counts = [...new Set(units.map(unit => unit.floors))]
  return counts.length === 1 ? `${defined(counts[0])} 层` : `${counts.join('、')} 层`
}

/** Buildings that lines name may be added before the lines are checked. */
export const missingBuildings: MissingRecords<RoomSheetRow, { projectCode: string }> = {
  find: async (db, request, lines) =>
    (await findMissing(db, request, lines)).map(building => ({
      name: building.name,
      note: `${building.units.length} 个单元，${describeFloors(building)}`,
    })),
  add: async (tx, request, lines) => {
    const missing = await findMissing(tx, request, lines)
    await addBuildings(tx, request.scope, request.extraInput.projectCode, missing)
  },
}

import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db } from '#kit/server/db.ts'
import type { MissingRecords } from '#kit/server/sheet-import.ts'
import {
  addBuildings,
  addUnits,
  canAddBuildings,
  canAddUnits,
  findBuildings,
  type AddedUnits,
  type NewBuilding,
} from '#modules/estates/server/public.ts'
import type { RoomSheetRow } from '../contract/import-export.ts'
import { planBuildings, planUnitsOf, type PlannedUnits } from '../domain/imported-buildings.ts'
import { findUnit, floorOfRow, type Buildings, type RoomImportRequest } from './room-import-read.ts'
import { findBuildingCodesByName } from './sheet-places.ts'

type Line = SheetLine<RoomSheetRow>

interface MissingPlaces {
  readonly buildings: readonly NewBuilding[]
  readonly units: readonly (AddedUnits & { readonly building: string })[]
}

/** The position of a line whose building the sheet names, whatever else is wrong with the line. */
const positionOf = ({ row, referenceNames: { buildCode: building } }: Line) =>
  building === undefined ? [] : [{ building, unitName: row.unitName, floorNum: floorOfRow(row) }]

/** The units that lines name in buildings that have others. */
function planMissingUnits(known: Buildings, lines: readonly Line[]): MissingPlaces['units'] {
  const inKnown = lines.flatMap(positionOf).flatMap(({ building, unitName, floorNum }) => {
    const [buildCode, ...others] = findBuildingCodesByName([...known.values()], building)
    return buildCode && !others.length && unitName && !findUnit(known, { buildCode, unitName })
      ? [{ buildCode, unitName, floorNum }]
      : []
  })
  return [...Map.groupBy(inKnown, p => p.buildCode)].map(([buildCode, positions]) => ({
    buildCode,
    building: defined(known.get(buildCode)).name,
    ...planUnitsOf(positions),
  }))
}

/** The buildings that the lines name and the project lacks, as their rooms need them; likewise units. */
async function findMissing(
  db: Db,
  { scope, extraInput: { projectCode } }: RoomImportRequest,
  lines: readonly Line[],
): Promise<MissingPlaces> {
  const known = await findBuildings(db, scope.ownerId, projectCode, 'all')
  const isUnknown = ({ building }: { building: string }): boolean =>
    !findBuildingCodesByName([...known.values()], building).length
  return {
    buildings: canAddBuildings(scope, projectCode)
      ? planBuildings(lines.flatMap(positionOf).filter(isUnknown))
      : [],
    units: canAddUnits(scope, projectCode) ? planMissingUnits(known, lines) : [],
  }
}

const describeFloors = ({ units }: PlannedUnits): string => {
  const counts = [...new Set(units.map(unit => unit.floors))]
  return counts.length === 1 ? `${defined(counts[0])} 层` : `${counts.join('、')} 层`
}

/** Buildings and units that lines name may be added before the lines are checked. */
export const missingBuildings: MissingRecords<RoomSheetRow, { projectCode: string }> = {
  columns: {
    buildCode: '已有的楼栋，或新楼栋的名称（校验时新增）',
    unitName: '单元名称；新单元可在校验时新增',
  },
  find: async (db, request, lines) => {
    const { buildings, units } = await findMissing(db, request, lines)
    return [
      ...buildings.map(building => ({
        name: building.name,
        note: `${building.units.length} 个单元，${describeFloors(building)}`,
      })),
      ...units.map(added => ({
        name: `${added.building} ${added.units.map(unit => `${unit.name}单元`).join('、')}`,
        note: describeFloors(added),
      })),
    ]
  },
  add: async (tx, request, lines) => {
    const { scope, extraInput } = request
    const { buildings, units } = await findMissing(tx, request, lines)
    await addBuildings(tx, scope, extraInput.projectCode, buildings)
    await addUnits(tx, scope, extraInput.projectCode, units)
  },
}

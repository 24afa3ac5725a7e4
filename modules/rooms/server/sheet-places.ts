import type { Db } from '#kit/server/db.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { findBuildings, type BuildingWithUnits } from '#modules/estates/server/public.ts'
import { shortBuildingName } from '../domain/room-numbering.ts'
import { loadSheetRooms, type SheetRoom } from './room-occupants.ts'

/** A line that may name a room by building, unit and number. */
export interface SheetPlaceRow {
  readonly buildCode?: string
  readonly unitName?: string
  readonly roomNo?: string
}

/** The buildings and rooms that the lines of one file may name. */
export interface SheetPlaces {
  /** Codes of the buildings that a cell means: by name, by code, or by the short name (`3 栋` is 3). */
  readonly buildingsNamed: (name: string) => readonly string[]
  /** Loads the rooms of the lines in one query; before it no room is known. */
  readonly loadRooms: (rows: readonly SheetPlaceRow[]) => Promise<void>
  readonly roomOf: (row: SheetPlaceRow) => SheetRoom | undefined
}

/** Codes of the buildings of this name or code, or of this short name: 3 is 3栋. */
export function findBuildingCodesByName(buildings: readonly BuildingWithUnits[], name: string): string[] {
  const tests: ((b: BuildingWithUnits) => boolean)[] = [
    b => b.name === name,
    b => b.code === name,
    b => shortBuildingName(b.name) === shortBuildingName(name),
  ]
  for (const test of tests) {
    const matches = buildings.filter(test)
    if (matches.length) return matches.map(b => b.code)
  }
  return []
}

const buildingsInDomain = async (
  db: Db,
  scope: Scope,
  project: string,
  lock: boolean,
): Promise<BuildingWithUnits[]> =>
  [...(await findBuildings(db, scope.ownerId, project, 'all', { lock })).values()].filter(b =>
    hasBuilding(scope.domain, project, b.code),
  )

/** With `lock` the buildings stay until the transaction ends. */
export async function openSheetPlaces(
  db: Db,
  scope: Scope,
  project: string,
  lock: boolean,
): Promise<SheetPlaces> {
  const buildings = await buildingsInDomain(db, scope, project, lock)
  let findRoom: Awaited<ReturnType<typeof loadSheetRooms>> = () => undefined
  return {
    buildingsNamed: name => findBuildingCodesByName(buildings, name),
    loadRooms: async rows => {
      const codes = [...new Set(rows.flatMap(r => r.buildCode ?? []))]
      findRoom = await loadSheetRooms(db, scope.ownerId, project, codes)
    },
    roomOf: ({ buildCode, unitName, roomNo }) =>
      buildCode && unitName && roomNo ? findRoom(buildCode, unitName, roomNo) : undefined,
  }
}

/** What is wrong with the room that a line names; `noun` is what the module calls it, `商铺`. */
export function sheetPlaceFaults(
  places: SheetPlaces,
  row: SheetPlaceRow,
  noun: string,
  incompleteRemedy: string,
): readonly LineFault[] {
  const filled = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
  if (filled > 0 && filled < 3)
    return [{ column: 'roomNo', message: '楼栋、单元、房号要一起填写', remedy: incompleteRemedy }]
  if (filled === 3 && !places.roomOf(row))
    return [
      {
        column: 'roomNo',
        message: `没有${noun}「${row.unitName} ${row.roomNo}」`,
        remedy: `核对楼栋、单元和房号，或先导入${noun}`,
      },
    ]
  return []
}

/** Drop-down lists of the template: the buildings of the project and the names of their units (IMP-7). */
export async function sheetPlaceOptions(
  db: Db,
  { scope, extraInput }: { readonly scope: Scope; readonly extraInput: { readonly projectCode: string } },
): Promise<Readonly<Record<string, readonly string[]>>> {
  const buildings = await buildingsInDomain(db, scope, extraInput.projectCode, false)
  return {
    buildCode: buildings.map(b => b.name),
    unitName: [...new Set(buildings.flatMap(b => b.units.map(u => u.name)))],
  }
}

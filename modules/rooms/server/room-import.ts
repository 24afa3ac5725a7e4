import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import { hasBuilding } from '#kit/server/scope.ts'
import type { ImportDefinition, LineResult } from '#kit/server/sheet-import.ts'
import { findByKey } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { importRooms, importProjectInput, roomSheet, type RoomSheetRow } from '../contract/import-export.ts'
import { loadBackDating } from './back-dating.ts'
import { getPeopleImporter, mergeOutcomes, type ImportedPerson } from './import-people.ts'
import { findDeliveryFaults, isDelivery, setsDelivery } from './delivery-check.ts'
import { missingBuildings } from './import-buildings.ts'
import { checkRoomRow, indexRenumbering, warnRoomRow, type RoomImportFile } from './room-import-check.ts'
import {
  findExistingRooms,
  findUnit,
  overwrites,
  roomKeyOf,
  type ExistingRoom,
  type ExistingRooms,
  type ImportRow,
  type RoomImportRequest,
} from './room-import-read.ts'
import { addRooms, renumberRooms, replaceRooms, type ReadyRoom } from './room-import-write.ts'
import { loadSheetRooms } from './room-occupants.ts'
import { findBuildingCodesByName, sheetPlaceOptions } from './sheet-places.ts'

const hasPerson = (row: Partial<RoomSheetRow>): boolean =>
  Boolean(row.userName || row.userMobile || row.userRelation)

/**
 * The person of a line; nobody where all the cells are empty. Who moves in on a later day is known to the
 * room, and does not live in it yet.
 */
const personInRow = (
  { line, row }: SheetLine<ImportRow>,
  { byKey }: ExistingRooms,
  today: Day,
): ImportedPerson | undefined =>
  hasPerson(row)
    ? {
        line,
        name: row.userName,
        mobile: row.userMobile,
        relation: row.userRelation,
        roomId: byKey.get(roomKeyOf(row))?.id,
        inDate: row.checkinDate && row.checkinDate <= today ? row.checkinDate : undefined,
      }
    : undefined

/** A new room brings its resident in; one that is there does so in the mode that asks for it. */
const bringsPerson = (mode: string, { roomId }: ImportedPerson): boolean =>
  mode === 'append' || (mode !== 'renumber' && roomId === undefined)

/** What the rules and the writing need to know of the lines. */
async function loadFile(
  db: Db,
  base: Pick<RoomImportFile, 'request' | 'buildings' | 'project' | 'backDating'>,
  lines: readonly SheetLine<ImportRow>[],
  lock: boolean,
): Promise<RoomImportFile> {
  const { request } = base
  const rooms = await findExistingRooms(db, request, lines, lock)
  const persons = new Map<ImportRow, ImportedPerson>()
  for (const line of lines) {
    const person = personInRow(line, rooms, request.today)
    if (person && bringsPerson(request.mode, person)) {
      persons.set(line.row, person)
    }
  }
  const importer = persons.size ? getPeopleImporter() : undefined
  const peopleImport = await importer?.open(db, request, [...persons.values()])
  const renumbering = indexRenumbering(request.mode === 'renumber' ? lines : [])
  const delivered = lines.flatMap(({ row }) => {
    const existing = rooms.byKey.get(roomKeyOf(row))
    const isDelivered =
      existing &&
      ((row.roomState && isDelivery(existing.roomState, row.roomState)) ||
        setsDelivery(existing, row.deliverDate))
    return isDelivered ? [existing] : []
  })
  const deliveryFaults = await findDeliveryFaults(db, request.scope, delivered)
  return { ...base, rooms, renumbering, persons, peopleImport, deliveryFaults }
}

/** After the rooms: the people of the lines, each with the outcome of its room. */
async function appendPeople(
  tx: Tx,
  { request, persons, peopleImport }: RoomImportFile,
  ready: readonly ReadyRoom[],
  results: Map<number, LineResult>,
): Promise<void> {
  const withPerson = ready.filter(
    ({ line, row }) => persons.has(row) && results.get(line)?.outcome !== 'failed',
  )
  if (!peopleImport || !withPerson.length) return
  const { scope, extraInput } = request
  const buildCodes = [...new Set(withPerson.map(({ row }) => row.buildCode))]
  const findRoom = await loadSheetRooms(tx, scope.ownerId, extraInput.projectCode, buildCodes)
  const placed = withPerson.flatMap(({ line, row }) => {
    const room = findRoom(row.buildCode, row.unitName, row.roomNo)
    return room ? [{ line, room }] : []
  })
  for (const [line, outcome] of await peopleImport.apply(tx, placed)) {
    results.set(line, mergeOutcomes(defined(results.get(line)), outcome))
  }
}

async function writeRooms(
  tx: Tx,
  file: RoomImportFile,
  ready: readonly ReadyRoom[],
): Promise<ReadonlyMap<number, LineResult>> {
  const { mode } = file.request
  const results = new Map<number, LineResult>()
  const known = ready.flatMap(line => (line.existing ? [{ ...line, existing: line.existing }] : []))
  if (mode === 'renumber') {
    await renumberRooms(tx, file, known, results)
    return results
  }
  if (overwrites(mode)) {
    await replaceRooms(tx, file, known, results)
  } else {
    for (const { line } of known) {
      results.set(line, { outcome: 'skipped', message: '已有此房间，已跳过' })
    }
  }
  await addRooms(
    tx,
    file,
    ready.filter(line => !line.existing),
    results,
  )
  await appendPeople(tx, file, ready, results)
  return results
}

async function loadBase(
  db: Db,
  request: RoomImportRequest,
  lock: boolean,
): Promise<Pick<RoomImportFile, 'request' | 'buildings' | 'project' | 'backDating'>> {
  const { scope, extraInput, today } = request
  const buildings = await findBuildings(db, scope.ownerId, extraInput.projectCode, 'all', { lock })
  const project = await findByKey(db, estate, scope, extraInput.projectCode, extraInput.projectCode)
  const backDating = defined(
    (await loadBackDating(db, scope.ownerId, [extraInput.projectCode], today)).get(extraInput.projectCode),
  )
  return { request, buildings, project, backDating }
}

export const roomImporter: ImportDefinition<RoomSheetRow, typeof importProjectInput, ExistingRoom> = {
  kind: 'rooms.room',
  calls: importRooms,
  sheet: roomSheet,
  missing: missingBuildings,
  hiddenInTemplate: ['estateName', 'newRoomNo'],
  templateOptions: async (db, request) => ({
    ...(await sheetPlaceOptions(db, request)),
    userRelation: getPeopleImporter()?.relations ?? [],
  }),
  openSession: async (db, request, _lines, lock) => {
    const { scope, extraInput } = request
    const base = await loadBase(db, request, lock)
    const { buildings } = base
    const visibleBuildings = [...buildings.values()].filter(building =>
      hasBuilding(scope.domain, extraInput.projectCode, building.code),
    )
    let file: RoomImportFile | undefined
    return {
      findReferences: (key, name) =>
        key === 'buildCode' ? findBuildingCodesByName(visibleBuildings, name) : [],
      normalizeRow: row => {
        const unit = findUnit(buildings, row)
        return unit ? { ...row, unitName: unit.name } : row
      },
      findExisting: async lines => {
        file = await loadFile(db, base, lines, lock)
        const { byKey } = file.rooms
        return new Map(
          lines.flatMap(({ line, row }) => {
            const existing = byKey.get(roomKeyOf(row))
            return existing ? [[line, existing] as const] : []
          }),
        )
      },
      checkRow: (row, existing) => checkRoomRow(row, existing, defined(file)),
      warnRow: row => warnRoomRow(row, defined(file)),
      repeatRemedy: row => (hasPerson(row) ? '同一房间的其他住户请用「导入住户」' : undefined),
      // The resident of such a line is left out, too, and a warning says so.
      isSkipped: ({ existing }) => existing !== undefined && request.mode === 'skip',
      apply: (tx, ready) => writeRooms(tx, defined(file), ready),
    }
  },
}

import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import { hasBuilding } from '#kit/server/scope.ts'
import { importer, type ImportFile } from '#kit/server/crud-import.ts'
import type { LineResult } from '#kit/server/import-definition.ts'
import { findByKey } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { importRooms, type RoomSheetRow } from '../contract/import-export.ts'
import { loadBackDating } from './back-dating.ts'
import { getPeopleImporter, mergeOutcomes, type ImportedPerson } from './import-people.ts'
import { findDeliveryFaults, isDelivery, setsDelivery } from './delivery-check.ts'
import { missingBuildings } from './import-buildings.ts'
import {
  checkRoomRow,
  indexRenumbering,
  warnRoomRow,
  type RoomImportBase,
  type RoomImportFile,
  type RoomImportLines,
} from './room-import-check.ts'
import { room as roomEntity, type Room } from '../contract/room.ts'

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

async function loadBase(db: Db, request: RoomImportRequest, lock: boolean): Promise<RoomImportBase> {
  const { scope, extraInput, today } = request
  const { projectCode } = extraInput
  const buildings = await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })
  const project = await findByKey(db, estate, scope, projectCode, projectCode)
  const backDating = defined((await loadBackDating(db, scope.ownerId, [projectCode], today)).get(projectCode))
  return {
    buildings,
    visibleBuildings: [...buildings.values()].filter(b => hasBuilding(scope.domain, projectCode, b.code)),
    project,
    backDating,
  }
}

/** What the rules and the writing need to know of the lines. */
async function loadLines(
  db: Db,
  { request, lines, isWriting }: ImportFile<RoomSheetRow, Room, RoomImportBase>,
): Promise<RoomImportLines> {
  const rooms = await findExistingRooms(db, request, lines, isWriting)
  const persons = new Map<ImportRow, ImportedPerson>()
  for (const line of lines) {
    const person = personInRow(line, rooms, request.today)
    if (person && bringsPerson(request.mode, person)) {
      persons.set(line.row, person)
    }
  }
  const peopleImporter = persons.size ? getPeopleImporter() : undefined
  const delivered = lines.flatMap(({ row }) => {
    const existing = rooms.byKey.get(roomKeyOf(row))
    const isDelivered =
      existing &&
      ((row.roomState && isDelivery(existing.roomState, row.roomState)) ||
        setsDelivery(existing, row.deliverDate))
    return isDelivered ? [existing] : []
  })
  return {
    rooms,
    persons,
    peopleImport: await peopleImporter?.open(db, request, [...persons.values()]),
    renumbering: indexRenumbering(request.mode === 'renumber' ? lines : []),
    deliveryFaults: await findDeliveryFaults(db, request.scope, delivered),
  }
}

/** After the rooms: the people of the lines, each with the outcome of its room. */
async function appendPeople(
  tx: Tx,
  { request, data: { persons, peopleImport } }: RoomImportFile,
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
  ready: readonly ReadyRoom[],
  file: RoomImportFile,
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

export const roomImporter = importer(roomEntity, {
  calls: importRooms,
  missing: missingBuildings,
  hiddenInTemplate: ['estateName', 'newRoomNo'],
  templateOptions: async (db, request) => ({
    ...(await sheetPlaceOptions(db, request)),
    userRelation: getPeopleImporter()?.relations ?? [],
  }),
  load: loadBase,
  references: { buildCode: (name, { visibleBuildings }) => findBuildingCodesByName(visibleBuildings, name) },
  normalizeRow: (row, { buildings }) => {
    const unit = findUnit(buildings, row)
    return unit ? { ...row, unitName: unit.name } : row
  },
  prepare: loadLines,
  find: (row, { data }): ExistingRoom | undefined => data.rooms.byKey.get(roomKeyOf(row)),
  rules: checkRoomRow,
  warnings: warnRoomRow,
  // The resident of a line that is skipped is left out, too, and a warning says so.
  repeatRemedy: row => (hasPerson(row) ? '同一房间的其他住户请用「导入住户」' : undefined),
  write: writeRooms,
})

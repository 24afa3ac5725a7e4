import { codeOf, labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { importer, type ImportFile as KitImportFile, type LineFault } from '#kit/server/crud-import.ts'
import type { Db } from '#kit/server/db.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import {
  beforeDelivery,
  findDeliveryFaults,
  loadBackDating,
  openSheetPlaces,
  sheetPlaceOptions,
  type SheetPlaces,
  type SheetRoom,
} from '#modules/rooms/server/public.ts'
import { importResidents, type ResidentSheetRow } from '../contract/import-export.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { normalizeCertNo } from '../domain/person.ts'
import {
  loadImportPeople,
  nameInRoomKey,
  residencyKey,
  type ExistingResident,
  type ImportRow,
} from './import-read.ts'
import { writeImportRows } from './import-write.ts'
import {
  checkImportRow,
  indexLines,
  type ImportFile,
  type ImportLines,
  type ImportRooms,
} from './resident-import-check.ts'

/**
 * The person of a line who is registered already: by mobile, else by document, else by the name in the room.
 */
function findExistingResident(
  row: ImportRow,
  { rooms, people }: Pick<ImportFile['data'], 'rooms' | 'people'>,
): ExistingResident | undefined {
  const room = rooms.roomOf(row)
  const certNo = row.certNo && normalizeCertNo(row.certNo)
  const person =
    (row.mobile ? people.byMobile.get(row.mobile) : undefined) ??
    (certNo ? people.byCertNo.get(certNo) : undefined) ??
    (!row.mobile && !certNo && room
      ? people.byNameInRoom.get(nameInRoomKey(row.name ?? '', room.id))
      : undefined)
  return person && { person, residency: room && people.residencies.get(residencyKey(person.id, room.id)) }
}

const isUndelivered = (room: SheetRoom): boolean =>
  beforeDelivery.some(key => codeOf(roomState, key) === room.roomState)

/** Who is only registered leaves the room as it is: a room that was never handed over should be looked at. */
function undeliveredWarnings(row: ImportRow, rooms: SheetPlaces): LineFault[] {
  const state = rooms.roomOf(row)?.roomState
  const undelivered = beforeDelivery.find(key => codeOf(roomState, key) === state)
  return undelivered && !row.inDate
    ? [
        {
          column: 'inDate',
          message: `房间为「${labelOf(roomState, undelivered)}」，只登记住户，房态不变`,
          remedy: '已入住的填写入住日期，房态变为已入住',
        },
      ]
    : []
}

/** What the rules ask of the lines: their people, rooms and days. */
async function loadLines(
  db: Db,
  { request, lines, data: { rooms } }: KitImportFile<ResidentSheetRow, Resident, ImportRooms>,
): Promise<ImportLines> {
  const { scope, today, extraInput } = request
  const projectCode: string = extraInput.projectCode
  const rows = lines.map(line => line.row)
  await rooms.loadRooms(rows)
  const roomIds = [...new Set(rows.flatMap(row => rooms.roomOf(row)?.id ?? []))]
  const undelivered = rows.flatMap(row => {
    const room = rooms.roomOf(row)
    return room && row.inDate && isUndelivered(room) ? [{ ...room, projectCode }] : []
  })
  const backDating = await loadBackDating(db, scope.ownerId, [projectCode], today)
  return {
    people: await loadImportPeople(db, request, rows, roomIds),
    lines: indexLines(lines, rooms),
    backDating: defined(backDating.get(projectCode)),
    moveInFaults: await findDeliveryFaults(db, scope, undelivered),
  }
}

export const residentImporter = importer(resident, {
  calls: importResidents,
  hiddenInTemplate: [
    'nation',
    'education',
    'workUnit',
    'email',
    'address',
    'emergencyName',
    'emergencyPhone',
  ],
  templateOptions: sheetPlaceOptions,
  load: async (db, { scope, extraInput }, lock) => ({
    rooms: await openSheetPlaces(db, scope, extraInput.projectCode, lock),
  }),
  references: { buildCode: (name, { rooms }) => rooms.buildingsNamed(name) },
  prepare: loadLines,
  find: (row, { data }): ExistingResident | undefined => findExistingResident(row, data),
  rules: checkImportRow,
  warnings: (row, { data }) => undeliveredWarnings(row, data.rooms),
  isSkipped: ({ existing }, { request }) => request.mode === 'skip' && existing?.residency !== undefined,
  write: (tx, ready, { request, data }) =>
    writeImportRows(tx, request, request.mode, ready, row => data.rooms.roomOf(row)),
})

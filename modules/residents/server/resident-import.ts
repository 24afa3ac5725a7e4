import { codeOf, labelOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import type { ImportDefinition } from '#kit/server/sheet-import.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import {
  beforeDelivery,
  findDeliveryFaults,
  loadBackDating,
  type SheetRoom,
} from '#modules/rooms/server/public.ts'
import {
  importResidents,
  importProjectInput,
  residentSheet,
  type ResidentSheetRow,
} from '../contract/import-export.ts'
import { normalizeCertNo } from '../domain/person.ts'
import {
  createImportRooms,
  loadImportPeople,
  nameInRoomKey,
  residencyKey,
  type ExistingResident,
  type ImportPeople,
  type ImportRooms,
  type ImportRow,
} from './import-read.ts'
import { writeImportRows } from './import-write.ts'
import { checkImportRow, indexLines, type ImportFile } from './resident-import-check.ts'

/**
 * The person of a line who is registered already: by mobile, else by document, else by the name in the room.
 */
function findExistingResident(
  row: ImportRow,
  rooms: ImportRooms,
  people: ImportPeople,
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
function undeliveredWarnings(row: ImportRow, rooms: ImportRooms): LineFault[] {
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

export const residentImporter: ImportDefinition<
  ResidentSheetRow,
  typeof importProjectInput,
  ExistingResident
> = {
  kind: 'residents.resident',
  calls: importResidents,
  sheet: residentSheet,
  hiddenInTemplate: [
    'nation',
    'education',
    'workUnit',
    'email',
    'address',
    'emergencyName',
    'emergencyPhone',
  ],
  templateOptions: async (db, request) => {
    const { visibleBuildings } = await createImportRooms(db, request, false)
    return {
      buildCode: visibleBuildings.map(b => b.name),
      unitName: [...new Set(visibleBuildings.flatMap(b => b.units.map(u => u.name)))],
    }
  },
  openSession: async (db, request, _lines, lock) => {
    const { scope, today, mode, extraInput } = request
    const { projectCode } = extraInput
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const rooms = await createImportRooms(db, request, lock)
    const backDating = await loadBackDating(db, scope.ownerId, [projectCode], today)
    let file: ImportFile | undefined
    return {
      findReferences: (key, name) => (key === 'buildCode' ? rooms.findBuildingCodes(name) : []),
      findExisting: async lines => {
        await rooms.load(lines)
        const roomIds = [...new Set(lines.flatMap(line => rooms.roomOf(line.row)?.id ?? []))]
        const rows = lines.map(line => line.row)
        const undelivered = lines.flatMap(({ row }) => {
          const room = rooms.roomOf(row)
          return room && row.inDate && isUndelivered(room) ? [{ ...room, projectCode }] : []
        })
        const people = await loadImportPeople(db, request, rows, roomIds)
        file = {
          today,
          rooms,
          people,
          lines: indexLines(lines, rooms),
          backDating: defined(backDating.get(projectCode)),
          moveInFaults: await findDeliveryFaults(db, scope, undelivered),
        }
        return new Map(
          lines.flatMap(({ line, row }) => {
            const existing = findExistingResident(row, rooms, people)
            return existing ? [[line, existing] as const] : []
          }),
        )
      },
      checkRow: (row, existing) => checkImportRow(row, existing, defined(file)),
      isSkipped: ({ existing }) => mode === 'skip' && existing?.residency !== undefined,
      warnRow: row => undeliveredWarnings(row, rooms),
      apply: (tx, ready) => writeImportRows(tx, request, mode, ready, row => rooms.roomOf(row)),
    }
  },
}

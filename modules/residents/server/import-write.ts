import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { insertIdentified, reserveIds, updateIdentified } from '#kit/server/identified-rows.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { notDeleted, codes } from '#kit/server/sql.ts'
import type { SheetRoom } from '#modules/rooms/server/public.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { applySource, residencyStatus } from '../contract/labels.ts'
import { residency } from '../contract/residency.ts'
import { enteredDays, type EnteredDays } from '../domain/residency.ts'
import { menu } from '../module.ts'
import type { ExistingResident, ImportRow, KnownResidency, ResidentImportRequest } from './import-read.ts'
import { insertPeople, updatePeople, type ImportLine, type LinePerson } from './import-people.ts'
import { findRoomsWithMainOwner, releaseMainAndPayer } from './residency-links.ts'
import { logResidencyChanges } from './residency-log.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'

/** A line with its person, in the room that it names. */
interface PlacedLine {
  readonly line: ImportLine
  readonly room: SheetRoom
  readonly person: LinePerson
}

interface RoomPayer {
  readonly id: Id
  readonly payerId?: Id
  readonly payerName?: string
}

/** Locks rooms, so that nobody else changes who lives in them; with who pays in each. */
const lockRooms = (tx: Tx, ownerId: Id, roomIds: readonly Id[]): Promise<RoomPayer[]> =>
  tx.rows(
    sql`
      select id, payer_id, payer_name
      from room
      where owner_id = ${ownerId} and id = any(${[...roomIds]}) and ${notDeleted()}
      order by id
      for update
    `,
  )

/** The residencies to add: the first owner of a room becomes its main owner (BASE-9). */
async function planResidencies(
  tx: Tx,
  { scope, extraInput: { projectCode } }: ResidentImportRequest,
  placed: readonly PlacedLine[],
  added: readonly PlacedLine[],
) {
  const roomIds = [...new Set(placed.map(({ room }) => room.id))]
  const withMainOwner = await findRoomsWithMainOwner(tx, scope.ownerId, roomIds)
  for (const { line, room } of placed) {
    if (line.row.isMain) {
      withMainOwner.add(room.id)
    }
  }
  const canAudit = hasPermission(scope, menu.link.permissions.audit)
  const status: 'living' | 'pending' = canAudit ? 'living' : 'pending'
  const reserved = await reserveIds(tx, residency, added.length)
  return added.map(({ line: { row }, room, person }, i) => {
    const isFirstOwner = canAudit && row.relation === 'owner' && !withMainOwner.has(room.id)
    if (isFirstOwner) {
      withMainOwner.add(room.id)
    }
    return {
      id: defined(reserved[i]).id,
      projectCode,
      userId: person.id,
      roomId: room.id,
      buildCode: room.buildCode,
      relation: defined(row.relation),
      isMain: isFirstOwner || (row.isMain ?? false),
      isPayer: row.isPayer ?? false,
      inDate: row.inDate,
      leaseBegin: row.leaseBegin,
      leaseEnd: row.leaseEnd,
      status,
      applySource: 'import' as const,
    }
  })
}

/** The result of a line whose person takes over paying says from whom. */
function reportReplacedPayers(
  placed: readonly PlacedLine[],
  before: readonly RoomPayer[],
  after: readonly RoomPayer[],
  results: Map<number, LineResult>,
): void {
  const payerBefore = new Map(before.map(room => [room.id, room]))
  const payerAfter = new Map(after.map(room => [room.id, room]))
  for (const { line, room, person } of placed) {
    const former = payerBefore.get(room.id)
    const isNewPayer = payerAfter.get(room.id)?.payerId === person.id
    const result = results.get(line.line)
    if (result && isNewPayer && former?.payerId !== undefined && former.payerId !== person.id) {
      const message = `${result.message}；缴费人由「${former.payerName ?? ''}」改为「${person.name}」`
      results.set(line.line, { ...result, message })
    }
  }
}

const existingResidencyOf = ({ line }: PlacedLine): KnownResidency | undefined => line.existing?.residency

/** Roles that lines give to people who are in the room already. */
const newRolesOfExisting = (placed: readonly PlacedLine[]) =>
  placed.flatMap(placedLine => {
    const known = existingResidencyOf(placedLine)
    if (known?.status !== 'living') return []
    const { row } = placedLine.line
    return [
      {
        roomId: placedLine.room.id,
        isMain: row.isMain === true && !known.isMain,
        isPayer: row.isPayer === true && !known.isPayer,
      },
    ]
  })

async function insertResidencies(
  tx: Tx,
  request: ResidentImportRequest,
  placed: readonly PlacedLine[],
  overwrites: boolean,
  results: Map<number, LineResult>,
): Promise<EnteredDays> {
  const { scope, today } = request
  const added = placed.filter(placedLine => !existingResidencyOf(placedLine))
  const rows = await planResidencies(tx, request, placed, added)
  if (hasPermission(scope, menu.link.permissions.audit)) {
    await releaseMainAndPayer(tx, scope, [...rows, ...(overwrites ? newRolesOfExisting(placed) : [])])
  }
  const inserted = await insertIdentified(
    tx,
    residency,
    scope,
    rows.map(({ id, ...values }) => ({ id, values })),
  )
  for (const [i, { line }] of added.entries()) {
    if (!inserted.has(defined(rows[i]).id)) {
      results.set(line.line, { outcome: 'failed', message: '该住户刚刚被登记在此房间' })
    } else if (line.existing) {
      results.set(line.line, { outcome: 'added', message: '已有此住户，已关联房屋' })
    }
  }
  const entries = rows.map((row, i) => ({
    residency: row,
    userName: defined(added[i]).person.name,
    action:
      row.status === 'pending'
        ? ('applied' as const)
        : row.inDate
          ? ('movedIn' as const)
          : ('added' as const),
    day: row.inDate ?? today,
    detail: `批量导入（${applySource.rows.import[1]}）`,
  }))
  await logResidencyChanges(
    tx,
    scope,
    entries.filter(entry => inserted.has(entry.residency.id)),
  )
  return enteredDays(rows.filter(row => row.status === 'living' && inserted.has(row.id)))
}

async function updateResidencies(
  tx: Tx,
  { scope }: ResidentImportRequest,
  placed: readonly PlacedLine[],
  results: Map<number, LineResult>,
): Promise<void> {
  const known = placed.flatMap(({ line }) => {
    const existing = line.existing?.residency
    return existing ? [{ line, id: existing.id }] : []
  })
  const rows = known.map(({ line: { row }, id }) => ({
    id,
    values: {
      relation: row.relation,
      isMain: row.isMain,
      isPayer: row.isPayer,
      inDate: row.inDate,
      leaseBegin: row.leaseBegin,
      leaseEnd: row.leaseEnd,
    },
  }))
  const isCurrent = sql`t.status in ${codes(residencyStatus, 'pending', 'living')}`
  const changed = await updateIdentified(tx, residency, scope, rows, isCurrent)
  for (const { line, id } of known) {
    if (changed.has(id)) {
      results.set(line.line, { outcome: 'changed', message: '已覆盖' })
    }
  }
}

/**
 * Writes new people, changed ones, their residencies, and what their rooms show: statements over sets. A
 * person of several lines is written once.
 */
export async function writeImportRows(
  tx: Tx,
  request: ResidentImportRequest,
  mode: string,
  ready: readonly ReadyLine<ResidentSheetRow, ExistingResident>[],
  roomOf: (row: ImportRow) => SheetRoom | undefined,
): Promise<ReadonlyMap<number, LineResult>> {
  const { scope, today } = request
  const overwrites = mode === 'update'
  const results = new Map<number, LineResult>()
  const roomIds = [...new Set(ready.flatMap(line => roomOf(line.row)?.id ?? []))]
  const payersBefore = await lockRooms(tx, scope.ownerId, roomIds)
  const people = await insertPeople(tx, request, ready, results)
  if (overwrites) {
    await updatePeople(tx, request, ready, results)
  }
  const placed = ready.flatMap((line): PlacedLine[] => {
    const room = roomOf(line.row)
    const person = people.get(line.line)
    return room && person ? [{ line, room, person }] : []
  })
  const entered = await insertResidencies(tx, request, placed, overwrites, results)
  if (overwrites) {
    await updateResidencies(tx, request, placed, results)
  }
  await syncRoomOccupancy(tx, scope, roomIds, { today, ...entered, dateField: 'InDate', reason: '批量导入' })
  reportReplacedPayers(placed, payersBefore, await lockRooms(tx, scope.ownerId, roomIds), results)
  return results
}

import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { defineImport, type LineFault, type WrittenLine } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { park, type Park } from '../contract/park.ts'
import { parkPlaces, type ParkPlace } from '../contract/park-place.ts'
import { importPlaces } from '../contract/import-export.ts'
import { placeDateFault } from '../domain/place-state.ts'
import {
  placeKey,
  type PlaceFile,
  type PlaceSheetRow,
  type SheetReferences,
  type SheetRow,
} from './place-import-file.ts'
import { completeStateChanges, findPairs, stateChangeFault, stateChangeOf } from './place-import-states.ts'

const parentKeyOf = ({ parkId, parentPlaceNo }: SheetRow): readonly unknown[] => [parkId, parentPlaceNo]

const findParks = (
  db: Db,
  ownerId: Id,
  project: string,
  lock: boolean,
): Promise<Pick<Park, 'id' | 'name' | 'code'>[]> =>
  db.rows(sql`
    select id, name, code
    from park
    where owner_id = ${ownerId} and project_code = ${project} and ${notDeleted()} ${lock ? sql`for share` : sql``}
  `)

async function findRoomCodes(
  db: Db,
  scope: Scope,
  projectCode: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const codes = new Map<string, Set<string>>()
  if (!names.length) return codes
  const where = [sql`(t.path = any(${[...names]}) or t.code = any(${[...names]}))`]
  const options = { where, keys: ['code', 'path'], limit: 40_000 }
  for (const { code, path } of await findAll(db, room, scope, { projectCode }, options)) {
    for (const name of [path, defined(code)]) {
      codes.set(name, (codes.get(name) ?? new Set()).add(defined(code)))
    }
  }
  return codes
}

function stateFaults(row: SheetRow, existing: ParkPlace | undefined, file: PlaceFile): LineFault[] {
  const faults: LineFault[] = []
  const dates = placeDateFault({ ...existing, ...row })
  if (dates) {
    faults.push({ column: 'endDate', message: dates, remedy: '核对起止日期' })
  }
  const change = file.request.mode === 'update' && existing ? stateChangeOf(row, existing) : undefined
  const fault = change && stateChangeFault(row, change, file)
  return fault ? [...faults, { column: 'placeState', ...fault }] : faults
}

/** The parent is there or in the file, and is nobody's child (C10.1). */
function parentFaults(row: SheetRow, file: PlaceFile): LineFault[] {
  const { placeNo, parentPlaceNo } = row
  if (parentPlaceNo === undefined) return []
  const fault = (message: string, remedy: string): LineFault[] => [
    { column: 'parentPlaceNo', message, remedy },
  ]
  if (parentPlaceNo === placeNo) return fault('车位不能是自己的母车位', '改填另一个车位号，或不填')
  const inFile = file.firstLineBy(placeKey, parentKeyOf(row))?.row
  const existing = file.existingBy(placeKey, parentKeyOf(row))
  if (!inFile && !existing)
    return fault(`该停车场没有车位「${parentPlaceNo}」`, '先新增母车位，或把它也写进表中')
  return inFile?.parentPlaceNo || existing?.parentPlaceId
    ? fault(`「${parentPlaceNo}」自己就是子车位`, '改填母车位')
    : []
}

/** Parents by number, once all of the file are there. */
async function linkParentPlaces(
  tx: Tx,
  ownerId: Id,
  written: readonly WrittenLine<PlaceSheetRow, ParkPlace>[],
): Promise<void> {
  const pairs = written.flatMap(({ lines }) =>
    lines.flatMap(({ row }) =>
      row.parentPlaceNo ? [{ park: row.parkId, child: row.placeNo, parent: row.parentPlaceNo }] : [],
    ),
  )
  if (!pairs.length) return
  await tx.execute(sql`
    update park_place c
    set parent_place_id = p.id
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r(park bigint, child text, parent text)
    join park_place p on p.owner_id = ${ownerId}
      and p.park_id = r.park
      and p.place_no = r.parent
      and ${notDeleted('p')}
    where c.owner_id = ${ownerId}
      and c.park_id = r.park
      and c.place_no = r.child
      and ${notDeleted('c')}
      and c.parent_place_id is distinct from p.id
  `)
}

export const placeImport = defineImport(parkPlaces, importPlaces, {
  match: [placeKey],
  unique: ['code'],
  lockExisting: true,
  alsoFind: row => (row.parentPlaceNo ? [{ parkId: row.parkId, placeNo: row.parentPlaceNo }] : []),
  templateOptions: async (db, { scope, extraInput }) => ({
    parkId: (await findAll(db, park, scope, extraInput)).map(p => p.name),
  }),
  load: async (db, { scope, extraInput: { projectCode } }, lock, lines): Promise<SheetReferences> => {
    const roomNames = [...new Set(lines.flatMap(l => l.referenceNames.roomCode ?? []))]
    return {
      parks: await findParks(db, scope.ownerId, projectCode, lock),
      roomCodes: await findRoomCodes(db, scope, projectCode, roomNames),
      pairs: await findPairs(db, scope.ownerId, projectCode),
    }
  },
  references: {
    parkId: (name, { parks }) => parks.filter(p => p.name === name || p.code === name).map(p => p.id),
    roomCode: (name, { roomCodes }) => [...(roomCodes.get(name) ?? [])],
  },
  rules: (row, existing, file) => [...stateFaults(row, existing, file), ...parentFaults(row, file)],
  values: ({ parentPlaceNo: _parentPlaceNo, ...row }) => ({
    ...row,
    sortKey: naturalSortKey(row.placeNo ?? ''),
  }),
  afterWrite: async (tx, { added, existing }, { request }) => {
    const overwritten = request.mode === 'update' ? existing : []
    await completeStateChanges(tx, request.scope, overwritten, request.today)
    await linkParentPlaces(tx, request.scope.ownerId, [...added, ...overwritten])
  },
  texts: { duplicate: '未导入：车位号或车位编码与其他车位重复' },
})

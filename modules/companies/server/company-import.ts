import type { Id } from '#kit/domain/id.ts'
import type { SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { defined } from '#kit/domain/defined.ts'
import { defineImport, type ImportFile, type LineFault, type WrittenLine } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { LineResult } from '#kit/server/sheet-import.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import {
  openSheetPlaces,
  sheetPlaceFaults,
  sheetPlaceOptions,
  type SheetPlaces,
} from '#modules/rooms/server/public.ts'
import { companies, company, companyState, type Company } from '../contract/company.ts'
import { importCompanies } from '../contract/import-export.ts'
import { staysOverlap, stayText, type RoomStay } from '../domain/room-stay.ts'
import { assignRooms, findRoomHoldings } from './company-room.ts'

type SheetRow = SheetLineOf<typeof importCompanies>
type CompanyRow = Partial<SheetRow>
type RoomHolding = Awaited<ReturnType<typeof findRoomHoldings>>[number]

/** One line's stay in a room. */
interface SheetStay extends RoomStay {
  readonly room: Id
  readonly company: string
}

interface CompanyPlaces {
  readonly places: SheetPlaces
}

interface CompanyStays {
  /** Who has the rooms of the lines already, by room. */
  readonly holdings: ReadonlyMap<Id, readonly RoomHolding[]>
  readonly stays: readonly SheetStay[]
}

type PlacedFile = ImportFile<SheetRow, Company, CompanyPlaces>
type CompanyFile = ImportFile<SheetRow, Company, CompanyPlaces & CompanyStays>

const roomKeys: readonly string[] = ['buildCode', 'unitName', 'roomNo', 'beginDate', 'endDate']

const stayOf = (row: CompanyRow, { request }: Pick<CompanyFile, 'request'>): RoomStay => ({
  beginDate: row.beginDate ?? row.inDate ?? request.today,
  ...(row.endDate ? { endDate: row.endDate } : {}),
})

async function loadStays(db: Db, file: PlacedFile): Promise<CompanyStays> {
  const { data, lines, request } = file
  await data.places.loadRooms(lines.map(l => l.row))
  const placed = lines.flatMap(({ row }) => {
    const room = data.places.roomOf(row)
    return room ? [{ row, room }] : []
  })
  const rooms = [...new Set(placed.map(p => p.room.id))]
  const ever = rooms.map(roomId => ({ roomId, beginDate: '1900-01-01' as const }))
  const holdings = rooms.length ? await findRoomHoldings(db, request.scope, ever) : []
  return {
    holdings: Map.groupBy(holdings, h => h.roomId),
    stays: placed.map(({ row, room }) => ({ room: room.id, company: row.name ?? '', ...stayOf(row, file) })),
  }
}

function stayFaults(row: CompanyRow, file: CompanyFile): LineFault[] {
  const { places, holdings, stays } = file.data
  const faults: LineFault[] = []
  const stay = stayOf(row, file)
  if (stay.endDate && stay.endDate < stay.beginDate) {
    faults.push({ column: 'endDate', message: '租用止不能早于租用起', remedy: '核对起止日期' })
  }
  const room = places.roomOf(row)
  if (!room) return faults
  const other = holdings.get(room.id)?.find(h => h.companyName !== row.name && staysOverlap(h, stay))
  if (other) {
    faults.push({
      column: 'roomNo',
      message: `房间「${room.path}」${stayText(other)} 属于「${other.companyName}」`,
      remedy: '调整起止日期，或先办理迁出',
    })
  }
  const overlappingStay = stays.find(
    s => s.room === room.id && s.company !== row.name && staysOverlap(s, stay),
  )
  if (overlappingStay) {
    faults.push({
      column: 'roomNo',
      message: `表中「${overlappingStay.company}」同时租用该房间`,
      remedy: '调整起止日期，或删除一行',
    })
  }
  return faults
}

/** Gives each company the rooms of its lines that it has not got. */
async function assignSheetRooms(
  tx: Tx,
  written: readonly WrittenLine<SheetRow, Company>[],
  file: CompanyFile,
  results: Map<number, LineResult>,
): Promise<void> {
  const { scope, today } = file.request
  const ids = written.map(w => w.id)
  const rows = new Map((await findByIds(tx, company, scope, ids, { lock: true })).map(c => [c.id, c]))
  const holdings = await tx.rows<{ companyId: Id; roomId: Id }>(sql`
    select company_id, room_id
    from company_room
    where owner_id = ${scope.ownerId}
      and company_id = any(${ids})
      and ${notDeleted()}
      and (end_date is null or end_date >= ${today})
  `)
  const holdingsByCompany = Map.groupBy(holdings, h => h.companyId)
  for (const { id, lines, existing } of written) {
    const heldRooms = new Set(holdingsByCompany.get(id)?.map(h => h.roomId))
    const missing = lines.flatMap(({ line, row }) => {
      const room = file.data.places.roomOf(row)
      return room && !heldRooms.has(room.id) ? [{ line, row, room }] : []
    })
    const drafts = missing.map(({ row, room }) => ({ roomId: room.id, ...stayOf(row, file) }))
    await assignRooms(tx, scope, defined(rows.get(id)), drafts, today)
    for (const { line } of existing ? missing : []) {
      results.set(line, { outcome: 'added', message: '已有此企业，已添加房间' })
    }
  }
}

export const companyImport = defineImport(companies, importCompanies, {
  match: ['name'],
  matchWhere: { name: sql`t.state <> ${code(companyState, 'movedOut')}` },
  unique: ['companyNo'],
  templateOptions: sheetPlaceOptions,
  load: async (db, { scope, extraInput }, lock): Promise<CompanyPlaces> => ({
    places: await openSheetPlaces(db, scope, extraInput.projectCode, lock),
  }),
  references: { buildCode: (name, { places }) => places.buildingsNamed(name) },
  prepare: loadStays,
  rules: (row, _, file) => [
    ...sheetPlaceFaults(file.data.places, row, '房间', '补全，或都不填只登记企业'),
    ...stayFaults(row, file),
  ],
  isSkipped: ({ row, existing }, { request, data }) =>
    existing !== undefined && request.mode === 'skip' && data.places.roomOf(row) === undefined,
  values: row => ({
    ...Object.fromEntries(Object.entries(row).filter(([key]) => !roomKeys.includes(key))),
    ...(row.creditCode ? { creditCode: row.creditCode.toUpperCase() } : {}),
  }),
  groupBy: row => row.name ?? '',
  afterWrite: (tx, { added, existing }, file, results) =>
    assignSheetRooms(tx, [...added, ...existing], file, results),
  texts: { duplicate: '企业编号或名称刚刚被他人登记，请重新导入这一行', unchanged: undefined },
})

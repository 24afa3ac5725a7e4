import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineImport, type ImportFile, type LineFault, type WrittenLine } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { LineResult } from '#kit/server/sheet-import.ts'
import { code, live } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import {
  openSheetPlaces,
  sheetPlaceFaults,
  sheetPlaceOptions,
  type SheetPlaces,
} from '#modules/rooms/server/public.ts'
import { companies, company, companyState, type Company } from '../contract/company.ts'
import { importCompanies } from '../contract/import-export.ts'
import { assignRooms, findRoomHoldings } from './company-room.ts'

type SheetRow = NonNullable<typeof importCompanies.schema.T>
type CompanyRow = Partial<SheetRow>
type RoomHolding = Awaited<ReturnType<typeof findRoomHoldings>>[number]

/** One line's stay in a room. */
interface RoomStay {
  readonly room: number
  readonly from: Day
  readonly to: Day
  readonly company: string
}

interface CompanySheet {
  readonly places: SheetPlaces
  /** Who has the rooms of the lines already, by room. */
  holdings: ReadonlyMap<number, readonly RoomHolding[]>
  stays: readonly RoomStay[]
}

type CompanyFile = ImportFile<SheetRow, Company, CompanySheet>

const endless: Day = '9999-12-31'
const roomKeys: readonly string[] = ['buildCode', 'unitName', 'roomNo', 'beginDate', 'endDate']

const stayFrom = (row: CompanyRow, { ask }: CompanyFile): Day => row.beginDate ?? row.inDate ?? ask.today

async function loadRooms(db: Db, file: CompanyFile): Promise<void> {
  const { data, lines, ask } = file
  await data.places.loadRooms(lines.map(l => l.row))
  const placed = lines.flatMap(({ row }) => {
    const room = data.places.roomOf(row)
    return room ? [{ row, room }] : []
  })
  const rooms = placed.map(p => p.room.id)
  const held = rooms.length ? await findRoomHoldings(db, ask.scope, rooms, '1900-01-01', undefined, 0) : []
  data.holdings = Map.groupBy(held, h => h.roomId)
  data.stays = placed.map(({ row, room }) => ({
    room: room.id,
    from: stayFrom(row, file),
    to: row.endDate ?? endless,
    company: row.name ?? '',
  }))
}

function codeFaults(row: CompanyRow, there: Company | undefined, file: CompanyFile): LineFault[] {
  const { companyNo } = row
  if (!companyNo) return []
  const fault = (says: string, remedy: string): LineFault[] => [{ column: 'companyNo', says, remedy }]
  const coded = file.existingBy('companyNo', companyNo)
  if (coded && coded.name !== row.name)
    return fault(`公司编号已用于「${coded.name}」`, '换一个编号，或留空自动生成')
  const first = file.lines.find(l => l.row.companyNo === companyNo && l.row.name)?.row.name
  if (first !== row.name) return fault(`表里另一家企业「${first}」用了这个编号`, '每家企业用不同的编号')
  if (there && companyNo !== there.companyNo)
    return fault(`该企业的编号是「${there.companyNo}」，不能修改`, '改回原来的编号，或留空')
  return []
}

function stayFaults(row: CompanyRow, file: CompanyFile): LineFault[] {
  const { places, holdings, stays } = file.data
  const faults: LineFault[] = []
  const from = stayFrom(row, file)
  const to = row.endDate ?? endless
  if (row.endDate && row.endDate < from) {
    faults.push({ column: 'endDate', says: '租用止不能早于租用起', remedy: '核对起止日期' })
  }
  const room = places.roomOf(row)
  if (!room) return faults
  const other = holdings
    .get(room.id)
    ?.find(h => h.companyName !== row.name && h.beginDate <= to && (h.endDate ?? endless) >= from)
  if (other) {
    faults.push({
      column: 'roomNo',
      says: `房间「${room.path}」${other.beginDate} 至 ${other.endDate ?? '今'} 属于「${other.companyName}」`,
      remedy: '调整起止日期，或先办理迁出',
    })
  }
  const twin = stays.find(s => s.room === room.id && s.company !== row.name && s.from <= to && s.to >= from)
  if (twin) {
    faults.push({
      column: 'roomNo',
      says: `表里「${twin.company}」同时租用这个房间`,
      remedy: '调整起止日期，或删去一行',
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
  const { scope, today } = file.ask
  const ids = written.map(w => w.id)
  const rows = new Map((await findByIds(tx, company, scope, ids, true)).map(c => [c.id, c]))
  const held = await tx.rows<{ companyId: number; roomId: number }>(sql`
    select company_id, room_id
    from company_room
    where owner_id = ${scope.ownerId}
      and company_id = any(${ids})
      and ${live()}
      and (end_date is null or end_date >= ${today})
  `)
  const heldBy = Map.groupBy(held, h => h.companyId)
  for (const { id, lines, existing } of written) {
    const has = new Set(heldBy.get(id)?.map(h => h.roomId))
    const wanted = lines.flatMap(({ line, row }) => {
      const room = file.data.places.roomOf(row)
      return room && !has.has(room.id) ? [{ line, row, room }] : []
    })
    const drafts = wanted.map(({ row, room }) => ({
      roomId: room.id,
      beginDate: stayFrom(row, file),
      ...(row.endDate ? { endDate: row.endDate } : {}),
    }))
    await assignRooms(tx, scope, defined(rows.get(id)), drafts, today)
    for (const { line } of existing ? wanted : []) {
      results.set(line, { did: 'added', says: '已有此企业，已添加房间' })
    }
  }
}

export const companyImport = defineImport(companies, importCompanies, {
  match: ['name'],
  matchWhere: { name: sql`t.state <> ${code(companyState, 'gone')}` },
  unique: ['companyNo'],
  templateOptions: sheetPlaceOptions,
  load: async (db, { scope, more }, lock): Promise<CompanySheet> => ({
    places: await openSheetPlaces(db, scope, more.projectCode, lock),
    holdings: new Map(),
    stays: [],
  }),
  references: { buildCode: (name, { places }) => places.buildingsNamed(name) },
  prepare: loadRooms,
  rules: (row, there, file) => [
    ...codeFaults(row, there, file),
    ...sheetPlaceFaults(file.data.places, row, '房间', '补全，或都留空只登记企业'),
    ...stayFaults(row, file),
  ],
  values: row => ({
    ...Object.fromEntries(Object.entries(row).filter(([key]) => !roomKeys.includes(key))),
    ...(row.creditCode ? { creditCode: row.creditCode.toUpperCase() } : {}),
  }),
  groupBy: row => row.name ?? '',
  afterWrite: (tx, { added, existing }, file, results) =>
    assignSheetRooms(tx, [...added, ...existing], file, results),
  texts: { duplicate: '公司编号或名称刚刚被别人登记，请重新导入这一行', unchanged: undefined },
})

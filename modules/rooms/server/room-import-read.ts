import type { Id } from '#kit/domain/id.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { ImportRequest } from '#kit/server/sheet-import.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { keyText } from '#kit/server/table.ts'
import type { BuildingWithUnits } from '#modules/estates/server/public.ts'
import type { RoomSheetRow } from '../contract/import-export.ts'
import type { RoomAreas } from '../contract/room-change.ts'
import { room as roomEntity, type Room } from '../contract/room.ts'
import type { AreaChange } from '../domain/room-areas.ts'
import { floorOfRoomNo, shortUnitName } from '../domain/room-numbering.ts'
import { findAreaChanges } from './room-areas.ts'

export type ImportRow = Partial<RoomSheetRow>
export type RoomImportRequest = ImportRequest<{ projectCode: string }>
export type Buildings = ReadonlyMap<string, BuildingWithUnits>

/** Rooms are recognized by building, unit and number (BASE-1). */
export const naturalKey = ['buildCode', 'unitName', 'roomNo'] as const

type PositionedRow = Pick<ImportRow, (typeof naturalKey)[number]>

export const roomKeyOf = (row: PositionedRow): string => keyText(row, naturalKey)

type FoundRoom = RoomAreas &
  Pick<
    Room,
    | 'id'
    | 'projectCode'
    | 'code'
    | 'buildCode'
    | 'unitName'
    | 'roomNo'
    | 'floorNum'
    | 'roomState'
    | 'deliverDate'
    | 'decorateBegin'
    | 'checkinDate'
    | 'state'
  >

/** A room that a line is about, with its area changes where the import may add some. */
export interface ExistingRoom extends FoundRoom {
  readonly areaChanges: readonly AreaChange[]
}

/** The floor of a new room: what its line says, or what its number begins with. */
export const floorOfRow = ({ floorNum, roomNo }: ImportRow): number | undefined =>
  floorNum ?? (roomNo === undefined ? undefined : floorOfRoomNo(roomNo))

/** The unit of a line, by its name or its short name: 1 is 1单元. */
export function findUnit(buildings: Buildings, { buildCode, unitName = '' }: ImportRow) {
  const units = buildings.get(buildCode ?? '')?.units ?? []
  return (
    units.find(unit => unit.name === unitName) ??
    units.find(unit => shortUnitName(unit.name) === shortUnitName(unitName))
  )
}

const existingColumns = sql.raw(
  [
    'id',
    'project_code',
    'code',
    'build_code',
    'unit_name',
    'room_no',
    'floor_num',
    'room_state',
    'deliver_date',
    'decorate_begin',
    'checkin_date',
    'build_area',
    'inner_area',
    'share_area',
    'charge_area',
    'fee_ratio',
    'state',
  ]
    .map(column => `t.${column}`)
    .join(', '),
)

interface RoomKey {
  readonly buildCode: string
  readonly unitName: string
  readonly roomNo: string
}

/** The natural key of a line, where it is complete. */
export const completeKeyOf = ({ buildCode, unitName, roomNo }: ImportRow): RoomKey | undefined =>
  buildCode && unitName && roomNo ? { buildCode, unitName, roomNo } : undefined

/** The room number that a line asks for in the mode of renumbering. */
export const newKeyOf = (row: ImportRow): RoomKey | undefined => {
  const key = completeKeyOf(row)
  return key && row.newRoomNo ? { ...key, roomNo: row.newRoomNo } : undefined
}

/** Rooms under these keys or codes, in one round trip; locked where they will be changed. */
async function findRooms(
  db: Db,
  { scope, extraInput }: RoomImportRequest,
  keys: readonly RoomKey[],
  codes: readonly string[],
  lock: boolean,
): Promise<FoundRoom[]> {
  const inProject = sql`t.owner_id = ${scope.ownerId}
    and t.project_code = ${extraInput.projectCode}
    and ${notDeleted('t')}`
  const orderAndLock = lock ? sql`order by t.id for update of t` : sql``
  const [byKey, byCode] = await db.all<[Record<string, unknown>, Record<string, unknown>]>(
    sql`
      select ${existingColumns}
      from room t
      join (
        select distinct *
        from unnest(
          ${keys.map(k => k.buildCode)}::text[], ${keys.map(k => k.unitName)}::text[],
          ${keys.map(k => k.roomNo)}::text[]
        ) as k(build_code, unit_name, room_no)
      ) k on t.build_code = k.build_code
        and t.unit_name = k.unit_name
        and t.room_no = k.room_no
      where ${inProject} ${orderAndLock}
    `,
    sql`
      select ${existingColumns}
      from room t
      where ${inProject} and t.code = any(${[...codes]}) ${orderAndLock}
    `,
  )
  return [...byKey, ...byCode].map(row => toEntityRow(roomEntity, row))
}

/** The rooms that are there for the lines of a file. */
export interface ExistingRooms {
  readonly byKey: ReadonlyMap<string, ExistingRoom>
  readonly byCode: ReadonlyMap<string, ExistingRoom>
}

export async function findExistingRooms(
  db: Db,
  request: RoomImportRequest,
  lines: readonly SheetLine<ImportRow>[],
  lock: boolean,
): Promise<ExistingRooms> {
  const { mode, scope } = request
  const keys = lines
    .flatMap(({ row }) => [completeKeyOf(row) ?? [], (mode === 'renumber' ? newKeyOf(row) : undefined) ?? []])
    .flat()
  const codes = lines.flatMap(({ row }) => row.code ?? [])
  const found = await findRooms(db, request, keys, codes, lock && mode !== 'skip')
  const ids = found.map(room => room.id)
  const changes = overwrites(mode)
    ? await findAreaChanges(db, scope.ownerId, ids)
    : new Map<Id, AreaChange[]>()
  const rooms = found.map((room): ExistingRoom => ({ ...room, areaChanges: changes.get(room.id) ?? [] }))
  return {
    byKey: new Map(rooms.map(room => [roomKeyOf(room), room])),
    byCode: new Map(rooms.flatMap(room => (room.code ? [[room.code, room] as const] : []))),
  }
}

/** Modes that write over rooms that are there. */
export const overwrites = (mode: string): boolean => mode === 'replace' || mode === 'append'

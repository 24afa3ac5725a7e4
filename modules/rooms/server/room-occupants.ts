import { defineEvent } from '#kit/server/event.ts'
import { hasAddressNumber } from '#kit/domain/address.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { orBuildingName } from '#kit/server/table.ts'
import { assertEffectiveDates } from './back-dating.ts'
import { logRoomChanges, type RoomChangeEntry } from './room-areas.ts'
import { room as roomEntity, type Room } from '../contract/room.ts'
import { payerKind } from '../contract/labels.ts'
import type { Day } from '#kit/domain/day.ts'
import { shortBuildingName, shortUnitName } from '../domain/room-numbering.ts'
import { roomKeywordCondition } from './room-list.ts'

/** The people of a room as its record shows them; what is left out is empty. */
export interface RoomOccupants {
  readonly roomId: Id
  readonly mainOwnerId?: Id | undefined
  readonly mainOwnerName?: string | undefined
  readonly payerId?: Id | undefined
  readonly payerName?: string | undefined
  readonly payerKind?: keyof typeof payerKind.rows | undefined
  readonly people: number
}

type OccupantsBefore = Pick<
  Room,
  | 'id'
  | 'code'
  | 'projectCode'
  | 'mainOwnerId'
  | 'mainOwnerName'
  | 'payerId'
  | 'payerName'
  | 'companyId'
  | 'companyName'
>

const lockRooms = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<OccupantsBefore[]> =>
  tx.rows<OccupantsBefore>(
    sql`
      select id, code, project_code, main_owner_id, main_owner_name, payer_id, payer_name, company_id,
        company_name
      from room
      where owner_id = ${ownerId} and id = any(${[...ids]}) and ${notDeleted()}
      order by id
      for update
    `,
  )

/** From which day on rooms have other people, and why. */
export interface OccupantChangeOptions {
  readonly today: Day
  /** The day that was entered, by room; today where none was (C27-7). */
  readonly effectiveDates?: ReadonlyMap<Id, Day> | undefined
  /** The wire name of the field that the day was entered in. */
  readonly dateField?: string | undefined
  readonly reason?: string | undefined
}

/** The log entries of another main owner or payer. */
function occupantChanges(
  room: OccupantsBefore,
  update: RoomOccupants,
  { today, effectiveDates, reason }: OccupantChangeOptions,
): RoomChangeEntry[] {
  const shared = { room, effectiveDate: effectiveDates?.get(room.id) ?? today, reason, applied: true }
  const mainOwner: RoomChangeEntry = {
    ...shared,
    item: 'mainOwner',
    oldValue: room.mainOwnerName,
    newValue: update.mainOwnerName,
  }
  const payer: RoomChangeEntry = {
    ...shared,
    item: 'payer',
    oldValue: room.payerName,
    newValue: update.payerName,
    oldRef: room.payerId,
    newRef: update.payerId,
  }
  return [
    ...(room.mainOwnerId === update.mainOwnerId ? [] : [mainOwner]),
    ...(room.payerId === update.payerId ? [] : [payer]),
  ]
}

/**
 * Writes main owner, payer and number of people of rooms, in one statement; another owner or payer is logged.
 */
export async function updateRoomOccupants(
  tx: Tx,
  scope: Scope,
  updates: readonly RoomOccupants[],
  options: OccupantChangeOptions,
): Promise<void> {
  if (!updates.length) return
  const roomIds = updates.map(update => update.roomId)
  const before = new Map((await lockRooms(tx, scope.ownerId, roomIds)).map(room => [room.id, room]))
  const changes = updates.flatMap(update => {
    const room = before.get(update.roomId)
    return room ? occupantChanges(room, update, options) : []
  })
  await assertEffectiveDates(
    tx,
    scope.ownerId,
    changes
      .filter(change => change.item === 'payer' && change.oldRef !== undefined)
      .map(change => ({ project: change.room.projectCode, day: change.effectiveDate })),
    options.today,
    options.dateField ?? 'EffectiveDate',
  )
  const rows = updates.map(update => ({
    ...update,
    payerKind: update.payerKind && codeOf(payerKind, update.payerKind),
  }))
  await tx.execute(sql`
    update room t
    set main_owner_id = r."mainOwnerId", main_owner_name = r."mainOwnerName", payer_id = r."payerId",
      payer_name = r."payerName", payer_kind = r."payerKind", people = r.people
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      "roomId" bigint, "mainOwnerId" bigint, "mainOwnerName" text, "payerId" bigint, "payerName" text,
      "payerKind" smallint, people int
    )
    where t.owner_id = ${scope.ownerId} and t.id = r."roomId"
  `)
  await logRoomChanges(tx, scope, changes, options.today)
}

export interface RoomCompany {
  readonly roomId: Id
  readonly companyId?: Id | undefined
  readonly companyName?: string | undefined
  /** From which day on; today where it is missing. */
  readonly since?: Day | undefined
}

/** A company was renamed: its rooms show the new name. */
export async function renameRoomCompany(tx: Tx, ownerId: Id, companyId: Id, name: string): Promise<void> {
  await tx.execute(sql`
    update room
    set company_name = ${name}
    where owner_id = ${ownerId} and company_id = ${companyId}
  `)
}

/** Writes the company of rooms, or none. */
export async function updateRoomCompany(
  tx: Tx,
  scope: Scope,
  updates: readonly RoomCompany[],
  options: { readonly today: Day; readonly reason?: string | undefined },
): Promise<void> {
  if (!updates.length) return
  const before = await lockRooms(
    tx,
    scope.ownerId,
    updates.map(update => update.roomId),
  )
  const companyByRoom = new Map(updates.map(update => [update.roomId, update]))
  await tx.execute(
    sql`
      update room t
      set company_id = r."companyId", company_name = r."companyName"
      from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as r(
        "roomId" bigint, "companyId" bigint, "companyName" text
      )
      where t.owner_id = ${scope.ownerId} and t.id = r."roomId"
    `,
  )
  await logRoomChanges(
    tx,
    scope,
    before
      .filter(r => r.companyId !== companyByRoom.get(r.id)?.companyId)
      .map(room => ({
        room,
        item: 'company' as const,
        oldValue: room.companyName,
        newValue: companyByRoom.get(room.id)?.companyName,
        effectiveDate: companyByRoom.get(room.id)?.since ?? options.today,
        reason: options.reason,
        applied: true,
      })),
    options.today,
  )
}

/**
 * Rooms `t` that somebody means by a path or a number (`3-2-1502`, `321502`, `1502`), or by the name of their
 * building. Names are sought among the few buildings: a text of one or two letters, most often a person's,
 * would be compared with every room.
 */
const roomsByKeyword = (ownerId: Id, keyword: string): RawBuilder<unknown> => {
  const isMeant = hasAddressNumber(keyword)
    ? roomKeywordCondition(ownerId, keyword)
    : orBuildingName(roomEntity, ownerId, keyword, () => sql`false`)
  return sql`from room t where t.owner_id = ${ownerId} and ${notDeleted('t')} and ${isMeant}`
}

/** Their ids, as a set for `in`. */
export const roomIdsByKeyword = (ownerId: Id, keyword: string): RawBuilder<unknown> =>
  sql`select t.id ${roomsByKeyword(ownerId, keyword)}`

/** Their projects and codes, likewise. */
export const roomCodesByKeyword = (ownerId: Id, keyword: string): RawBuilder<unknown> =>
  sql`select t.project_code, t.code ${roomsByKeyword(ownerId, keyword)}`

export interface SheetRoom {
  readonly id: Id
  readonly buildCode: string
  readonly unitName: string
  readonly roomNo: string
  readonly code: string
  readonly path: string
  readonly roomState: number
  readonly state: number
}

/**
 * All rooms that lines of a sheet mean by building, unit and number, by a key of the three; units by their
 * short name too (1单元 is 1).
 */
export async function loadSheetRooms(
  db: Db,
  ownerId: Id,
  project: string,
  buildings: readonly string[],
): Promise<(building: string, unit: string, no: string) => SheetRoom | undefined> {
  const found = await db.rows<SheetRoom>(
    sql`
      select id, build_code, unit_name, room_no, code, path, room_state, state
      from room
      where owner_id = ${ownerId}
        and project_code = ${project}
        and build_code = any(${[...buildings]})
        and ${notDeleted()}
    `,
  )
  const key = (building: string, unit: string, roomNo: string): string =>
    JSON.stringify([building, unit, roomNo.toUpperCase()])
  const exact = new Map(found.map(r => [key(r.buildCode, r.unitName, r.roomNo), r]))
  const short = new Map(found.map(r => [key(r.buildCode, shortUnitName(r.unitName), r.roomNo), r]))
  return (building, unit, roomNo) =>
    exact.get(key(building, unit, roomNo)) ?? short.get(key(building, shortUnitName(unit), roomNo))
}

/** `3 栋` and `3#` are both called 3. */
export { shortBuildingName }

/**
 * In the transaction that puts a room into another building: who keeps the building beside the room
 * follows.
 */
export const [onRoomMoved, publishRoomMoved] =
  defineEvent<[tx: Tx, scope: Scope, room: Pick<Room, 'id' | 'buildCode'>]>()

/**
 * In the transaction in which all rooms of a building are renamed, after the renaming: modules that store
 * their paths update them.
 */
export const [onRoomPathsChanged, publishRoomPathsChanged] =
  defineEvent<[tx: Tx, scope: Scope, building: Pick<Room, 'projectCode' | 'buildCode'>]>()

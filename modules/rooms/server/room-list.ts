import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { isDatabaseUnavailable, sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { omitUnlessPermitted } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/public-area.ts'
import {
  findRooms,
  listRooms,
  room as roomEntity,
  roomFilters,
  type ListedRoom,
  type Room,
} from '../contract/room.ts'
import { roomListFailedCode, roomType } from '../contract/labels.ts'
import { normalizeRoomKeyword } from '../domain/room-keyword.ts'
import { menu } from '../module.ts'

export type RoomListQuery = NonNullable<typeof listRooms.input.T>
const shopCode = codeOf(roomType, 'shop')
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Less than three letters make no trigram: the index would be read whole, so it is kept out. */
export const searchTextContains = (keyword: string): RawBuilder<unknown> =>
  [...keyword].length < 3
    ? sql`strpos(t.search_text, ${keyword}) > 0`
    : sql`t.search_text like ${likePattern(keyword)} escape '\\'`

function sceneConditions(scene: RoomListQuery['sceneType']): RawBuilder<unknown>[] {
  if (scene === 'room') return [sql`t.room_type <> ${shopCode}`]
  if (scene === 'shop') return [sql`t.room_type = ${shopCode}`]
  return scene === 'area' ? [sql`false`] : []
}

/**
 * What a search says beyond the plain filters: scene, exact unit and floor, the keyword as people spell
 * rooms. The same for list and export (EXP-1).
 */
export function roomListFilters(query: RoomListQuery): RawBuilder<unknown>[] {
  return [
    ...sceneConditions(query.sceneType),
    ...(query.unitName === undefined ? [] : [sql`t.unit_name = ${query.unitName}`]),
    ...(query.floorNum === undefined ? [] : [sql`t.floor_num = ${query.floorNum}`]),
    ...(query.codes?.length ? [sql`t.code = any(${[...query.codes]})`] : []),
    ...(query.keyword ? [searchTextContains(normalizeRoomKeyword(query.keyword))] : []),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plainFilters = ({
  keyword: _,
  sceneType: __,
  unitName: ___,
  floorNum: ____,
  codes: _____,
  ...query
}: RoomListQuery) => query

const withKind = (room: Room): ListedRoom => ({ ...room, kind: room.roomType === 'shop' ? 'shop' : 'room' })

const publicAreaAsListed = (area: PublicArea): ListedRoom => ({
  id: area.id,
  projectCode: area.projectCode,
  code: area.code,
  path: area.name,
  roomNo: area.name,
  buildCode: area.buildCode,
  buildName: area.buildName,
  estateName: area.estateName,
  buildArea: area.area,
  remark: area.remark,
  createTime: area.createTime,
  updateTime: area.updateTime,
  version: area.version,
  kind: 'area',
})

/** A unit, a floor or a fact that areas do not have leaves them out. */
const isRoomsOnly = (query: RoomListQuery): boolean =>
  query.unitName !== undefined ||
  query.floorNum !== undefined ||
  roomFilters.some(
    k =>
      k !== 'buildCode' &&
      Object.keys(query).some(
        x =>
          (x === k || x === `${k}From` || x === `${k}To`) &&
          (query as Record<string, unknown>)[x] !== undefined,
      ),
  )

const occupantKeys = [
  'mainOwnerId',
  'mainOwnerName',
  'payerId',
  'payerName',
  'payerKind',
  'companyId',
  'companyName',
] as const

async function findListed(db: Db, scope: Scope, query: RoomListQuery) {
  const found = await findPage(db, roomEntity, scope, plainFilters(query), {
    filters: roomFilters,
    where: roomListFilters(query),
    sums: defined(listRooms.output.sums),
  })
  // Pickers of every screen ask the list: who owns and pays is for those who may see rooms.
  const rows = omitUnlessPermitted(scope, menu.room.permissions.view, found.rows.map(withKind), occupantKeys)
  const rooms = { total: found.total, rows, sum: defined(found.sum) }
  if ((query.sceneType !== 'roomShopArea' && query.sceneType !== 'area') || isRoomsOnly(query)) return rooms
  // Areas come after all rooms; there are few of them, so those before the page are read and left.
  const size = Math.min(query.size ?? 10, 2000)
  const skip = Math.max(0, ((query.page ?? 1) - 1) * size - found.total)
  const remaining = size - rooms.rows.length
  const areaQuery = {
    ...(query.projectCode ? { projectCode: query.projectCode } : {}),
    ...(query.keyword ? { keyword: query.keyword } : {}),
    ...(query.buildCode ? { buildCode: query.buildCode } : {}),
  }
  const conditions = query.codes?.length ? [sql`t.code = any(${[...query.codes]})`] : []
  const { total } = await findPage(
    db,
    publicArea,
    scope,
    { ...areaQuery, size: 1 },
    { filters: ['buildCode'], where: conditions },
  )
  const areas =
    remaining > 0
      ? (
          await findAll(db, publicArea, scope, areaQuery, {
            filters: ['buildCode'],
            where: conditions,
            limit: skip + remaining,
          })
        ).slice(skip)
      : []
  return {
    total: found.total + total,
    rows: [...rooms.rows, ...areas.map(publicAreaAsListed)],
    sum: rooms.sum,
  }
}

/** PostgreSQL could not read a value: its class 22. */
const isUnreadableInput = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')

/**
 * A room list that fails answers Code 0 without the cause ([S]). Refusals and unreadable input stay what they
 * are, a database that is away or busy is HTTP 503 as everywhere, and a caller who has gone gets nothing.
 */
async function refuseOnFailure<T>(app: App, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isPassedOn =
      error instanceof Refused ||
      isUnreadableInput(error) ||
      isDatabaseUnavailable(error) ||
      (error instanceof Error && error.name === 'AbortError')
    if (isPassedOn) throw error
    app.log.error({ err: error }, 'room list failed')
    throw new Refused(roomListFailedCode, '请求失败，请稍后重试')
  }
}

export const listHandlers = [
  reads(listRooms, (query, { db, scope, app }) => refuseOnFailure(app, () => findListed(db, scope, query))),
  reads(
    findRooms,
    async ({ keyword, sceneType, projectCode }, { db, scope, app }) =>
      (
        await refuseOnFailure(app, () =>
          findListed(db, scope, {
            keyword,
            size: 200,
            ...(sceneType ? { sceneType } : {}),
            ...(projectCode ? { projectCode } : {}),
          }),
        )
      ).rows,
  ),
]

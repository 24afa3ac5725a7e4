import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/public-area.ts'
import { findRooms, listRooms, room, roomFilters, type ListedRoom, type Room } from '../contract/room.ts'
import { roomListFailedCode, roomType } from '../contract/labels.ts'
import { normalizeRoomKeyword } from '../domain/room-keyword.ts'

export type RoomListQuery = NonNullable<typeof listRooms.input.T>
const shopCode = codeOf(roomType, 'shop')
const likePattern = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Less than three letters make no trigram: the index would be read whole, so it is kept out. */
export const searchTextContains = (word: string): RawBuilder<any> =>
  [...word].length < 3
    ? sql`strpos(t.search_text, ${word}) > 0`
    : sql`t.search_text like ${likePattern(word)} escape '\\'`

/**
 * What a search says beyond the plain filters: scene, exact unit and floor, the keyword as people spell
 * rooms. The same for list and export (EXP-1).
 */
export function roomListFilters(q: RoomListQuery): RawBuilder<any>[] {
  return [
    ...(q.sceneType === 'room'
      ? [sql`t.room_type <> ${shopCode}`]
      : q.sceneType === 'shop'
        ? [sql`t.room_type = ${shopCode}`]
        : q.sceneType === 'area'
          ? [sql`false`]
          : []),
    ...(q.unitName === undefined ? [] : [sql`t.unit_name = ${q.unitName}`]),
    ...(q.floorNum === undefined ? [] : [sql`t.floor_num = ${q.floorNum}`]),
    ...(q.codes?.length ? [sql`t.code = any(${[...q.codes]})`] : []),
    ...(q.keyword ? [searchTextContains(normalizeRoomKeyword(q.keyword))] : []),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plainFilters = ({
  keyword: _,
  sceneType: __,
  unitName: ___,
  floorNum: ____,
  codes: _____,
  ...q
}: RoomListQuery) => q

const withKind = (r: Room): ListedRoom => ({ ...r, kind: r.roomType === 'shop' ? 'shop' : 'room' })

const publicAreaAsListed = (a: PublicArea): ListedRoom => ({
  id: a.id,
  projectCode: a.projectCode,
  code: a.code,
  path: a.name,
  roomNo: a.name,
  buildCode: a.buildCode,
  buildName: a.buildName,
  estateName: a.estateName,
  buildArea: a.area,
  remark: a.remark,
  createTime: a.createTime,
  updateTime: a.updateTime,
  version: a.version,
  kind: 'area',
})

/** A unit, a floor or a fact that areas do not have leaves them out. */
const isRoomsOnly = (q: RoomListQuery): boolean =>
  q.unitName !== undefined ||
  q.floorNum !== undefined ||
  roomFilters.some(
    k =>
      k !== 'buildCode' &&
      Object.keys(q).some(
        x =>
          (x === k || x === `${k}From` || x === `${k}To`) && (q as Record<string, unknown>)[x] !== undefined,
      ),
  )

async function findListed(db: Db, scope: Scope, q: RoomListQuery) {
  const found = await findPage(db, room, scope, plainFilters(q), {
    filters: roomFilters,
    where: roomListFilters(q),
    sums: defined(listRooms.output.sums),
  })
  const first = { total: found.total, rows: found.rows.map(withKind), sum: defined(found.sum) }
  if ((q.sceneType !== 'roomShopArea' && q.sceneType !== 'area') || isRoomsOnly(q)) return first
  // Areas come after all rooms; there are few of them, so those before the page are read and left.
  const size = Math.min(q.size ?? 10, 2000)
  const skip = Math.max(0, ((q.page ?? 1) - 1) * size - found.total)
  const left = size - first.rows.length
  const ask = {
    ...(q.projectCode ? { projectCode: q.projectCode } : {}),
    ...(q.keyword ? { keyword: q.keyword } : {}),
    ...(q.buildCode ? { buildCode: q.buildCode } : {}),
  }
  const where = q.codes?.length ? [sql`t.code = any(${[...q.codes]})`] : []
  const { total } = await findPage(
    db,
    publicArea,
    scope,
    { ...ask, size: 1 },
    { filters: ['buildCode'], where },
  )
  const areas =
    left > 0
      ? (
          await findAll(db, publicArea, scope, ask, { filters: ['buildCode'], where, limit: skip + left })
        ).slice(skip)
      : []
  return {
    total: found.total + total,
    rows: [...first.rows, ...areas.map(publicAreaAsListed)],
    sum: first.sum,
  }
}

/**
 * A room list that fails says Code 0 and nothing of the cause ([S]); refusals and unreadable input stay what
 * they are.
 */
async function refuseOnFailure<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (e instanceof Refused || ((e as { code?: string }).code ?? '').startsWith('22')) throw e
    app.log.error({ err: e }, 'room list failed')
    throw new Refused(roomListFailedCode, '请求失败，请稍后重试')
  }
}

export const listHandlers = [
  reads(listRooms, (q, { db, scope, app }) => refuseOnFailure(app, () => findListed(db, scope, q))),
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

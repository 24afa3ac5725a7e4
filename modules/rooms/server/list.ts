import { codeOf } from '#kit/contract/field.ts'
import { Refused, code } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { page, rows } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/area.ts'
import { findRooms, listRooms, room, roomFilters, type ListedRoom, type Room } from '../contract/room.ts'
import { roomType } from '../contract/words.ts'
import { keywordOf } from '../domain/keyword.ts'

export type Ask = NonNullable<typeof listRooms.input.T>
const shop = codeOf(roomType, 'shop')
const like = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Less than three letters make no trigram: the index would be read whole, so it is kept out. */
export const contains = (word: string): RawBuilder<any> =>
  [...word].length < 3
    ? sql`strpos(t.search_text, ${word}) > 0`
    : sql`t.search_text like ${like(word)} escape '\\'`

/**
 * What a search says beyond the plain filters: scene, exact unit and floor, the keyword as people spell
 * rooms. The same for list and export (EXP-1).
 */
export function roomWhere(q: Ask): RawBuilder<any>[] {
  return [
    ...(q.sceneType === 'room'
      ? [sql`t.room_type <> ${shop}`]
      : q.sceneType === 'shop'
        ? [sql`t.room_type = ${shop}`]
        : q.sceneType === 'area'
          ? [sql`false`]
          : []),
    ...(q.unitName === undefined ? [] : [sql`t.unit_name = ${q.unitName}`]),
    ...(q.floorNum === undefined ? [] : [sql`t.floor_num = ${q.floorNum}`]),
    ...(q.codes?.length ? [sql`t.code = any(${[...q.codes]})`] : []),
    ...(q.keyword ? [contains(keywordOf(q.keyword))] : []),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plain = ({
  keyword: _,
  sceneType: __,
  unitName: ___,
  floorNum: ____,
  codes: _____,
  ...q
}: Ask) => q

const marked = (r: Room): ListedRoom => ({ ...r, kind: r.roomType === 'shop' ? 'shop' : 'room' })

const asListed = (a: PublicArea): ListedRoom =>
  ({
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
  }) as ListedRoom

/** A unit, a floor or a fact that areas do not have leaves them out. */
const onlyRooms = (q: Ask): boolean =>
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

async function listed(db: Db, scope: Scope, q: Ask) {
  const found = await page(db, room, scope, plain(q), {
    filters: roomFilters,
    where: roomWhere(q),
    sums: listRooms.output.sums!,
  })
  const first = { total: found.total, rows: found.rows.map(marked), sum: found.sum! }
  if ((q.sceneType !== 'roomShopArea' && q.sceneType !== 'area') || onlyRooms(q)) return first
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
  const { total } = await page(db, publicArea, scope, { ...ask, size: 1 }, { filters: ['buildCode'], where })
  const areas =
    left > 0
      ? (await rows(db, publicArea, scope, ask, { filters: ['buildCode'], where, limit: skip + left })).slice(
          skip,
        )
      : []
  return { total: found.total + total, rows: [...first.rows, ...areas.map(asListed)], sum: first.sum }
}

/**
 * A room list that fails says Code 0 and nothing of the cause ([S]); refusals and unreadable input stay what
 * they are.
 */
async function orZero<T>(world: World, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (e instanceof Refused || /^22/.test((e as { code?: string }).code ?? '')) throw e
    world.log.error({ err: e }, 'room list failed')
    throw new Refused(code.roomList, '请求失败，请稍后重试')
  }
}

export const listHandlers = [
  reads(listRooms, (q, { db, scope, world }) => orZero(world, () => listed(db, scope, q))),
  reads(
    findRooms,
    async ({ keyword, sceneType, projectCode }, { db, scope, world }) =>
      (
        await orZero(world, () =>
          listed(db, scope, {
            keyword,
            size: 200,
            ...(sceneType ? { sceneType } : {}),
            ...(projectCode ? { projectCode } : {}),
          }),
        )
      ).rows,
  ),
]

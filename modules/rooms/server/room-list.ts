import { containsPattern } from '#kit/server/like-pattern.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addressPattern, addressReadings, normalizeKeyword, type Address } from '#kit/domain/address.ts'
import { rankSearch } from '#kit/domain/search-rank.ts'
import { Refused } from '#kit/contract/wire.ts'
import { isDatabaseUnavailable, sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { PartQuery } from '#kit/contract/list-parts.ts'
import { reads } from '#kit/server/handler.ts'
import { omitUnlessPermitted } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { searchLevelSql } from '#kit/server/search-rank.ts'
import { findPage, findAll, orInNamedProject, tenantFilter } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/public-area.ts'
import {
  findRooms,
  listRooms,
  room as roomEntity,
  roomFilters,
  roomSearch,
  type ListedRoom,
  type Room,
} from '../contract/room.ts'
import { roomListFailedCode, roomType } from '../contract/labels.ts'
import { menu } from '../module.ts'

export type RoomListQuery = NonNullable<typeof roomSearch.T>
const shopCode = codeOf(roomType, 'shop')

/** Less than three letters make no trigram: the index would be read whole, so it is kept out. */
const searchTextContains = (text: string): RawBuilder<unknown> =>
  [...text].length < 3
    ? sql`strpos(t.search_text, ${text}) > 0`
    : sql`t.search_text like ${containsPattern(text)} escape '\\'`

function addressCondition(address: Address, typed: string): RawBuilder<unknown> {
  const pattern = addressPattern(address)
  if (pattern === undefined) return searchTextContains(address.parts[0]?.texts[0] ?? typed)
  const hasTrigram = address.parts.some(({ texts }) => texts.every(text => [...text].length >= 3))
  const byAddress = hasTrigram ? sql`t.search_text ~ ${pattern}` : sql`(t.search_text || '') ~ ${pattern}`
  return /^[\d\s-]+$/.test(typed) ? byAddress : sql`(${byAddress} or ${searchTextContains(typed)})`
}

/**
 * Rooms `t` that somebody means by a number, a path or its parts in their order (`1502`, `321502`,
 * `12 1501`, `商业街101`), by the name of a building, or by the sign of a shop; behind the name of their
 * project, too.
 */
export const roomKeywordCondition = (ownerId: Id, keyword: string): RawBuilder<unknown> =>
  orInNamedProject(roomEntity, ownerId, keyword, text => {
    const typed = normalizeKeyword(text)
    const conditions = addressReadings(text).map(address => addressCondition(address, typed))
    return sql`(${sql.join(conditions, sql` or `)})`
  })

function sceneConditions(scene: RoomListQuery['sceneType']): RawBuilder<unknown>[] {
  if (scene === 'room') return [sql`t.room_type <> ${shopCode}`]
  if (scene === 'shop') return [sql`t.room_type = ${shopCode}`]
  return scene === 'area' ? [sql`false`] : []
}

/**
 * What a search says beyond the plain filters: scene, exact unit and floor, the keyword as people spell
 * rooms. The same for list and export (EXP-1).
 */
export function roomListFilters(ownerId: Id, query: RoomListQuery): RawBuilder<unknown>[] {
  return [
    ...sceneConditions(query.sceneType),
    ...(query.unitName === undefined ? [] : [sql`t.unit_name = ${query.unitName}`]),
    ...(query.floorNum === undefined ? [] : [sql`t.floor_num = ${query.floorNum}`]),
    ...(query.codes?.length ? [sql`t.code = any(${[...query.codes]})`] : []),
    ...(query.keyword ? [roomKeywordCondition(ownerId, query.keyword)] : []),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plainFilters = ({
  keyword: _keyword,
  sceneType: _sceneType,
  unitName: _unitName,
  floorNum: _floorNum,
  codes: _codes,
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
    key =>
      key !== 'buildCode' &&
      Object.keys(query).some(
        x =>
          (x === key || x === `${key}From` || x === `${key}To`) &&
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

async function findListed(db: Db, scope: Scope, query: RoomListQuery & PartQuery, ids?: readonly Id[]) {
  const hasAreas = (query.sceneType === 'roomShopArea' || query.sceneType === 'area') && !isRoomsOnly(query)
  // The areas follow the rooms, which must be counted for it.
  const part = hasAreas ? undefined : query.part
  const found = await findPage(
    db,
    roomEntity,
    scope,
    { ...plainFilters(query), part },
    {
      filters: roomFilters,
      where: [...roomListFilters(scope.ownerId, query), ...(ids ? [sql`t.id = any(${[...ids]})`] : [])],
      sums: defined(listRooms.output.sums),
    },
  )
  // Pickers of every screen ask the list: who owns and pays is for those who may see rooms.
  const rows = omitUnlessPermitted(scope, menu.room.permissions.view, found.rows.map(withKind), occupantKeys)
  const rooms = { ...found, rows }
  if (!hasAreas) return rooms
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
    ...rooms,
    total: found.total + total,
    rows: [...rooms.rows, ...areas.map(publicAreaAsListed)],
  }
}

interface RoomCandidate {
  readonly id: Id
  readonly path: string
  readonly brand?: string
  readonly building: string
  readonly sortKey: string
}

const maxCandidates = 1000
const maxFound = 200

/** The best rooms for a keyword, the best first (BILL-11); areas after them. */
async function findRankedRooms(
  db: Db,
  scope: Scope,
  { keyword, sceneType, projectCode, size = maxFound }: NonNullable<typeof findRooms.input.T>,
): Promise<readonly ListedRoom[]> {
  const query: RoomListQuery = {
    keyword,
    size,
    ...(sceneType ? { sceneType } : {}),
    ...(projectCode ? { projectCode } : {}),
  }
  const level = searchLevelSql(keyword, [{ column: sql`t.path`, isPath: true }, { column: sql`t.brand` }])
  const candidates = await db.rows<RoomCandidate>(sql`
    with found as (
      select t.id, t.path, t.brand, t.project_code || ' ' || t.build_code as building, t.sort_key,
        ${level} as level
      from room t
      where ${tenantFilter(roomEntity, scope, projectCode)}
        and ${sql.join(roomListFilters(scope.ownerId, query), sql` and `)}
    )
    select f.*
    from (
      select found.*, row_number() over (partition by level, building order by sort_key) as turn
      from found
    ) f
    order by f.level, f.turn, f.sort_key
    limit ${sql.lit(maxCandidates)}
  `)
  const best = rankSearch(
    keyword,
    candidates.map(({ id, path, brand = '', building, sortKey }) => ({
      id,
      group: building,
      sortKey,
      fields: [
        { label: '房号', text: path, isPath: true },
        { label: '招牌', text: brand },
      ],
    })),
    size,
  ).map(({ candidate }) => candidate.id)
  const { rows } = await findListed(db, scope, query, best)
  const place = new Map(best.map((id, index) => [id, index]))
  const placeOf = (row: ListedRoom): number =>
    row.kind === 'area' ? best.length : (place.get(row.id ?? 0) ?? best.length)
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** PostgreSQL could not read a value: its class 22. */
const isUnreadableInput = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')

/**
 * A room list that fails returns Code 0 without the cause ([S]). Refusals and unreadable input stay what they
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
  reads(findRooms, (input, { db, scope, app }) =>
    refuseOnFailure(app, () => findRankedRooms(db, scope, input)),
  ),
]

import { canNamePlaces, splitAddressAndName } from '#kit/domain/address.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { codes, notDeleted, flagFilter } from '#kit/server/sql.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import type { listResidents } from '../contract/resident.ts'
import { normalizeCertNo } from '../domain/person.ts'
import { residentDomainFilter, residencyDomainFilter } from './resident-access.ts'

type Sql = RawBuilder<unknown>
export type ResidentListQuery = NonNullable<typeof listResidents.input.T>

const joinConditions = (conditions: readonly Sql[]): Sql => sql.join(conditions, sql` and `)

/** Residencies that count where none is asked for: those that run, or wait for an audit. */
export const currentStatus = (): Sql => sql`l.status in ${codes(residencyStatus, 'pending', 'living')}`

/** People of a name in the rooms of an address: `8-2-903 覃`. */
const idsByAddressAndName = (ownerId: Id, keyword: string): Sql => {
  const typed = splitAddressAndName(keyword)
  return typed
    ? sql`
      union all
      select p.id
      from user_room l
      join resident p on p.owner_id = ${ownerId} and p.id = l.user_id and ${notDeleted('p')}
      where l.owner_id = ${ownerId}
        and ${notDeleted('l')}
        and ${currentStatus()}
        and l.room_id in (${roomIdsByKeyword(ownerId, typed.address)})
        and ${matchesSearchText(typed.name, 'p')}`
    : sql``
}

/** Ids of people by name, pinyin, initials or telephone, and by their room or its building. */
export const residentIdsByKeyword = (ownerId: Id, keyword: string): Sql => {
  const byPerson = sql`
    select p.id
    from resident p
    where p.owner_id = ${ownerId} and ${notDeleted('p')} and ${matchesSearchText(keyword, 'p')}`
  return canNamePlaces(keyword)
    ? sql`${byPerson}
      union all
      select l.user_id
      from user_room l
      where l.owner_id = ${ownerId}
        and ${notDeleted('l')}
        and ${currentStatus()}
        and l.room_id in (${roomIdsByKeyword(ownerId, keyword)})
      ${idsByAddressAndName(ownerId, keyword)}`
    : byPerson
}

/** The same as a condition on `t`. Sets of ids, so that every index can be used. */
export const keywordFilter = (ownerId: Id, keyword: string): Sql =>
  canNamePlaces(keyword)
    ? sql`t.id = any(array(${residentIdsByKeyword(ownerId, keyword)}))`
    : matchesSearchText(keyword)

const maxHits = 5000

/**
 * The ids that the search texts find in the data domain and the project, where they are few: asked once for
 * the page and its total. The planner takes any text to be in a hundredth of the names and would walk the
 * company in the order of the list.
 */
export async function findHits(
  db: Db,
  scope: Scope,
  query: Pick<ResidentListQuery, 'keyword' | 'name' | 'mobile' | 'projectCode' | 'userIds'>,
): Promise<readonly Id[] | undefined> {
  const { ownerId } = scope
  const text = query.keyword || query.name || query.mobile
  if (!text) return undefined
  const candidates = query.keyword
    ? residentIdsByKeyword(ownerId, text)
    : sql`
      select p.id
      from resident p
      where p.owner_id = ${ownerId} and ${notDeleted('p')} and ${matchesSearchText(text, 'p')}
    `
  const hits = await db.rows<{ id: Id }>(
    sql`with hits as materialized (${candidates}) select id from hits limit ${maxHits + 1}`,
  )
  if (hits.length > maxHits) return undefined
  const ids = [...new Set(hits.map(hit => hit.id))]
  const inDomain = residentDomainFilter(scope, query.userIds?.length ? undefined : query.projectCode, ids)
  // Rooms know of deleted people.
  if (!inDomain.length && !canNamePlaces(text)) return ids
  const conditions = [sql`t.owner_id = ${ownerId}`, notDeleted('t'), sql`t.id = any(${ids})`, ...inDomain]
  const visible = await db.rows<{ id: Id }>(
    sql`select t.id from resident t where ${joinConditions(conditions)}`,
  )
  return visible.map(row => row.id)
}

/** Conditions on a home `l` that the query names, besides its status. */
const namedHomeConditions = (
  { ownerId }: Scope,
  { buildCode, roomId, roomCode, relation: relations, isMain, movedIn }: ResidentListQuery,
): Sql[] => [
  ...(buildCode === undefined ? [] : [sql`l.build_code = ${buildCode}`]),
  ...(roomId === undefined ? [] : [sql`l.room_id = ${roomId}`]),
  ...(roomCode === undefined
    ? []
    : [
        sql`l.room_id in (
          select r.id
          from room r
          where r.owner_id = ${ownerId} and r.code = ${roomCode} and ${notDeleted('r')}
        )`,
      ]),
  ...(relations?.length ? [sql`l.relation = any(${relations.map(r => codeOf(relation, r))})`] : []),
  ...(isMain === undefined ? [] : [sql`l.is_main = ${isMain}`]),
  ...flagFilter(movedIn, sql`l.in_date is not null`),
]

/** People with a home as the query asks for, or nothing where it asks for none. */
function homeConditions(scope: Scope, query: ResidentListQuery, hits: readonly Id[] | undefined): Sql[] {
  const named = namedHomeConditions(scope, query)
  const { status, projectCode } = query
  if (!named.length && !status?.length) return []
  const conditions = [
    ...(hits ? [sql`l.user_id = any(${hits})`] : []),
    sql`l.owner_id = ${scope.ownerId}`,
    notDeleted('l'),
    ...(projectCode ? [sql`l.project_code = ${projectCode}`] : []),
    ...residencyDomainFilter(scope.domain, 'l'),
    ...named,
    status?.length ? sql`l.status = any(${status.map(s => codeOf(residencyStatus, s))})` : currentStatus(),
  ]
  return [sql`t.id = any(array(select l.user_id from user_room l where ${joinConditions(conditions)}))`]
}

const blockCondition = ({ ownerId }: Scope, isBlock: boolean, today: Day): Sql =>
  sql`${isBlock ? sql`` : sql`not`} exists (
    select 1
    from user_blocklist b
    where b.owner_id = ${ownerId}
      and b.user_id = t.id
      and ${notDeleted('b')}
      and (b.expire_date is null or b.expire_date >= ${today})
  )`

const withoutHomeCondition = ({ ownerId }: Scope): Sql =>
  sql`not exists (
    select 1
    from user_room l
    where l.owner_id = ${ownerId} and l.user_id = t.id and ${notDeleted('l')} and ${currentStatus()}
  )`

/**
 * The conditions beyond a person's own fields, the same for the list and the export (EXP-1). `hits`: the ids
 * that the keyword finds, where that is known.
 */
export function residentListFilters(
  scope: Scope,
  query: ResidentListQuery,
  today: Day,
  hits?: readonly Id[],
): Sql[] {
  const { name, mobile, certNo, isBlock, withoutHome, tag, userIds, keyword, projectCode } = query
  const byHome = homeConditions(scope, query, hits)
  // Who has a home in the data domain belongs to it; hits are narrowed to it already.
  const byDomain =
    byHome.length || hits ? [] : residentDomainFilter(scope, userIds?.length ? undefined : projectCode)
  return [
    ...byHome,
    ...byDomain,
    ...(hits ? [sql`t.id = any(${hits})`] : []),
    ...(userIds?.length ? [sql`t.id = any(${userIds.map(parseId)})`] : []),
    ...(keyword && !hits ? [keywordFilter(scope.ownerId, keyword)] : []),
    ...(name === undefined ? [] : [matchesSearchText(name)]),
    ...(mobile === undefined ? [] : [matchesSearchText(mobile)]),
    // Whole numbers only: a part would let somebody guess a masked number digit by digit.
    ...(certNo === undefined ? [] : [sql`t.cert_no = ${normalizeCertNo(certNo)}`]),
    ...(isBlock === undefined ? [] : [blockCondition(scope, isBlock, today)]),
    ...flagFilter(withoutHome, withoutHomeCondition(scope)),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ]
}

/** The part of a query that `findPage` reads itself. */
export const plainFilters = ({
  keyword: _keyword,
  projectCode: _projectCode,
  name: _name,
  mobile: _mobile,
  certNo: _certNo,
  buildCode: _buildCode,
  roomId: _roomId,
  roomCode: _roomCode,
  relation: _relation,
  status: _status,
  isMain: _isMain,
  movedIn: _movedIn,
  isBlock: _isBlock,
  withoutHome: _withoutHome,
  tag: _tag,
  userIds: _userIds,
  ...plain
}: ResidentListQuery) => plain

/** Whether a query has one search text, at most a project beside it, and the default order. */
export function isTextOnly({
  keyword,
  name,
  mobile,
  projectCode: _projectCode,
  page: _page,
  size: _size,
  part: _part,
  order,
  ...others
}: ResidentListQuery): boolean {
  return (
    [keyword, name, mobile].filter(Boolean).length === 1 &&
    (order === undefined || order === '-id') &&
    Object.values(others).every(value => value === undefined || (Array.isArray(value) && !value.length))
  )
}

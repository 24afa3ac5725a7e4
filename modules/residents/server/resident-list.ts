import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf, type Day } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { mask, maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import { live, code } from '#kit/server/sql.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import {
  listResidents,
  getResident,
  resident,
  residentFilters,
  findMatchingResidents,
  type Home,
  type Resident,
} from '../contract/resident.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { residencyStatus, relation, residentState } from '../contract/labels.ts'
import { normalizeCertNo } from '../domain/person.ts'
import {
  residentDomainFilter,
  residencyDomainFilter,
  livingCode,
  requireResident,
  pendingCode,
} from './resident-access.ts'

type Sql = RawBuilder<any>
export type ResidentListQuery = NonNullable<typeof listResidents.input.T>
const joinConditions = (parts: readonly Sql[]): Sql => sql.join(parts, sql` and `)

/**
 * A person by name, pinyin, initials or telephone; with a digit in it also by his room. Sets of ids, so that
 * every index serves.
 */
export const keywordFilter = (owner: number, word: string): Sql =>
  /\d/.test(word) ? sql`t.id = any(array(${keywordMatches(owner, word)}))` : matchesSearchText(word)

const keywordMatches = (owner: number, word: string): Sql =>
  sql`
    select p.id
    from resident p
    where p.owner_id = ${owner}
      and ${live('p')}
      and ${matchesSearchText(word, 'p')}${
        /\d/.test(word)
          ? sql` union all
        select l.user_id
        from user_room l
        where l.owner_id = ${owner}
          and ${live('l')}
          and l.status in (${pendingCode}, ${livingCode})
          and l.room_id in (${roomIdsByKeyword(owner, word)})`
          : sql``
      }
  `

const maxHits = 5000

/**
 * Whom the words of a search find in the data domain and the project, asked once for the page and its total,
 * where they are few. The planner takes any word to be in a hundredth of the names and would walk the company
 * in the order of the list.
 */
async function findHits(
  db: Db,
  scope: Scope,
  q: Pick<ResidentListQuery, 'keyword' | 'name' | 'mobile' | 'projectCode' | 'userIds'>,
): Promise<readonly number[] | undefined> {
  const word = q.keyword || q.name || q.mobile
  if (!word) return undefined
  const hits = await db.rows<{ id: number }>(
    sql`with hits as materialized (${
      q.keyword
        ? keywordMatches(scope.ownerId, word)
        : sql`
      select p.id
      from resident p
      where p.owner_id = ${scope.ownerId} and ${live('p')} and ${matchesSearchText(word, 'p')}
    `
    }) select id from hits limit ${maxHits + 1}`,
  )
  if (hits.length > maxHits) return undefined
  const ids = [...new Set(hits.map(h => h.id))]
  const mine = residentDomainFilter(scope, q.userIds?.length ? undefined : q.projectCode, ids)
  // Rooms know of people who are no more.
  return mine.length || /\d/.test(word)
    ? (
        await db.rows<{ id: number }>(
          sql`
            select t.id
            from resident t
            where ${joinConditions([sql`t.owner_id = ${scope.ownerId}`, sql`${live('t')}`, sql`t.id = any(${ids})`, ...mine])}
          `,
        )
      ).map(r => r.id)
    : ids
}

/**
 * What a search says beyond a person's own facts. The same for list and export (EXP-1). `hits`: whom its
 * keyword finds, where that is known.
 */
export function residentListFilters(
  scope: Scope,
  q: ResidentListQuery,
  today: Day,
  hits?: readonly number[],
): Sql[] {
  const {
    name,
    mobile,
    buildCode,
    roomId,
    roomCode,
    relation: relations,
    status,
    isMain,
    isBlock,
    homeless,
    tag,
    userIds,
  } = q
  const home: Sql[] = [
    ...(buildCode === undefined ? [] : [sql`l.build_code = ${buildCode}`]),
    ...(roomId === undefined ? [] : [sql`l.room_id = ${roomId}`]),
    ...(roomCode === undefined
      ? []
      : [
          sql`l.room_id in (
            select r.id
            from room r
            where r.owner_id = ${scope.ownerId} and r.code = ${roomCode} and ${live('r')}
          )`,
        ]),
    ...(relations?.length ? [sql`l.relation = any(${relations.map(r => codeOf(relation, r))})`] : []),
    ...(isMain === undefined ? [] : [sql`l.is_main = ${isMain}`]),
  ]
  const of = [
    sql`l.owner_id = ${scope.ownerId}`,
    sql`${live('l')}`,
    ...(q.projectCode ? [sql`l.project_code = ${q.projectCode}`] : []),
    ...residencyDomainFilter(scope.domain, 'l'),
  ]
  const such = joinConditions([
    ...of,
    ...home,
    status?.length
      ? sql`l.status = any(${status.map(s => codeOf(residencyStatus, s))})`
      : sql`l.status in (${pendingCode}, ${livingCode})`,
  ])
  const wantHome =
    home.length > 0 || status?.length
      ? [
          sql`t.id = any(array(select l.user_id from user_room l where ${
            hits
              ? sql`l.user_id = any(${hits})
            and `
              : sql``
          }${such}))`,
        ]
      : []
  return [
    // Who has such a home belongs there.
    ...(wantHome.length
      ? wantHome
      : hits
        ? []
        : residentDomainFilter(scope, userIds?.length ? undefined : q.projectCode)),
    ...(hits ? [sql`t.id = any(${hits})`] : []),
    ...(userIds?.length ? [sql`t.id = any(${userIds.map(Number).filter(Number.isSafeInteger)})`] : []),
    ...(q.keyword && !hits ? [keywordFilter(scope.ownerId, q.keyword)] : []),
    ...(name === undefined ? [] : [matchesSearchText(name)]),
    ...(mobile === undefined ? [] : [matchesSearchText(mobile)]),
    ...(isBlock === undefined
      ? []
      : [
          sql`${isBlock ? sql`` : sql`not`} exists (
            select 1
            from user_blocklist b
            where b.owner_id = t.owner_id
              and b.user_id = t.id
              and ${live('b')}
              and (b.expire_date is null or b.expire_date >= ${today})
          )`,
        ]),
    ...(homeless
      ? [
          sql`not exists (
            select 1
            from user_room l
            where l.owner_id = t.owner_id
              and l.user_id = t.id
              and ${live('l')}
              and l.status in (${pendingCode}, ${livingCode})
          )`,
        ]
      : []),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plainFilters = ({
  keyword: _,
  projectCode: _p,
  name: _n,
  mobile: _m,
  buildCode: _b,
  roomId: _r,
  roomCode: _c,
  relation: _l,
  status: _s,
  isMain: _i,
  isBlock: _k,
  homeless: _h,
  tag: _t,
  userIds: _u,
  ...q
}: ResidentListQuery) => q

interface HomeRow {
  userId: number
  linkId: number
  projectCode: string
  roomId: number
  roomCode: string
  roomPath: string
  relation: number
  status: number
  isMain: boolean
  isPayer: boolean
}

/**
 * What stands beside people in lists: their homes in the caller's data domain and whether they are blocked;
 * phones as the caller may see them.
 */
export async function presentResidents(
  db: Db,
  scope: Scope,
  list: readonly Resident[],
  today: Day,
): Promise<readonly Resident[]> {
  return list.length
    ? attachListExtras(
        scope,
        list,
        await loadListExtras(
          db,
          scope,
          list.map(r => r.id),
          today,
        ),
      )
    : list
}

type ListExtras = readonly [homes: HomeRow[], blocks: { userId: number }[]]

const loadListExtras = (db: Db, scope: Scope, ids: readonly number[], today: Day): Promise<ListExtras> =>
  db.all<[HomeRow, { userId: number }]>(
    sql`
      select l.user_id, l.id as link_id, l.project_code, l.room_id, r.code as room_code,
        r.path as room_path, l.relation, l.status, l.is_main, l.is_payer
      from user_room l
      join room r on r.owner_id = l.owner_id and r.id = l.room_id
      where ${joinConditions([sql`l.owner_id = ${scope.ownerId}`, sql`l.user_id = any(${ids})`, sql`${live('l')}`, sql`l.status in (${pendingCode}, ${livingCode})`, ...residencyDomainFilter(scope.domain, 'l')])}
      order by l.user_id, r.sort_key
    `,
    sql`
      select distinct b.user_id
      from user_blocklist b
      where b.owner_id = ${scope.ownerId}
        and b.user_id = any(${ids})
        and ${live('b')}
        and (b.expire_date is null or b.expire_date >= ${today})
    `,
  )

function attachListExtras(
  scope: Scope,
  list: readonly Resident[],
  [homes, blocks]: ListExtras,
): readonly Resident[] {
  const of = Map.groupBy(homes, h => h.userId)
  const blocked = new Set(blocks.map(b => b.userId))
  const shown = (h: HomeRow): Home => {
    const { userId: _, ...x } = h
    return {
      ...x,
      relation: defined(keyOf(relation, h.relation)),
      status: defined(keyOf(residencyStatus, h.status)),
    }
  }
  return maskRows(
    resident.fields,
    list.map(r => ({ ...r, homes: (of.get(r.id) ?? []).map(shown), isBlock: blocked.has(r.id) })),
    scope,
  )
}

/** One person as answers say him. */
export const presentResident = async (db: Db, scope: Scope, r: Resident, today: Day): Promise<Resident> =>
  defined((await presentResidents(db, scope, [r], today))[0])

/** Who is there already under a mobile or a document, among the living (BASE-13). */
export async function findSameResidents(
  db: Db,
  scope: Scope,
  of: {
    readonly id?: number | undefined
    readonly mobile?: string | undefined
    readonly certNo?: string | undefined
  },
): Promise<Resident[]> {
  const cert = of.certNo && normalizeCertNo(of.certNo)
  if (!of.mobile && !cert) return []
  return findAll(
    db,
    resident,
    scope,
    {},
    {
      where: [
        sql`t.state = ${code(residentState, 'normal')}`,
        sql`t.id <> ${of.id ?? 0}`,
        sql`(
          ${sql.join([...(of.mobile ? [sql`t.mobile = ${of.mobile}`] : []), ...(cert ? [sql`t.cert_no = ${cert}`] : [])], sql` or `)}
        )`,
      ],
      limit: 10,
    },
  )
}

/** Nothing but a word and a project is asked, in the order of the list. */
function isKeywordOnly({
  keyword: word,
  name,
  mobile,
  projectCode: _p,
  page: _n,
  size: _s,
  order,
  ...more
}: ResidentListQuery): boolean {
  return (
    [word, name, mobile].filter(Boolean).length === 1 &&
    (order === undefined || order === '-id') &&
    Object.values(more).every(v => v === undefined || (Array.isArray(v) && !v.length))
  )
}

export const listHandlers = [
  reads(listResidents, async (q, { db, scope, today }) => {
    const hits = await findHits(db, scope, q)
    if (hits && isKeywordOnly(q)) {
      // The ids are the whole answer: only this page of them is fetched, with its homes at the same time.
      const size = Math.min(q.size ?? 10, 2000)
      const at = ((q.page ?? 1) - 1) * size
      const here = hits.toSorted((a, b) => b - a).slice(at, at + size)
      if (!here.length) return { total: hits.length, rows: [] }
      const [list, kit] = await Promise.all([
        findAll(db, resident, scope, { order: '-id' }, { where: [sql`t.id = any(${here})`] }),
        loadListExtras(db, scope, here, today),
      ])
      return { total: hits.length, rows: attachListExtras(scope, list, kit) }
    }
    const found = await findPage(db, resident, scope, plainFilters(q), {
      filters: residentFilters,
      where: residentListFilters(scope, q, today, hits),
    })
    return { ...found, rows: await presentResidents(db, scope, found.rows, today) }
  }),
  reads(getResident, async ({ id }, { db, scope, today }) =>
    presentResident(db, scope, await requireResident(db, scope, id), today),
  ),
  reads(searchResidentOptions, async ({ keyword: word, projectCode, size }, { db, scope, today }) => {
    const hits = word
      ? await findHits(db, scope, { keyword: word, ...(projectCode ? { projectCode } : {}) })
      : undefined
    const sought = hits ? [sql`t.id = any(${hits})`] : word ? [keywordFilter(scope.ownerId, word)] : []
    return presentResidents(
      db,
      scope,
      await findAll(
        db,
        resident,
        scope,
        {},
        {
          where: [
            sql`t.state = ${code(residentState, 'normal')}`,
            ...(hits ? [] : residentDomainFilter(scope, projectCode)),
            ...sought,
          ],
          limit: size ?? 50,
        },
      ),
      today,
    )
  }),
  reads(findMatchingResidents, async (of, { db, scope, today }) =>
    (await presentResidents(db, scope, await findSameResidents(db, scope, of), today)).map(r =>
      mask(resident.fields, r, scope),
    ),
  ),
]

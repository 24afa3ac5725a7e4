import { codeOf, keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { veil, veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { page, rows } from '#kit/server/table.ts'
import { roomsCalled } from '#modules/rooms/server/public.ts'
import {
  listResidents,
  oneResident,
  resident,
  residentFilters,
  sameResidents,
  type Home,
  type Resident,
} from '../contract/resident.ts'
import { pickResidents } from '../contract/care.ts'
import { linkStatus, relation } from '../contract/words.ts'
import { certOf } from '../domain/person.ts'
import { belongs, homeIn, living, needResident, pending } from './visible.ts'

type Sql = RawBuilder<any>
export type Ask = NonNullable<typeof listResidents.input.T>
const both = (parts: readonly Sql[]): Sql => sql.join(parts, sql` and `)

/**
 * A person by name, pinyin, initials or telephone; with a digit in it also by his room. Sets of ids, so that
 * every index serves.
 */
export const keyword = (owner: number, word: string): Sql =>
  /\d/.test(word) ? sql`t.id = any(array(${called(owner, word)}))` : soughtBy(word)

const called = (owner: number, word: string): Sql =>
  sql`
    select p.id
    from resident p
    where p.owner_id = ${owner}
      and p.delete_tag = 0
      and ${soughtBy(word, 'p')}${
        /\d/.test(word)
          ? sql` union all
        select l.user_id
        from user_room l
        where l.owner_id = ${owner}
          and l.delete_tag = 0
          and l.status in (${pending}, ${living})
          and l.room_id in (${roomsCalled(owner, word)})`
          : sql``
      }
  `

const few = 5000

/**
 * Whom the words of a search find in the data domain and the project, asked once for the page and its total,
 * where they are few. The planner takes any word to be in a hundredth of the names and would walk the company
 * in the order of the list.
 */
async function hitsOf(
  db: Db,
  scope: Scope,
  q: Pick<Ask, 'keyword' | 'name' | 'mobile' | 'projectCode' | 'userIds'>,
): Promise<readonly number[] | undefined> {
  const word = q.keyword || q.name || q.mobile
  if (!word) return undefined
  const hits = await db.rows<{ id: number }>(
    sql`with hits as materialized (${
      q.keyword
        ? called(scope.ownerId, word)
        : sql`
      select p.id
      from resident p
      where p.owner_id = ${scope.ownerId} and p.delete_tag = 0 and ${soughtBy(word, 'p')}
    `
    }) select id from hits limit ${few + 1}`,
  )
  if (hits.length > few) return undefined
  const ids = [...new Set(hits.map(h => h.id))]
  const mine = belongs(scope, q.userIds?.length ? undefined : q.projectCode, ids)
  // Rooms know of people who are no more.
  return mine.length || /\d/.test(word)
    ? (
        await db.rows<{ id: number }>(
          sql`
            select t.id
            from resident t
            where ${both([sql`t.owner_id = ${scope.ownerId}`, sql`t.delete_tag = 0`, sql`t.id = any(${ids})`, ...mine])}
          `,
        )
      ).map(r => r.id)
    : ids
}

/**
 * What a search says beyond a person's own facts. The same for list and export (EXP-1). `hits`: whom its
 * keyword finds, where that is known.
 */
export function residentWhere(scope: Scope, q: Ask, today: string, hits?: readonly number[]): Sql[] {
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
            where r.owner_id = ${scope.ownerId} and r.code = ${roomCode} and r.delete_tag = 0
          )`,
        ]),
    ...(relations?.length ? [sql`l.relation = any(${relations.map(r => codeOf(relation, r))})`] : []),
    ...(isMain === undefined ? [] : [sql`l.is_main = ${isMain}`]),
  ]
  const of = [
    sql`l.owner_id = ${scope.ownerId}`,
    sql`l.delete_tag = 0`,
    ...(q.projectCode ? [sql`l.project_code = ${q.projectCode}`] : []),
    ...homeIn(scope.domain, 'l'),
  ]
  const such = both([
    ...of,
    ...home,
    status?.length
      ? sql`l.status = any(${status.map(s => codeOf(linkStatus, s))})`
      : sql`l.status in (${pending}, ${living})`,
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
    ...(wantHome.length ? wantHome : hits ? [] : belongs(scope, userIds?.length ? undefined : q.projectCode)),
    ...(hits ? [sql`t.id = any(${hits})`] : []),
    ...(userIds?.length ? [sql`t.id = any(${userIds.map(Number).filter(Number.isSafeInteger)})`] : []),
    ...(q.keyword && !hits ? [keyword(scope.ownerId, q.keyword)] : []),
    ...(name === undefined ? [] : [soughtBy(name)]),
    ...(mobile === undefined ? [] : [soughtBy(mobile)]),
    ...(isBlock === undefined
      ? []
      : [
          sql`${isBlock ? sql`` : sql`not`} exists (
            select 1
            from user_blocklist b
            where b.owner_id = t.owner_id
              and b.user_id = t.id
              and b.delete_tag = 0
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
              and l.delete_tag = 0
              and l.status in (${pending}, ${living})
          )`,
        ]
      : []),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ]
}

/** The part of a search that `page` and `rows` read themselves. */
export const plain = ({
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
}: Ask) => q

interface Beside {
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
export async function dressed(
  db: Db,
  scope: Scope,
  list: readonly Resident[],
  today: string,
): Promise<readonly Resident[]> {
  return list.length
    ? dress(
        scope,
        list,
        await beside(
          db,
          scope,
          list.map(r => r.id),
          today,
        ),
      )
    : list
}

type Kit = readonly [homes: Beside[], blocks: { userId: number }[]]

const beside = (db: Db, scope: Scope, ids: readonly number[], today: string): Promise<Kit> =>
  db.all<[Beside, { userId: number }]>(
    sql`
      select l.user_id, l.id as link_id, l.project_code, l.room_id, r.code as room_code,
        r.path as room_path, l.relation, l.status, l.is_main, l.is_payer
      from user_room l
      join room r on r.owner_id = l.owner_id and r.id = l.room_id
      where ${both([sql`l.owner_id = ${scope.ownerId}`, sql`l.user_id = any(${ids})`, sql`l.delete_tag = 0`, sql`l.status in (${pending}, ${living})`, ...homeIn(scope.domain, 'l')])}
      order by l.user_id, r.sort_key
    `,
    sql`
      select distinct b.user_id
      from user_blocklist b
      where b.owner_id = ${scope.ownerId}
        and b.user_id = any(${ids})
        and b.delete_tag = 0
        and (b.expire_date is null or b.expire_date >= ${today})
    `,
  )

function dress(scope: Scope, list: readonly Resident[], [homes, blocks]: Kit): readonly Resident[] {
  const of = Map.groupBy(homes, h => h.userId)
  const blocked = new Set(blocks.map(b => b.userId))
  const shown = (h: Beside): Home => {
    const { userId: _, ...x } = h
    return { ...x, relation: keyOf(relation, h.relation)!, status: keyOf(linkStatus, h.status)! }
  }
  return veiled(
    resident.fields,
    list.map(r => ({ ...r, homes: (of.get(r.id) ?? []).map(shown), isBlock: blocked.has(r.id) })),
    scope,
  )
}

/** One person as answers say him. */
export const oneDressed = async (db: Db, scope: Scope, r: Resident, today: string): Promise<Resident> =>
  (await dressed(db, scope, [r], today))[0]!

/** Who is there already under a mobile or a document, among the living (BASE-13). */
export async function sameAs(
  db: Db,
  scope: Scope,
  of: {
    readonly id?: number | undefined
    readonly mobile?: string | undefined
    readonly certNo?: string | undefined
  },
): Promise<Resident[]> {
  const cert = of.certNo && certOf(of.certNo)
  if (!of.mobile && !cert) return []
  return rows(
    db,
    resident,
    scope,
    {},
    {
      where: [
        sql`t.state = 10`,
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
function bare({
  keyword: word,
  name,
  mobile,
  projectCode: _p,
  page: _n,
  size: _s,
  order,
  ...more
}: Ask): boolean {
  return (
    [word, name, mobile].filter(Boolean).length === 1 &&
    (order === undefined || order === '-id') &&
    Object.values(more).every(v => v === undefined || (Array.isArray(v) && !v.length))
  )
}

export const listHandlers = [
  reads(listResidents, async (q, { db, scope, today }) => {
    const hits = await hitsOf(db, scope, q)
    if (hits && bare(q)) {
      // The ids are the whole answer: only this page of them is fetched, with its homes at the same time.
      const size = Math.min(q.size ?? 10, 2000)
      const at = ((q.page ?? 1) - 1) * size
      const here = hits.toSorted((a, b) => b - a).slice(at, at + size)
      if (!here.length) return { total: hits.length, rows: [] }
      const [list, kit] = await Promise.all([
        rows(db, resident, scope, { order: '-id' }, { where: [sql`t.id = any(${here})`] }),
        beside(db, scope, here, today),
      ])
      return { total: hits.length, rows: dress(scope, list, kit) }
    }
    const found = await page(db, resident, scope, plain(q), {
      filters: residentFilters,
      where: residentWhere(scope, q, today, hits),
    })
    return { ...found, rows: await dressed(db, scope, found.rows, today) }
  }),
  reads(oneResident, async ({ id }, { db, scope, today }) =>
    oneDressed(db, scope, await needResident(db, scope, id), today),
  ),
  reads(pickResidents, async ({ keyword: word, projectCode, size }, { db, scope, today }) => {
    const hits = word
      ? await hitsOf(db, scope, { keyword: word, ...(projectCode ? { projectCode } : {}) })
      : undefined
    const sought = hits ? [sql`t.id = any(${hits})`] : word ? [keyword(scope.ownerId, word)] : []
    return dressed(
      db,
      scope,
      await rows(
        db,
        resident,
        scope,
        {},
        {
          where: [sql`t.state = 10`, ...(hits ? [] : belongs(scope, projectCode)), ...sought],
          limit: size ?? 50,
        },
      ),
      today,
    )
  }),
  reads(sameResidents, async (of, { db, scope, today }) =>
    (await dressed(db, scope, await sameAs(db, scope, of), today)).map(r => veil(resident.fields, r, scope)),
  ),
]

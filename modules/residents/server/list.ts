import { codeOf, keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { veil, veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { page, rows } from '#kit/server/table.ts'
import { roomsCalled } from '#modules/rooms/server/public.ts'
import { listResidents, oneResident, resident, residentFilters, sameResidents, type Home, type Resident } from '../contract/resident.ts'
import { pickResidents } from '../contract/care.ts'
import { linkStatus, relation } from '../contract/words.ts'
import { certOf } from '../domain/person.ts'
import { belongs, homeIn, living, needResident, pending } from './visible.ts'

type Sql = RawBuilder<any>
export type Ask = NonNullable<typeof listResidents.input.T>
const both = (parts: readonly Sql[]): Sql => sql.join(parts, sql` and `)

/** A person by name, pinyin, initials or telephone; with a digit in it also by his room. Sets of ids, so that every index serves. */
export function keyword(owner: number, word: string): Sql {
  if (!/\d/.test(word)) return soughtBy(word)
  return sql`t.id = any(array(select p.id from resident p where p.owner_id = ${owner} and p.delete_tag = 0 and ${soughtBy(word, 'p')}
    union all select l.user_id from user_room l where l.owner_id = ${owner} and l.delete_tag = 0 and l.status in (${pending}, ${living}) and l.room_id in (${roomsCalled(owner, word)})))`
}
/** What a search says beyond a person's own facts. The same for list and export (EXP-1). */
export function residentWhere(scope: Scope, q: Ask, today: string): Sql[] {
  const { name, mobile, buildCode, roomId, roomCode, relation: relations, status, isMain, isBlock, homeless, tag, userIds } = q
  const home: Sql[] = [
    ...(buildCode === undefined ? [] : [sql`l.build_code = ${buildCode}`]),
    ...(roomId === undefined ? [] : [sql`l.room_id = ${roomId}`]),
    ...(roomCode === undefined ? [] : [sql`l.room_id in (select r.id from room r where r.owner_id = ${scope.ownerId} and r.code = ${roomCode} and r.delete_tag = 0)`]),
    ...(relations?.length ? [sql`l.relation = any(${relations.map(r => codeOf(relation, r))})`] : []),
    ...(isMain === undefined ? [] : [sql`l.is_main = ${isMain}`]),
  ]
  const of = [sql`l.owner_id = ${scope.ownerId}`, sql`l.delete_tag = 0`, ...(q.projectCode ? [sql`l.project_code = ${q.projectCode}`] : []), ...homeIn(scope.domain, 'l')]
  const wantHome = home.length > 0 || status?.length ? [sql`t.id = any(array(select l.user_id from user_room l where ${both([...of, ...home, status?.length ? sql`l.status = any(${status.map(s => codeOf(linkStatus, s))})` : sql`l.status in (${pending}, ${living})`])}))`] : []
  return [
    // Who has such a home belongs there.
    ...(wantHome.length ? wantHome : belongs(scope, userIds?.length ? undefined : q.projectCode)),
    ...(userIds?.length ? [sql`t.id = any(${userIds.map(Number).filter(Number.isSafeInteger)})`] : []),
    ...(q.keyword ? [keyword(scope.ownerId, q.keyword)] : []),
    ...(name === undefined ? [] : [soughtBy(name)]),
    ...(mobile === undefined ? [] : [soughtBy(mobile)]),
    ...(isBlock === undefined ? [] : [sql`${isBlock ? sql`` : sql`not`} exists (select 1 from user_blocklist b where b.owner_id = t.owner_id and b.user_id = t.id and b.delete_tag = 0 and (b.expire_date is null or b.expire_date >= ${today}))`]),
    ...(homeless ? [sql`not exists (select 1 from user_room l where l.owner_id = t.owner_id and l.user_id = t.id and l.delete_tag = 0 and l.status in (${pending}, ${living}))`] : []),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ]
}
/** The part of a search that `page` and `rows` read themselves. */
export const plain = ({ keyword: _, projectCode: _p, name: _n, mobile: _m, buildCode: _b, roomId: _r, roomCode: _c, relation: _l, status: _s, isMain: _i, isBlock: _k, homeless: _h, tag: _t, userIds: _u, ...q }: Ask) => q

interface Beside { userId: number; linkId: number; projectCode: string; roomId: number; roomCode: string; roomPath: string; relation: number; status: number; isMain: boolean; isPayer: boolean }
/** What stands beside people in lists: their homes in the caller's data domain and whether they are blocked; phones as the caller may see them. */
export async function dressed(db: Db, scope: Scope, list: readonly Resident[], today: string): Promise<readonly Resident[]> {
  if (!list.length) return list
  const ids = list.map(r => r.id)
  const [homes, blocks] = await db.all<[Beside, { userId: number }]>(
    sql`select l.user_id, l.id as link_id, l.project_code, l.room_id, r.code as room_code, r.path as room_path, l.relation, l.status, l.is_main, l.is_payer
      from user_room l join room r on r.owner_id = l.owner_id and r.id = l.room_id
      where ${both([sql`l.owner_id = ${scope.ownerId}`, sql`l.user_id = any(${ids})`, sql`l.delete_tag = 0`, sql`l.status in (${pending}, ${living})`, ...homeIn(scope.domain, 'l')])} order by l.user_id, r.sort_key`,
    sql`select distinct b.user_id from user_blocklist b where b.owner_id = ${scope.ownerId} and b.user_id = any(${ids}) and b.delete_tag = 0 and (b.expire_date is null or b.expire_date >= ${today})`,
  )
  const of = Map.groupBy(homes, h => h.userId), blocked = new Set(blocks.map(b => b.userId))
  const shown = (h: Beside): Home => { const { userId: _, ...x } = h; return { ...x, relation: keyOf(relation, h.relation)!, status: keyOf(linkStatus, h.status)! } }
  return veiled(resident.fields, list.map(r => ({ ...r, homes: (of.get(r.id) ?? []).map(shown), isBlock: blocked.has(r.id) })), scope)
}
/** One person as answers say him. */
export const oneDressed = async (db: Db, scope: Scope, r: Resident, today: string): Promise<Resident> => (await dressed(db, scope, [r], today))[0]!

/** Who is there already under a mobile or a document, among the living (BASE-13). */
export async function sameAs(db: Db, scope: Scope, of: { readonly id?: number | undefined; readonly mobile?: string | undefined; readonly certNo?: string | undefined }): Promise<Resident[]> {
  const cert = of.certNo && certOf(of.certNo)
  if (!of.mobile && !cert) return []
  return rows(db, resident, scope, {}, { where: [sql`t.state = 10`, sql`t.id <> ${of.id ?? 0}`, sql`(${sql.join([...(of.mobile ? [sql`t.mobile = ${of.mobile}`] : []), ...(cert ? [sql`t.cert_no = ${cert}`] : [])], sql` or `)})`], limit: 10 })
}

export const listHandlers = [
  reads(listResidents, async (q, { db, scope, today }) => {
    const found = await page(db, resident, scope, plain(q), { filters: residentFilters, where: residentWhere(scope, q, today) })
    return { ...found, rows: await dressed(db, scope, found.rows, today) }
  }),
  reads(oneResident, async ({ id }, { db, scope, today }) => oneDressed(db, scope, await needResident(db, scope, id), today)),
  reads(pickResidents, async ({ keyword: word, projectCode, size }, { db, scope, today }) =>
    dressed(db, scope, await rows(db, resident, scope, {}, { where: [sql`t.state = 10`, ...belongs(scope, projectCode), ...(word ? [keyword(scope.ownerId, word)] : [])], limit: size ?? 50 }), today)),
  reads(sameResidents, async (of, { db, scope, today }) => (await dressed(db, scope, await sameAs(db, scope, of), today)).map(r => veil(resident.fields, r, scope))),
]

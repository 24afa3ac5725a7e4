import { keyOf, type Moment } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import type { Resident, ResidentHome } from '#modules/resident-page/server/public.ts'
import {
  directChannel,
  directState,
  noticeKind,
  noticeReceipt,
  noticeType,
  type NoticeKind,
} from '../contract/choices.ts'
import type { HomeNoticeLine } from '../contract/home.ts'
import { isForPlaces, isShown, type Place } from './shown-notices.ts'

type Sql = RawBuilder<unknown>

/** Whose notices, and at which of their homes. */
export interface Reader {
  readonly resident: Resident
  readonly home: ResidentHome
}

const placesOf = ({ kind, projectCode, buildingCode, unit, roomId }: ResidentHome): Place[] =>
  kind === 'residency' ? [{ projectCode, buildCode: buildingCode, unit, roomId }] : []

const receiptOf = ({ ownerId, userId }: Resident, kind: NoticeKind): Sql => sql`
  left join notice_receiver r on r.owner_id = ${ownerId}
    and r.notice_kind = ${code(noticeKind, kind)}
    and r.notice_id = t.id
    and r.receiver_kind = ${code(receiverKind, 'resident')}
    and r.receiver_id = ${userId}
    and ${notDeleted('r')}
`

/** Public notices that a resident received in the project of a home, and those for that home. */
function publicOnes({ resident, home }: Reader, now: string, more: Sql): Sql {
  const places = placesOf(home)
  return sql`
    select ${code(noticeKind, 'public')}::smallint as kind_code, t.id, t.title, t.notice_type as type_code,
      t.is_top, t.is_modified, t.need_confirm, t.publish_time, r.receipt, r.confirm_time
    from public_notice t
    ${receiptOf(resident, 'public')}
    where t.owner_id = ${resident.ownerId}
      and ${isShown('app', now)}
      and (
        (r.id is not null and (r.project_code is null or r.project_code = ${home.projectCode}))
        or ${places.length ? isForPlaces(places, 'resident') : sql`false`}
      )
      and ${more}
  `
}

/** Notices that name the resident: of no home. */
const namedOnes = ({ resident }: Reader, more: Sql): Sql => sql`
  select ${code(noticeKind, 'resident')}::smallint as kind_code, t.id, t.title, null::smallint as type_code,
    false as is_top, false as is_modified, false as need_confirm, t.publish_time, r.receipt, r.confirm_time
  from user_notice t
  ${receiptOf(resident, 'resident')}
  where t.owner_id = ${resident.ownerId}
    and t.state = ${code(directState, 'published')}
    and ${code(directChannel, 'app')} = any(t.channels)
    and ${notDeleted('t')}
    and r.id is not null
    and ${more}
`

interface Row {
  readonly kindCode: number
  readonly id: Id
  readonly title: string
  readonly typeCode?: number
  readonly isTop: boolean
  readonly isModified: boolean
  readonly needConfirm: boolean
  readonly publishTime: Moment
  readonly receipt?: number
  readonly confirmTime?: Moment
}

export type OwnLine = HomeNoticeLine & { readonly confirmTime?: Moment | undefined }

const toLine = ({ kindCode, typeCode, receipt, ...row }: Row): OwnLine => ({
  ...row,
  kind: keyOf(noticeKind, kindCode) ?? 'public',
  noticeType: typeCode === undefined ? undefined : keyOf(noticeType, typeCode),
  receipt: (receipt === undefined ? undefined : keyOf(noticeReceipt, receipt)) ?? 'unread',
})

/** What a resident reads at a home, those on top first, then the latest. */
export async function findOwnLines(
  db: Db,
  reader: Reader,
  now: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<OwnLine[]> {
  const rows = await db.rows<Row>(sql`
    select *
    from (${publicOnes(reader, now, sql`true`)} union all ${namedOnes(reader, sql`true`)}) n
    order by n.is_top desc, n.publish_time desc, n.id desc
    limit ${limit} offset ${offset}
  `)
  return rows.map(toLine)
}

/** What waits for a resident: unread, or not confirmed where that is asked. */
export async function countWaiting(db: Db, reader: Reader, now: string): Promise<number> {
  const row = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from (${publicOnes(reader, now, sql`true`)} union all ${namedOnes(reader, sql`true`)}) n
    where coalesce(n.receipt, 0) < case when n.need_confirm
      then ${code(noticeReceipt, 'confirmed')} else ${code(noticeReceipt, 'read')} end
  `)
  return row?.n ?? 0
}

interface Asked {
  readonly kind: NoticeKind
  readonly id: Id
}

async function findOwnLine(db: Db, reader: Reader, now: string, { kind, id }: Asked) {
  const isIt = sql`t.id = ${id}`
  const row =
    kind === 'staff'
      ? undefined
      : await db.one<Row>(sql`${kind === 'public' ? publicOnes(reader, now, isIt) : namedOnes(reader, isIt)}`)
  return row && toLine(row)
}

/**
 * One of them, with the home that it is for: a message may lead to it by the link of another home. Every
 * other one is not there.
 */
export async function requireOwnLine(
  db: Db,
  { resident, home }: Reader,
  now: string,
  asked: Asked,
): Promise<{ readonly line: OwnLine; readonly home: ResidentHome }> {
  for (const each of [home, ...resident.homes.filter(other => other !== home)]) {
    const line = await findOwnLine(db, { resident, home: each }, now, asked)
    if (line) return { line, home: each }
  }
  throw notFound()
}

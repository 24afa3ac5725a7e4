import { keyOf, type Moment } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import type { Resident } from '#modules/resident-page/server/public.ts'
import {
  directState,
  noticeChannel,
  noticeKind,
  noticeReceipt,
  noticeType,
  type NoticeKind,
} from '../contract/choices.ts'
import type { HomeNoticeLine } from '../contract/home.ts'
import { isForPlaces, isShown, type Place } from './shown-notices.ts'

type Sql = RawBuilder<unknown>

const placesOf = ({ homes }: Resident): Place[] =>
  homes
    .filter(home => home.kind === 'residency')
    .map(({ projectCode, buildingCode, unit, roomId }) => ({
      projectCode,
      buildCode: buildingCode,
      unit,
      roomId,
    }))

const receiptOf = ({ ownerId, userId }: Resident, kind: NoticeKind): Sql => sql`
  left join notice_receiver r on r.owner_id = ${ownerId}
    and r.notice_kind = ${code(noticeKind, kind)}
    and r.notice_id = t.id
    and r.receiver_kind = ${code(receiverKind, 'resident')}
    and r.receiver_id = ${userId}
    and ${notDeleted('r')}
`

/** Public notices that a resident received, and those for where they live now. */
function publicOnes(resident: Resident, now: string, more: Sql): Sql {
  const places = placesOf(resident)
  const projects = [...new Set(resident.homes.map(home => home.projectCode))]
  return sql`
    select ${code(noticeKind, 'public')}::smallint as kind_code, t.id, t.title, t.notice_type as type_code,
      t.is_top, t.is_modified, t.need_confirm, t.publish_time, r.receipt, r.confirm_time
    from public_notice t
    ${receiptOf(resident, 'public')}
    where t.owner_id = ${resident.ownerId}
      and ${isShown('app', now)}
      and (
        (r.id is not null and (r.project_code is null or r.project_code = any(${projects}::text[])))
        or ${places.length ? isForPlaces(places, 'resident') : sql`false`}
      )
      and ${more}
  `
}

/** Notices that name the resident. */
const namedOnes = (resident: Resident, more: Sql): Sql => sql`
  select ${code(noticeKind, 'resident')}::smallint as kind_code, t.id, t.title, null::smallint as type_code,
    false as is_top, false as is_modified, false as need_confirm, t.publish_time, r.receipt, r.confirm_time
  from user_notice t
  ${receiptOf(resident, 'resident')}
  where t.owner_id = ${resident.ownerId}
    and t.state = ${code(directState, 'published')}
    and ${code(noticeChannel, 'app')} = any(t.channels)
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

/** What a resident may read, those on top first, then the latest. */
export async function findOwnLines(
  db: Db,
  resident: Resident,
  now: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<OwnLine[]> {
  const rows = await db.rows<Row>(sql`
    select *
    from (${publicOnes(resident, now, sql`true`)} union all ${namedOnes(resident, sql`true`)}) n
    order by n.is_top desc, n.publish_time desc, n.id desc
    limit ${limit} offset ${offset}
  `)
  return rows.map(toLine)
}

/** What waits for a resident: unread, or not confirmed where that is asked. */
export async function countWaiting(db: Db, resident: Resident, now: string): Promise<number> {
  const row = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from (${publicOnes(resident, now, sql`true`)} union all ${namedOnes(resident, sql`true`)}) n
    where coalesce(n.receipt, 0) < case when n.need_confirm
      then ${code(noticeReceipt, 'confirmed')} else ${code(noticeReceipt, 'read')} end
  `)
  return row?.n ?? 0
}

/** One of them; every other one is not there. */
export async function requireOwnLine(
  db: Db,
  resident: Resident,
  now: string,
  { kind, id }: { readonly kind: NoticeKind; readonly id: Id },
): Promise<OwnLine> {
  const isIt = sql`t.id = ${id}`
  const row =
    kind === 'staff'
      ? undefined
      : await db.one<Row>(
          sql`${kind === 'public' ? publicOnes(resident, now, isIt) : namedOnes(resident, isIt)}`,
        )
  if (!row) throw notFound()
  return toLine(row)
}

import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { noticeKind, noticeReceipt, type NoticeKind } from '../contract/choices.ts'

interface ReceiptCounts {
  readonly id: Id
  readonly totalCount: number
  readonly readCount: number
  readonly confirmedCount: number
  readonly remindedCount: number
}

/** How many received some notices, and how many have read and confirmed them. */
export async function countReceipts(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  kind: NoticeKind,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, ReceiptCounts>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<ReceiptCounts>(sql`
    select notice_id as id, count(*)::int as total_count,
      (count(*) filter (where receipt <> ${code(noticeReceipt, 'unread')}))::int as read_count,
      (count(*) filter (where receipt = ${code(noticeReceipt, 'confirmed')}))::int as confirmed_count,
      (count(*) filter (where remind_time is not null))::int as reminded_count
    from notice_receiver
    where owner_id = ${ownerId}
      and notice_kind = ${code(noticeKind, kind)}
      and notice_id = any(${[...ids]}::bigint[])
      and ${notDeleted()}
    group by notice_id
  `)
  return new Map(rows.map(row => [row.id, row]))
}

/** Notices with their counts; a draft has none. */
export async function withReceiptCounts<T extends { readonly id: Id; readonly state: string }>(
  rows: readonly T[],
  { db, scope }: { readonly db: Db; readonly scope: Pick<Scope, 'ownerId'> },
  kind: NoticeKind,
): Promise<readonly T[]> {
  const sent = rows.filter(row => row.state !== 'draft' && row.state !== 'timed')
  const counts = await countReceipts(
    db,
    scope,
    kind,
    sent.map(row => row.id),
  )
  const none = { totalCount: 0, readCount: 0, confirmedCount: 0 }
  return rows.map(row => (sent.includes(row) ? { ...row, ...none, ...counts.get(row.id) } : row))
}

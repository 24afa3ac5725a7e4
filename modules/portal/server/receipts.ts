import type { Id } from '#kit/domain/id.ts'
import { keyOf, type ChoiceOf, type Moment } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, flagFilter, notDeleted } from '#kit/server/sql.ts'
import { findAll, findPage, update } from '#kit/server/table.ts'
import { markNotificationsOfRead } from '#modules/system/server/public.ts'
import { noticeState, receiptState } from '../contract/choices.ts'
import {
  confirmNotice,
  getOwnNotice,
  internalNotice,
  listOwnNotices,
  markNoticeRead,
  type InternalNotice,
  type OwnNotice,
} from '../contract/notice.ts'
import { internalNoticeReceiver } from '../contract/receiver.ts'
import { isWaiting } from '../domain/notice.ts'
import { noticeKind } from './notice-kind.ts'

type Condition = RawBuilder<unknown>

const receivedBy = ({ ownerId, operatorId }: Pick<Scope, 'ownerId' | 'operatorId'>, more: Condition) => sql`
  exists (
    select 1
    from internal_notice_receiver r
    where r.owner_id = ${ownerId}
      and r.notice_id = t.id
      and r.manager_id = ${operatorId}
      and ${notDeleted('r')}
      and ${more}
  )`

/** Published notices (`t`) that an account receives. Index: internal_notice_receiver_own. */
export const isOwnNotice = (scope: Pick<Scope, 'ownerId' | 'operatorId'>): Condition =>
  sql`t.state = ${code(noticeState, 'published')} and ${receivedBy(scope, sql`true`)}`

const waitingFor = (scope: Scope): Condition =>
  receivedBy(
    scope,
    sql`(
      r.receipt = ${code(receiptState, 'unread')}
      or (t.is_important and r.receipt <> ${code(receiptState, 'confirmed')})
    )`,
  )

interface OwnReceipt {
  readonly noticeId: Id
  readonly receipt: number
  readonly readTime?: Moment
  readonly confirmTime?: Moment
}

async function loadReceipts(
  db: Db,
  { ownerId, operatorId }: Scope,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, OwnReceipt>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<OwnReceipt>(sql`
    select notice_id, receipt, read_time, confirm_time
    from internal_notice_receiver
    where owner_id = ${ownerId}
      and manager_id = ${operatorId}
      and notice_id = any(${[...ids]}::bigint[])
      and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.noticeId, row]))
}

function toOwn(notice: InternalNotice, found: OwnReceipt | undefined): OwnNotice {
  const receipt: ChoiceOf<typeof receiptState> = keyOf(receiptState, found?.receipt ?? 10) ?? 'unread'
  const { id, title, isImportant, publisherName, publishTime } = notice
  return {
    id,
    title,
    isImportant,
    publisherName,
    publishTime,
    receipt,
    readTime: found?.readTime,
    confirmTime: found?.confirmTime,
    isWaiting: isWaiting(isImportant, receipt),
  }
}

/** A published notice that the caller receives; every other one is not found. */
async function requireOwn(db: Db, scope: Scope, id: Id): Promise<InternalNotice> {
  const [notice] = await findAll(
    db,
    internalNotice,
    scope,
    {},
    { where: [sql`t.id = ${id}`, isOwnNotice(scope)], limit: 1 },
  )
  if (!notice) throw notFound()
  return notice
}

/** Takes the receipt of the caller one step on, once: the second of two windows changes nothing. */
async function advance(
  id: Id,
  to: 'read' | 'confirmed',
  { tx, scope, app, now }: WriteContext,
): Promise<void> {
  const notice = await requireOwn(tx, scope, id)
  if (to === 'confirmed' && !notice.isImportant) return refuse('该公告无需确认已阅')
  const locked = await tx.one<{ id: Id; receipt: number; readTime?: Moment }>(sql`
    select id, receipt, read_time
    from internal_notice_receiver
    where owner_id = ${scope.ownerId}
      and notice_id = ${id}
      and manager_id = ${scope.operatorId}
      and ${notDeleted()}
    for update
  `)
  if (!locked) throw notFound()
  const receipt = keyOf(receiptState, locked.receipt)
  if (receipt === 'unread' || (to === 'confirmed' && receipt !== 'confirmed')) {
    await update(tx, internalNoticeReceiver, scope, locked.id, {
      receipt: to,
      ...(locked.readTime ? {} : { readTime: now }),
      ...(to === 'confirmed' ? { confirmTime: now } : {}),
    })
  }
  await markNotificationsOfRead([tx, app, scope], noticeKind, id)
}

export const receiptHandlers = [
  reads(listOwnNotices, async ({ waiting, ...query }, { db, scope }) => {
    const page = await findPage(
      db,
      internalNotice,
      scope,
      { ...query, order: query.order ?? '-publishTime' },
      {
        filters: listOwnNotices.input.filters ?? [],
        where: [isOwnNotice(scope), ...flagFilter(waiting, waitingFor(scope))],
      },
    )
    const receipts = await loadReceipts(
      db,
      scope,
      page.rows.map(row => row.id),
    )
    return { total: page.total, rows: page.rows.map(row => toOwn(row, receipts.get(row.id))) }
  }),
  reads(getOwnNotice, async ({ id }, { db, scope }) => {
    const notice = await requireOwn(db, scope, id)
    const receipts = await loadReceipts(db, scope, [id])
    const { content, attachments } = notice
    return { ...toOwn(notice, receipts.get(id)), content, attachments }
  }),
  writes(markNoticeRead, ({ id }, c) => advance(id, 'read', c)),
  writes(confirmNotice, ({ id }, c) => advance(id, 'confirmed', c)),
]

import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { exclusionReason, receiverKind, type ExclusionReason } from '#modules/messaging/contract/choices.ts'
import {
  findReceiverReach,
  findUsable,
  queueMessages,
  type Receiver,
  type ReceiverReach,
} from '#modules/messaging/server/public.ts'
import { noticeKind, noticeReceipt } from '../contract/choices.ts'
import {
  previewReminder,
  publicNotice,
  remindReaders,
  type PublicNotice,
  type ReminderPreview,
} from '../contract/notice.ts'
import { remindFault } from '../domain/states.ts'
import { noticePath } from './publication.ts'
import { audienceProjects, requireInDomain } from './reach.ts'
import { reminderSource } from './sources.ts'
import { assertReminderText } from './text-variables.ts'

type Reminder = NonNullable<typeof remindReaders.input.T>

interface UnreadRow {
  readonly receiverKind: number
  readonly receiverId: Id
  readonly projectCode?: string
  readonly roomId?: Id
  readonly room?: string
}

const kindOf = (stored: number): 'staff' | 'resident' =>
  stored === receiverKind.rows.staff[0] ? 'staff' : 'resident'

/** Those who have not read it, or not confirmed it where that is asked, and were not reminded. */
async function findUnread(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  { id, needConfirm }: PublicNotice,
): Promise<readonly Receiver[]> {
  const rows = await db.rows<UnreadRow>(sql`
    select n.receiver_kind, n.receiver_id, n.project_code, n.room_id, r.path as room
    from notice_receiver n
    left join room r on r.owner_id = ${ownerId} and r.id = n.room_id
    where n.owner_id = ${ownerId}
      and n.notice_kind = ${code(noticeKind, 'public')}
      and n.notice_id = ${id}
      and ${
        needConfirm
          ? sql`n.receipt <> ${code(noticeReceipt, 'confirmed')}`
          : sql`n.receipt = ${code(noticeReceipt, 'unread')}`
      }
      and n.remind_time is null
      and ${notDeleted('n')}
    order by n.receiver_kind, n.receiver_id
  `)
  return rows.map(row => ({
    kind: kindOf(row.receiverKind),
    id: row.receiverId,
    projectCode: row.projectCode,
    roomId: row.roomId,
    room: row.room,
  }))
}

/** The message comes to their address, also where they share it with somebody. */
const isReached = ({ reason }: ReceiverReach): boolean => reason === undefined || reason === 'duplicate'

/** Who was not reached stays unmarked: another channel may reach them. */
const markReminded = (
  { tx, scope }: WriteContext,
  noticeId: Id,
  reached: readonly ReceiverReach[],
): Promise<number> =>
  tx.execute(sql`
    update notice_receiver n
    set remind_time = ${scope.time}::timestamptz, ${touch(scope)}
    from unnest(
      ${reached.map(row => row.receiverKind)}::smallint[],
      ${reached.map(row => row.receiverId)}::bigint[]
    ) as m(receiver_kind, receiver_id)
    where n.owner_id = ${scope.ownerId}
      and n.notice_kind = ${code(noticeKind, 'public')}
      and n.notice_id = ${noticeId}
      and n.receiver_kind = m.receiver_kind
      and n.receiver_id = m.receiver_id
      and ${notDeleted('n')}
  `)

/** `无号码 3 人、号码重复 1 人`. */
function reasonsText(reached: readonly ReceiverReach[]): string | undefined {
  const counts = new Map<ExclusionReason, number>()
  for (const { reason } of reached) {
    if (reason !== undefined) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
  }
  return (
    [...counts].map(([reason, count]) => `${labelOf(exclusionReason, reason)} ${count} 人`).join('、') ||
    undefined
  )
}

async function openForReminder(
  db: Db,
  scope: Scope,
  id: Id,
  options: { readonly lock?: boolean } = {},
): Promise<PublicNotice> {
  const notice = requireInDomain(scope, await requireById(db, publicNotice, scope, id, options))
  const fault = remindFault(notice.state)
  if (fault !== undefined) return refuse(fault)
  await audienceProjects(db, scope, notice)
  return notice
}

async function preview({ id, channel, content }: Reminder, db: Db, scope: Scope): Promise<ReminderPreview> {
  const notice = await openForReminder(db, scope, id)
  assertReminderText(notice, content)
  const unread = await findUnread(db, scope, notice)
  const reached = await findReceiverReach(db, scope, unread, channel, content)
  const sent = reached.filter(({ reason }) => reason === undefined)
  return {
    unreadCount: unread.length,
    reachable: sent.length,
    excluded: reached.length - sent.length,
    reasons: reasonsText(reached),
    ...(channel === 'sms'
      ? {
          segments: sent.reduce((sum, { segments }) => sum + segments, 0),
          usableSms: await findUsable(db, scope.ownerId),
        }
      : {}),
  }
}

/** The row of the notice is locked: two windows remind nobody twice. */
async function remind(
  { id, channel, content }: Reminder,
  c: WriteContext,
): Promise<{ readonly reminded: number; readonly excluded: number }> {
  const notice = await openForReminder(c.tx, c.scope, id, { lock: true })
  assertReminderText(notice, content)
  const unread = await findUnread(c.tx, c.scope, notice)
  if (!unread.length) return refuse('未读人员均已提醒，或全部人员已阅读，无需再提醒')
  const reached = await findReceiverReach(c.tx, c.scope, unread, channel, content)
  const marked = reached.filter(isReached)
  if (!marked.length)
    return refuse(
      `未读人员均不能通过该渠道提醒：${reasonsText(reached) ?? '无可用地址'}；请选择其他渠道，或电话通知`,
    )
  await markReminded(c, id, marked)
  const { queued } = await queueMessages(c, {
    source: reminderSource.key,
    bizId: id,
    channel,
    to: unread,
    message: { title: notice.title, text: content },
    link: noticePath(notice),
    expiresAt: notice.expireTime,
  })
  return { reminded: queued, excluded: unread.length - queued }
}

export const reminderHandlers = [
  reads(previewReminder, (input, { db, scope }) => preview(input, db, scope)),
  writes(remindReaders, remind),
]

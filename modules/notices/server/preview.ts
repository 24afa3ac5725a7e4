import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { exclusionReason, receiverKind, type MessageChannel } from '#modules/messaging/contract/choices.ts'
import {
  countRecipientsOf,
  messageFigures,
  queueMessages,
  type ChannelCount,
} from '#modules/messaging/server/public.ts'
import { noticeKind, noticeReceipt, type NoticeChannel } from '../contract/choices.ts'
import {
  getNoticeReach,
  previewNotice,
  publicNotice,
  remindReaders,
  type NoticePreview,
  type PublicNotice,
} from '../contract/notice.ts'
import { remindFault } from '../domain/states.ts'
import { noticePath } from './publication.ts'
import { audienceProjects, audienceScope, requireInDomain } from './reach.ts'
import { countReceipts } from './receipt-counts.ts'
import { noticeSource, reminderSource } from './sources.ts'

const messageChannels = ['sms', 'wechat'] as const satisfies readonly (MessageChannel & NoticeChannel)[]

/** `无号码 3 人、号码重复 1 人`. */
const reasonsText = (excluded: ChannelCount['excluded']): string | undefined =>
  excluded.map(({ reason, count }) => `${labelOf(exclusionReason, reason)} ${count} 人`).join('、') ||
  undefined

const sumOf = (excluded: readonly { readonly count: number }[]): number =>
  excluded.reduce((sum, { count }) => sum + count, 0)

async function preview(db: Db, scope: Scope, id: Id): Promise<NoticePreview> {
  const notice = requireInDomain(scope, await requireById(db, publicNotice, scope, id))
  const projectCodes = await audienceProjects(db, scope, notice)
  const inAudience = audienceScope(scope, { projectCodes })
  const audience = { scopeType: notice.scopeType, scopeJson: notice.scopeJson }
  const chosen = messageChannels.filter(channel => notice.channels.includes(channel))
  const text = notice.smsText ?? notice.title
  const counted = await countRecipientsOf(db, inAudience, audience, chosen, 'service', text)
  const hasSms = chosen.includes('sms')
  return {
    totalCount: counted.people,
    channels: [
      ...(notice.channels.includes('app')
        ? [{ channel: 'app' as const, reachable: counted.people, excluded: 0 }]
        : []),
      ...counted.channels.map(({ channel, reachable, excluded }) => ({
        channel: channel === 'sms' ? ('sms' as const) : ('wechat' as const),
        reachable,
        excluded: sumOf(excluded),
        reasons: reasonsText(excluded),
        segments: channel === 'sms' ? counted.segments : undefined,
      })),
    ],
    usableSms: hasSms ? counted.usable : undefined,
    samples: counted.samples.map(({ name, room, content }) => ({
      personName: name,
      roomPath: room,
      content,
    })),
  }
}

interface Unread {
  readonly receiverKind: number
  readonly receiverId: Id
  readonly projectCode?: string
  readonly roomId?: Id
  readonly room?: string
}

/** Marks those who have not read it and were not reminded; two windows remind nobody twice. */
const takeUnread = ({ tx, scope }: WriteContext, { id, needConfirm }: PublicNotice): Promise<Unread[]> =>
  tx.rows<Unread>(sql`
    with taken as (
      update notice_receiver
      set remind_time = ${scope.time}::timestamptz, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and notice_kind = ${code(noticeKind, 'public')}
        and notice_id = ${id}
        and ${
          needConfirm
            ? sql`receipt <> ${code(noticeReceipt, 'confirmed')}`
            : sql`receipt = ${code(noticeReceipt, 'unread')}`
        }
        and remind_time is null
        and ${notDeleted()}
      returning receiver_kind, receiver_id, project_code, room_id
    )
    select n.receiver_kind, n.receiver_id, n.project_code, n.room_id, r.path as room
    from taken n
    left join room r on r.owner_id = ${scope.ownerId} and r.id = n.room_id
    order by n.receiver_kind, n.receiver_id
  `)

const kindOf = (stored: number): 'staff' | 'resident' =>
  stored === receiverKind.rows.staff[0] ? 'staff' : 'resident'

async function remind(
  { id, channel, content }: NonNullable<typeof remindReaders.input.T>,
  c: WriteContext,
): Promise<{ readonly reminded: number; readonly excluded: number }> {
  const notice = requireInDomain(c.scope, await requireById(c.tx, publicNotice, c.scope, id, { lock: true }))
  const fault = remindFault(notice.state)
  if (fault !== undefined) return refuse(fault)
  await audienceProjects(c.tx, c.scope, notice)
  const unread = await takeUnread(c, notice)
  if (!unread.length) return refuse('未读人员均已提醒，或全部人员已阅读')
  const { queued, excluded } = await queueMessages(c, {
    source: reminderSource.key,
    bizId: id,
    channel,
    to: unread.map(row => ({
      kind: kindOf(row.receiverKind),
      id: row.receiverId,
      projectCode: row.projectCode,
      roomId: row.roomId,
      room: row.room,
    })),
    message: { title: notice.title, text: content },
    link: noticePath(notice),
    expiresAt: notice.expireTime,
  })
  if (!queued) return refuse(`未读人员均不能通过该渠道提醒：${reasonsText(excluded) ?? '无可用地址'}`)
  return { reminded: queued, excluded: sumOf(excluded) }
}

async function reach(db: Db, scope: Scope, id: Id) {
  requireInDomain(scope, await requireById(db, publicNotice, scope, id))
  const counts = (await countReceipts(db, scope, 'public', [id])).get(id)
  const figures = await Promise.all(
    [noticeSource, reminderSource].map(async source =>
      (await messageFigures(db, scope, source.key, [id])).map(figure => ({
        ...figure,
        isReminder: source === reminderSource,
      })),
    ),
  )
  return {
    totalCount: counts?.totalCount ?? 0,
    readCount: counts?.readCount ?? 0,
    confirmedCount: counts?.confirmedCount ?? 0,
    remindedCount: counts?.remindedCount ?? 0,
    channels: figures
      .flat()
      .flatMap(({ channel, isReminder, queued, sent, delivered, failed, refused }) =>
        channel === 'email' ? [] : [{ channel, isReminder, queued, sent, delivered, failed, refused }],
      ),
  }
}

export const previewHandlers = [
  reads(previewNotice, ({ id }, { db, scope }) => preview(db, scope, id)),
  reads(getNoticeReach, ({ id }, { db, scope }) => reach(db, scope, id)),
  writes(remindReaders, remind),
]

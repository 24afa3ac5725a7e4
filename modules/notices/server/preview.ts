import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { exclusionReason, type MessageChannel } from '#modules/messaging/contract/choices.ts'
import { countRecipientsOf, messageFigures, type ChannelCount } from '#modules/messaging/server/public.ts'
import type { NoticeChannel } from '../contract/choices.ts'
import { getNoticeReach, previewNotice, publicNotice, type NoticePreview } from '../contract/notice.ts'
import { audienceProjects, audienceScope, requireInDomain } from './reach.ts'
import { countReceipts } from './receipt-counts.ts'
import { scopeText } from './scope-text.ts'
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
    scopeText: await scopeText(db, scope, notice),
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

async function reach(db: Db, scope: Scope, id: Id) {
  const notice = requireInDomain(scope, await requireById(db, publicNotice, scope, id))
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
    scopeText: await scopeText(db, scope, notice),
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
]

import { refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { audienceQuery, queueMessages } from '#modules/messaging/server/public.ts'
import { noticeKind, noticeReceipt } from '../contract/choices.ts'
import { publicNotice, type PublicNotice } from '../contract/notice.ts'
import { paths } from '../module.ts'
import { audienceScope } from './reach.ts'
import { noticeSource } from './sources.ts'
import { assertSmsText } from './text-variables.ts'

/** What a notice is published with, by somebody or by the clock. */
export interface PublishContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly now: Moment
}

/** Everybody of the audience gets a row, in one statement. */
export const insertReceivers = async (
  { tx, scope }: Pick<PublishContext, 'tx' | 'scope'>,
  notice: PublicNotice,
  inAudience: Scope,
): Promise<number> =>
  (
    await tx.rows<{ id: number }>(sql`
      insert into notice_receiver (
        owner_id, notice_kind, notice_id, receiver_kind, receiver_id, project_code, room_id, receipt,
        create_time, update_time, create_by, update_by
      )
      select ${scope.ownerId}::bigint, ${code(noticeKind, 'public')}::smallint, ${notice.id}::bigint,
        a.receiver_kind, a.receiver_id, a.project_code, a.room_id, ${code(noticeReceipt, 'unread')}::smallint,
        ${scope.time}::timestamptz, ${scope.time}::timestamptz, ${scope.operatorId}::bigint,
        ${scope.operatorId}::bigint
      from (${audienceQuery(inAudience, notice)}) a
      on conflict do nothing
      returning id
    `)
  ).length

/** The page of a resident that shows one notice, without what opens it. */
export const noticePath = ({ id }: Pick<PublicNotice, 'id'>): string =>
  `${paths.residentNotice}?kind=public&id=${id}`

/** Published: receivers are fixed, the page and the screens show it, messages wait in the queue. */
export async function publishNow(c: PublishContext, notice: PublicNotice): Promise<PublicNotice> {
  assertSmsText(notice)
  const inAudience = audienceScope(c.scope, notice)
  const receivers = await insertReceivers(c, notice, inAudience)
  const isScreenAlone = notice.channels.every(channel => channel === 'screen')
  if (!receivers && !isScreenAlone) return refuse('发送范围内没有可接收的人员，请调整发送范围')
  for (const channel of ['wechat', 'sms'] as const) {
    if (notice.channels.includes(channel)) {
      await queueMessages(
        { ...c, scope: inAudience },
        {
          source: noticeSource.key,
          bizId: notice.id,
          channel,
          to: { scopeType: notice.scopeType, scopeJson: notice.scopeJson },
          message: { title: notice.title, text: notice.smsText ?? notice.title },
          link: noticePath(notice),
          expiresAt: notice.expireTime,
        },
      )
    }
  }
  return update(c.tx, publicNotice, c.scope, notice.id, {
    state: 'published',
    publishTime: c.now,
    publisherName: notice.publisherName ?? c.scope.name,
    publishFault: undefined,
  })
}

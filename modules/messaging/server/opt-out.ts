import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { codeOf } from '#kit/contract/field.ts'
import { code } from '#kit/server/sql.ts'
import { messageChannel, messagePurpose } from '../contract/choices.ts'
import { smsBlockKind, smsBlockOrigin } from '../contract/sms-choices.ts'
import { isOptOut, type SmsReply } from '../domain/report.ts'

/** A reply is about what came in these days. */
const replyDays = 90

/** SMS-3: a number that answers 退订 gets no marketing any more of the companies that sent it some. */
export async function optOut(app: App, replies: readonly SmsReply[]): Promise<void> {
  const mobiles = [...new Set(replies.filter(({ text }) => isOptOut(text)).map(({ mobile }) => mobile))]
  if (!mobiles.length) return
  const now = fromInstant(app.clock())
  const senders = await app.database.reader('*').rows<{ ownerId: Id; mobile: string }>(sql`
    select distinct owner_id, address as mobile
    from outgoing_message
    where address = any(${mobiles}::text[])
      and purpose = ${code(messagePurpose, 'marketing')}
      and channel = ${code(messageChannel, 'sms')}
      and create_time > ${addMinutes(now, -replyDays * 1440)}::timestamptz
  `)
  for (const [ownerId, own] of Map.groupBy(senders, sender => sender.ownerId)) {
    const numbers = own.map(({ mobile }) => mobile)
    await app.database.tx(ownerId, tx =>
      tx.execute(sql`
        insert into sms_block (owner_id, mobile, kind, origin, reason)
        select ${ownerId}::bigint, n.mobile, ${codeOf(smsBlockKind, 'optOut')}::smallint,
          ${codeOf(smsBlockOrigin, 'reply')}::smallint, '短信回复退订'
        from unnest(${numbers}::text[]) as n(mobile)
        on conflict do nothing
        returning id
      `),
    )
  }
}

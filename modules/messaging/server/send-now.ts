import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  messageChannel,
  messagePurpose,
  messageState,
  quotaState,
  receiverKind,
  type MessageChannel,
  type MessageState,
  type ReceiverKind,
} from '../contract/choices.ts'
import { smsBlockKind } from '../contract/sms-choices.ts'
import { segmentsOf } from '../domain/segments.ts'
import { attempt, type AttemptOutcome } from './attempt.ts'
import { bookAttempts } from './booking.ts'
import type { ChannelFaultKind } from './channel-fault.ts'
import type { ChannelMessage } from './channels.ts'
import { smsSignName } from './message-text.ts'
import { requireSource } from './message-source.ts'
import { tryReserve } from './quota.ts'

/** A message whose sender waits for its outcome: worded already, to one address. */
export interface DirectMessage {
  readonly source: string
  readonly bizId: Id
  readonly channel: MessageChannel
  readonly projectCode?: string | undefined
  readonly room?: string | undefined
  readonly receiver: { readonly kind: ReceiverKind; readonly id: Id; readonly name?: string | undefined }
  readonly address: string
  readonly title: string
  readonly text: string
  readonly template?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly link?: string | undefined
  readonly attachments?: ChannelMessage['attachments']
}

export interface DirectOutcome {
  /** `sent`: the provider has taken it. Never `queued`: nothing is tried again by itself. */
  readonly state: Extract<MessageState, 'sent' | 'failed' | 'refused' | 'unclear'>
  readonly reason?: string | undefined
  readonly kind?: ChannelFaultKind | 'quota' | undefined
}

async function insertDirect(
  tx: Tx,
  scope: Scope,
  message: DirectMessage,
  segments: number,
  now: Moment,
): Promise<Id> {
  const { source, bizId, channel, receiver, params } = message
  const { purpose } = requireSource(source)
  const given = params ? JSON.stringify(params) : null
  const batch = await tx.one<{ id: Id }>(sql`
    insert into message_batch (
      owner_id, source, biz_id, channel, purpose, title, template, params, link, create_time, create_by
    )
    values (
      ${scope.ownerId}, ${source}, ${bizId}, ${codeOf(messageChannel, channel)},
      ${codeOf(messagePurpose, purpose)}, ${message.title}, ${message.template ?? null}, ${given}::jsonb,
      ${message.link ?? null}, ${now}::timestamptz, ${scope.operatorId}
    )
    returning id
  `)
  const row = await tx.one<{ id: Id }>(sql`
    insert into outgoing_message (
      owner_id, batch_id, source, biz_id, channel, purpose, receiver_kind, receiver_id, project_code,
      room_name, receiver_name, address, content, segments, quota, send_time, attempts, state, run_params,
      run_claim, create_time, update_time, create_by, update_by
    )
    values (
      ${scope.ownerId}, ${defined(batch).id}, ${source}, ${bizId}, ${codeOf(messageChannel, channel)},
      ${codeOf(messagePurpose, purpose)}, ${codeOf(receiverKind, receiver.kind)}, ${receiver.id},
      ${message.projectCode ?? null}, ${message.room ?? null}, ${receiver.name ?? null}, ${message.address},
      ${message.text}, ${segments}, ${code(quotaState, segments ? 'reserved' : 'none')},
      ${now}::timestamptz, 1, ${code(messageState, 'sending')}, ${given}::jsonb, ${now}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz, ${scope.operatorId}, ${scope.operatorId}
    )
    returning id
  `)
  return defined(row).id
}

const isBlackListed = async (tx: Tx, ownerId: Id, { channel, address }: DirectMessage): Promise<boolean> =>
  channel === 'sms' &&
  (await tx.one(sql`
    select 1 as found
    from sms_block
    where owner_id = ${ownerId}
      and mobile = ${address}
      and kind = ${code(smsBlockKind, 'blackListed')}
      and ${notDeleted()}
  `)) !== undefined

/** Nothing is tried again: who waits for the outcome sends again. */
const ending = (outcome: AttemptOutcome): AttemptOutcome =>
  outcome.state === 'queued' ? { ...outcome, state: 'failed', retryAfter: undefined } : outcome

const toDirect = ({ state, reason, fault }: AttemptOutcome): DirectOutcome => ({
  state: state === 'sent' || state === 'refused' || state === 'unclear' ? state : 'failed',
  reason,
  kind: fault?.kind,
})

/**
 * Sends one message at once, at the cost of the company's quota, and books it as the queue's are. It opens its
 * own transactions: not to be called inside one.
 */
export async function sendNow(app: App, ownerId: Id, message: DirectMessage): Promise<DirectOutcome> {
  const scope = clockScope(app, ownerId)
  const now = fromInstant(app.clock())
  const segments = message.channel === 'sms' ? segmentsOf(message.text, smsSignName()) : 0
  const started = await app.database.tx(ownerId, async (tx): Promise<DirectOutcome | Id> => {
    if (await isBlackListed(tx, ownerId, message))
      return { state: 'refused', reason: '号码在短信黑名单中，未发送', kind: 'refused' }
    const { source, bizId } = message
    if (!(await tryReserve(tx, scope, segments, { source, bizId })))
      return { state: 'failed', reason: '短信余量不足，请购买短信后重发', kind: 'quota' }
    return insertDirect(tx, scope, message, segments, now)
  })
  if (typeof started === 'object') return started
  const outcome = ending(
    await attempt(app, {
      ownerId,
      id: started,
      source: message.source,
      channel: message.channel,
      projectCode: message.projectCode,
      receiverKind: message.receiver.kind,
      receiverId: message.receiver.id,
      address: message.address,
      title: message.title,
      content: message.text,
      template: message.template,
      params: message.params,
      link: message.link,
      attachments: message.attachments,
      attempts: 1,
      isExpired: false,
    }),
  )
  await app.database.tx(ownerId, tx => bookAttempts(tx, scope, [outcome], fromInstant(app.clock())))
  return toDirect(outcome)
}

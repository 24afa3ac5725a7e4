import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import {
  messageChannel,
  messagePurpose,
  messageState,
  receiverKind,
  type MessageChannel,
} from '../contract/choices.ts'
import { isMarketingHour } from '../domain/window.ts'
import type { ChannelMessage } from './channels.ts'

/** A message that this process sends now. */
export interface ClaimedMessage extends ChannelMessage {
  readonly channel: MessageChannel
  readonly attempts: number
  readonly isExpired: boolean
}

interface ClaimedRow {
  readonly id: Id
  readonly source: string
  readonly projectCode?: string
  readonly receiverKind: number
  readonly receiverId: Id
  readonly address: string
  readonly content: string
  readonly attempts: number
  readonly isExpired?: boolean
  readonly title: string
  readonly template?: string
  readonly link?: string
  readonly runParams?: Readonly<Record<string, string>>
}

/**
 * Takes the next due messages of a channel, so that no other process sends them too. They wait for their
 * slots: each is sent after `startMessages` has marked it.
 */
export async function claimMessages(
  app: App,
  ownerId: Id,
  channel: MessageChannel,
  now: Moment,
  limit: number,
): Promise<ClaimedMessage[]> {
  const hours = isMarketingHour(now) ? sql`` : sql`and q.purpose <> ${code(messagePurpose, 'marketing')}`
  const rows = await app.database.tx(ownerId, tx =>
    tx.rows<ClaimedRow>(sql`
      update outgoing_message m
      set state = ${code(messageState, 'sending')}, attempts = m.attempts + 1,
        run_claim = ${now}::timestamptz, run_pending = true
      from message_batch b
      where m.owner_id = ${ownerId}
        and b.owner_id = ${ownerId}
        and b.id = m.batch_id
        and m.id = any(array(
          select q.id
          from outgoing_message q
          where q.owner_id = ${ownerId}
            and q.channel = ${codeOf(messageChannel, channel)}
            and q.state = ${code(messageState, 'queued')}
            and q.send_time <= ${now}::timestamptz ${hours}
          order by q.send_time, q.id
          limit ${limit}
          for update skip locked
        ))
      returning m.id, m.source, m.project_code, m.receiver_kind, m.receiver_id, m.address, m.content,
        m.attempts, m.expire_time < ${now}::timestamptz as is_expired, m.run_params,
        b.title, b.provider_code as template, b.link
    `),
  )
  return rows.map(({ receiverKind: kind, runParams, isExpired = false, ...row }) => ({
    ...row,
    ownerId,
    channel,
    isExpired,
    receiverKind: defined(keyOf(receiverKind, kind)),
    params: runParams,
  }))
}

/**
 * Marks messages as begun, in a transaction of its own before their calls: what a dead sender has not begun
 * nobody got. Returns those that may be sent; the others were taken back in the meantime.
 */
export async function startMessages(
  app: App,
  ownerId: Id,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlySet<Id>> {
  const taken = JSON.stringify(messages.map(({ id, attempts }) => ({ id, attempts })))
  const rows = await app.database.tx(ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      with own as materialized (
        select m.id
        from json_to_recordset(${taken}::json) as v(id bigint, attempts integer)
        join outgoing_message m on m.id = v.id and m.attempts = v.attempts
        where m.owner_id = ${ownerId}
          and m.id = any(${messages.map(({ id }) => id)}::bigint[])
          and m.state = ${code(messageState, 'sending')}
          and m.run_pending
        order by m.id
        for no key update of m
      )
      update outgoing_message m
      set run_pending = false
      from own
      where m.owner_id = ${ownerId} and m.id = own.id
      returning m.id
    `),
  )
  return new Set(rows.map(({ id }) => id))
}

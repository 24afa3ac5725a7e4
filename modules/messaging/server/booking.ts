import { codeOf, keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import {
  messageChannel,
  messageState,
  quotaState,
  receiverKind,
  type MessageState,
} from '../contract/choices.ts'
import { findSource } from './message-source.ts'
import { settleQuota } from './quota.ts'

/** What an attempt, or a report about it, makes of a message. */
export interface Outcome {
  readonly id: Id
  /** Of an attempt: booked only while no other has begun. */
  readonly attempts?: number | undefined
  readonly state: MessageState
  readonly reason?: string | undefined
  readonly ref?: string | undefined
  /** Of `queued`: minutes until the next attempt. */
  readonly retryAfter?: number | undefined
}

interface BookedRow {
  readonly source: string
  readonly bizId: Id
  readonly channel: number
  readonly receiverKind: number
  readonly receiverId: Id
  readonly state: number
  readonly failReason?: string
  readonly segments: number
  readonly quota: number
  readonly oldQuota: number
}

/** The quota of a message in a new state: what arrived is used up, what will never arrive comes back. */
const quotaAfter = sql`case
  when m.quota = ${code(quotaState, 'none')} then m.quota
  when r.state = ${code(messageState, 'delivered')} then ${code(quotaState, 'used')}::smallint
  when r.state in ${codes(messageState, 'failed', 'refused', 'cancelled')}
    then ${code(quotaState, 'returned')}::smallint
  else m.quota
  end`

const ended = codes(messageState, 'delivered', 'failed', 'refused', 'cancelled')

/** What was to be stopped while a sender had it, and comes back unsent, is over. */
const stateAfter = sql`case
  when v.state = ${code(messageState, 'queued')} and o.run_cancel
    then ${code(messageState, 'cancelled')}::smallint
  else v.state
  end`

/** Writes outcomes to messages that are in one of the states that these may follow. */
const writeOutcomes = (
  tx: Tx,
  ownerId: Id,
  outcomes: readonly Outcome[],
  now: Moment,
  follows: RawBuilder<unknown>,
): Promise<BookedRow[]> => {
  const rows = outcomes.map(({ id, attempts, state, reason, ref, retryAfter }) => ({
    id,
    attempts,
    state: codeOf(messageState, state),
    reason: reason?.slice(0, 100),
    ref,
    send: retryAfter === undefined ? undefined : addMinutes(now, retryAfter),
  }))
  const ids = sql`any(${outcomes.map(({ id }) => id)}::bigint[])`
  return tx.rows<BookedRow>(sql`
    with r as materialized (
      select v.id, v.attempts, v.reason, v.ref, v.send, ${stateAfter} as state, o.quota as old_quota
      from json_to_recordset(${JSON.stringify(rows)}::json) as v(
        id bigint, attempts integer, state smallint, reason text, ref text, send timestamptz
      )
      join outgoing_message o on o.id = v.id
      where o.owner_id = ${ownerId} and o.id = ${ids}
      order by o.id
      for no key update of o
    )
    update outgoing_message m
    set state = r.state, quota = ${quotaAfter}, fail_reason = r.reason,
      provider_ref = coalesce(r.ref, m.provider_ref), send_time = coalesce(r.send, m.send_time),
      sent_time = case
        when r.state in ${codes(messageState, 'sent', 'delivered')} then coalesce(m.sent_time, ${now}::timestamptz)
        else m.sent_time
      end,
      end_time = case when r.state in ${ended} then ${now}::timestamptz end,
      run_claim = case when r.state = ${code(messageState, 'unclear')} then m.run_claim end,
      run_pending = false, update_time = ${now}::timestamptz, version = m.version + 1
    from r
    where m.owner_id = ${ownerId}
      and m.id = ${ids}
      and m.id = r.id
      and (r.attempts is null or r.attempts = m.attempts)
      and ${follows}
    returning m.source, m.biz_id, m.channel, m.receiver_kind, m.receiver_id, m.state, m.fail_reason,
      m.segments, m.quota, r.old_quota
  `)
}

const sumOf = (
  rows: readonly BookedRow[],
  from: keyof typeof quotaState.rows,
  to: keyof typeof quotaState.rows,
) =>
  rows
    .filter(row => row.oldQuota === codeOf(quotaState, from) && row.quota === codeOf(quotaState, to))
    .reduce((sum, { segments }) => sum + segments, 0)

/** The quota of the messages and what their modules make of them, in the transaction of the outcomes. */
async function publish(tx: Tx, scope: Scope, rows: readonly BookedRow[]): Promise<void> {
  const byBusiness = Map.groupBy(rows, ({ source, bizId }) => `${source} ${bizId}`)
  for (const own of byBusiness.values()) {
    const { source, bizId } = defined(own[0])
    const used = sumOf(own, 'reserved', 'used')
    const returned = sumOf(own, 'reserved', 'returned')
    const takenBack = sumOf(own, 'used', 'returned')
    await settleQuota(tx, scope, { used, returned, takenBack }, { source, bizId })
  }
  for (const [source, own] of Map.groupBy(rows, row => row.source)) {
    const news = own.flatMap(row => {
      const state = defined(keyOf(messageState, row.state))
      if (state === 'queued' || state === 'sending') return []
      return [
        {
          bizId: row.bizId,
          receiverKind: defined(keyOf(receiverKind, row.receiverKind)),
          receiverId: row.receiverId,
          channel: defined(keyOf(messageChannel, row.channel)),
          state,
          reason: row.failReason,
        },
      ]
    })
    if (news.length) {
      await findSource(source)?.onOutcomes?.(tx, scope, news)
    }
  }
}

/** Books what attempts came to; a message of which a report came first keeps it. */
export async function bookAttempts(
  tx: Tx,
  scope: Scope,
  outcomes: readonly Outcome[],
  now: Moment,
): Promise<number> {
  const follows = sql`m.state = ${code(messageState, 'sending')}`
  const rows = await writeOutcomes(tx, scope.ownerId, outcomes, now, follows)
  await publish(tx, scope, rows)
  return rows.length
}

/** Books delivery reports, each message once, however often and late it is reported. */
export async function bookReports(
  tx: Tx,
  scope: Scope,
  outcomes: readonly Outcome[],
  now: Moment,
): Promise<number> {
  const follows = sql`(
    m.state in ${codes(messageState, 'sending', 'unclear', 'sent')}
    or (m.state = ${code(messageState, 'delivered')} and r.state = ${code(messageState, 'failed')} and m.fail_reason is not null)
  )`
  const rows = await writeOutcomes(tx, scope.ownerId, outcomes, now, follows)
  await publish(tx, scope, rows)
  return rows.length
}

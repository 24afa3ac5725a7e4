import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { analyzeIfGrown } from '#kit/server/table-statistics.ts'
import type { Audience } from '../contract/audience.ts'
import {
  exclusionReason,
  messageChannel,
  messagePurpose,
  messageState,
  quotaState,
  type ExclusionReason,
  type MessageChannel,
} from '../contract/choices.ts'
import { messageTextOf } from '../domain/opt-out.ts'
import { fileVariablesOf, requiredVariablesOf } from '../domain/template.ts'
import { nextMarketingMoment } from '../domain/window.ts'
import { audienceQuery } from './audience.ts'
import { contentSql, paramsSql, segmentsSql, smsSignName } from './message-text.ts'
import { requireSource } from './message-source.ts'
import { filledVariables, requiredVariables } from './number-file-store.ts'
import { reserve, settleQuota, tryReserve } from './quota.ts'
import { reachQuery, receiversQuery, type Receiver } from './reach.ts'

type Sql = RawBuilder<unknown>

export interface QueueContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly now: Moment
}

/** `{name}`, `{room}` and `{project}` in the text and the parameters become the receiver's. */
export interface MessageContent {
  readonly title: string
  readonly text: string
  /** The template at the provider, with its parameters; without, one that has the text alone. */
  readonly template?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
}

export interface QueueInput {
  readonly source: string
  readonly bizId: Id
  readonly channel: MessageChannel
  readonly to: Audience | readonly Receiver[]
  readonly message: MessageContent
  readonly link?: string | undefined
  readonly sendAt?: Moment | undefined
  /** Not sent after it. */
  readonly expiresAt?: Moment | undefined
  /** Where it differs from the purpose of the source. */
  readonly purpose?: keyof typeof messagePurpose.rows | undefined
  /** `skip`: where the quota is not enough nothing is sent, and the caller's work goes on. */
  readonly whenShort?: 'refuse' | 'skip'
}

export interface QueueResult {
  readonly queued: number
  readonly segments: number
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[]
}

const isAudience = (to: QueueInput['to']): to is Audience => !Array.isArray(to)

const chosenOf = (scope: Scope, to: QueueInput['to']): Sql =>
  isAudience(to) ? audienceQuery(scope, to) : receiversQuery(scope, to)

const hasVariables = (to: readonly Receiver[]): boolean => to.some(({ variables }) => variables !== undefined)

/** The variables of the text that lines of a file fill in: now, or when it was sent first. */
const variablesOf = (to: QueueInput['to'], text: string): readonly string[] => {
  if (isAudience(to)) return filledVariables(to, text)
  return hasVariables(to) ? fileVariablesOf(text) : []
}

/** Without a value for these a receiver gets no message. */
const requiredOf = (to: QueueInput['to'], text: string): readonly string[] => {
  if (isAudience(to)) return requiredVariables(to, text)
  return hasVariables(to) ? requiredVariablesOf(text) : []
}

async function insertBatch(
  { tx, scope, now }: QueueContext,
  input: QueueInput,
  purpose: keyof typeof messagePurpose.rows,
): Promise<Id> {
  const { source, bizId, channel, message, link } = input
  const row = await tx.one<{ id: Id }>(sql`
    insert into message_batch (
      owner_id, source, biz_id, channel, purpose, title, provider_code, params, link, create_time, create_by
    )
    values (
      ${scope.ownerId}, ${source}, ${bizId}, ${codeOf(messageChannel, channel)},
      ${codeOf(messagePurpose, purpose)}, ${message.title}, ${message.template ?? null},
      ${message.params ? JSON.stringify(message.params) : null}::jsonb, ${link ?? null},
      ${now}::timestamptz, ${scope.operatorId}
    )
    returning id
  `)
  return defined(row).id
}

interface PutRow {
  readonly queued: number
  readonly segments: number
  readonly reasons: Readonly<Record<string, number>>
}

/** Everybody of the audience whom the channel reaches gets a row, in one statement. */
async function insertMessages(
  { tx, scope, now }: QueueContext,
  input: QueueInput,
  batchId: Id,
  purpose: keyof typeof messagePurpose.rows,
): Promise<PutRow> {
  const { source, bizId, channel, message, to } = input
  const wanted = input.sendAt !== undefined && input.sendAt > now ? input.sendAt : now
  const sendAt = purpose === 'marketing' ? nextMarketingMoment(wanted) : wanted
  const isSms = channel === 'sms'
  const text = messageTextOf(message.text, channel, purpose)
  const variables = variablesOf(to, text)
  const required = requiredOf(to, text)
  const chosen = reachQuery(scope.ownerId, channel, purpose, chosenOf(scope, to), required)
  const row = await tx.one<PutRow>(sql`
    with reached as materialized (${chosen}),
    worded as (
      select c.*, ${contentSql(sql`${text}::text`, variables)} as content, ${paramsSql(message.params)} as params
      from reached c
      left join estate e on e.owner_id = ${scope.ownerId} and e.project_code = c.project_code and e.delete_tag = 0
      where c.reason is null
    ),
    put as (
      insert into outgoing_message (
        owner_id, batch_id, source, biz_id, channel, purpose, receiver_kind, receiver_id, project_code,
        room_name, receiver_name, address, content, segments, quota, send_time, expire_time, state, run_params,
        run_variables, create_time, update_time, create_by, update_by
      )
      select ${scope.ownerId}::bigint, ${batchId}::integer, ${source}::text, ${bizId}::integer,
        ${codeOf(messageChannel, channel)}::smallint, ${codeOf(messagePurpose, purpose)}::smallint,
        w.receiver_kind, w.receiver_id, w.project_code, w.room, w.name, w.address, w.content,
        ${isSms ? segmentsSql(sql`w.content`, smsSignName()) : sql`0`},
        ${code(quotaState, isSms ? 'reserved' : 'none')}, ${sendAt}::timestamptz,
        ${input.expiresAt ?? null}::timestamptz, ${code(messageState, 'queued')}, w.params,
        ${variables.length ? sql`w.variables` : sql`null::jsonb`},
        ${now}::timestamptz, ${now}::timestamptz, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
      from worded w
      returning segments
    )
    select count(*)::integer as queued, coalesce(sum(segments), 0)::integer as segments,
      (
        select coalesce(json_object_agg(g.reason, g.n), '{}'::json)
        from (select reason, count(*)::integer as n from reached where reason is not null group by 1) g
      ) as reasons
    from put
  `)
  return defined(row)
}

const removeBatch = (tx: Tx, ownerId: Id, batchId: Id): Promise<number> =>
  tx.execute(sql`delete from outgoing_message where owner_id = ${ownerId} and batch_id = ${batchId}`)

/**
 * Puts a message to everybody of an audience, or to named receivers, into the queue, and sets its quota of
 * short messages aside (SMS-2): refuses where that is not enough. It is sent within a second.
 */
export async function queueMessages(c: QueueContext, input: QueueInput): Promise<QueueResult> {
  const source = requireSource(input.source)
  const purpose = input.purpose ?? source.purpose
  if (input.channel === 'email' && !input.message.title) return refuse('邮件需要标题，请填写')
  const batchId = await insertBatch(c, input, purpose)
  const { queued, segments, reasons } = await insertMessages(c, input, batchId, purpose)
  // The senders look single messages up: without statistics each look reads all of the company's.
  await analyzeIfGrown(c.tx, 'outgoing_message', queued)
  const ref = { source: source.key, bizId: input.bizId }
  if (input.whenShort !== 'skip') {
    await reserve(c.tx, c.scope, segments, ref)
  } else if (!(await tryReserve(c.tx, c.scope, segments, ref))) {
    c.app.log.warn({ company: c.scope.ownerId, ...ref, segments }, 'quota of short messages not enough')
    await removeBatch(c.tx, c.scope.ownerId, batchId)
    return { queued: 0, segments: 0, excluded: [] }
  }
  const excluded = Object.entries(reasons).flatMap(([reason, count]) => {
    const key = keyOf(exclusionReason, Number(reason))
    return key ? [{ reason: key, count }] : []
  })
  return { queued, segments, excluded }
}

/**
 * Takes back what has not been handed over yet, and returns its quota; what a sender hands over now is not
 * tried again if it comes back. Returns how many messages.
 */
export async function cancelMessages(
  { tx, scope, now }: Omit<QueueContext, 'app'>,
  source: string,
  bizId: Id,
): Promise<number> {
  const isHanded = sql`(o.state = ${code(messageState, 'sending')} and not o.run_pending)`
  const row = await tx.one<{ count: number; segments: number }>(sql`
    with own as materialized (
      select o.id, ${isHanded} as is_handed
      from outgoing_message o
      where o.owner_id = ${scope.ownerId}
        and o.source = ${source}
        and o.biz_id = ${bizId}
        and o.state in ${codes(messageState, 'queued', 'sending')}
        and not o.run_cancel
      order by o.id
      for no key update of o
    ),
    ended as (
      update outgoing_message m
      set state = case when own.is_handed then m.state else ${code(messageState, 'cancelled')}::smallint end,
        end_time = case when own.is_handed then m.end_time else ${now}::timestamptz end,
        quota = case when m.quota = ${code(quotaState, 'reserved')} and not own.is_handed
          then ${code(quotaState, 'returned')}::smallint else m.quota end,
        run_cancel = own.is_handed, run_pending = false,
        ${touch(scope, 'm')}
      from own
      where m.owner_id = ${scope.ownerId} and m.id = own.id
      returning m.segments, own.is_handed
    )
    select count(*)::integer as count,
      coalesce(sum(segments) filter (where not is_handed), 0)::integer as segments
    from ended
  `)
  const { count, segments } = defined(row)
  await settleQuota(tx, scope, { used: 0, returned: segments, takenBack: 0 }, { source, bizId })
  return count
}

export interface MessageFigures {
  readonly bizId: Id
  readonly channel: MessageChannel
  /** Waits, or is with a sender. */
  readonly queued: number
  /** Taken by the provider: delivered ones too. */
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly refused: number
  readonly unclear: number
  readonly cancelled: number
}

/** How far the messages about some business are, by channel. */
export async function messageFigures(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  source: string,
  bizIds: readonly Id[],
): Promise<MessageFigures[]> {
  const counted = (...keys: readonly (keyof typeof messageState.rows)[]): Sql =>
    sql`count(*) filter (where m.state in ${codes(messageState, ...keys)})::integer`
  const rows = await db.rows<Omit<MessageFigures, 'channel'> & { channel: number }>(sql`
    select m.biz_id, m.channel, ${counted('queued', 'sending')} as queued,
      ${counted('sent', 'delivered')} as sent, ${counted('delivered')} as delivered,
      ${counted('failed')} as failed, ${counted('refused')} as refused,
      ${counted('unclear')} as unclear, ${counted('cancelled')} as cancelled
    from outgoing_message m
    where m.owner_id = ${ownerId} and m.source = ${source} and m.biz_id = any(${[...bizIds]}::bigint[])
    group by 1, 2
    order by 1, 2
  `)
  return rows.map(row => ({ ...row, channel: defined(keyOf(messageChannel, row.channel)) }))
}

import type { Id } from '#kit/domain/id.ts'
import { keysOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { Audience } from '../contract/audience.ts'
import {
  exclusionReason,
  messageChannel,
  receiverKind,
  type ExclusionReason,
  type MessageChannel,
  type MessagePurpose,
} from '../contract/choices.ts'
import { smsBlockKind } from '../contract/sms-choices.ts'
import { audienceQuery } from './audience.ts'
import { channelOf } from './channels.ts'
import { missesVariable } from './message-text.ts'
import { requiredVariables } from './number-file-store.ts'

type Sql = RawBuilder<unknown>

const reason = (key: ExclusionReason): Sql => code(exclusionReason, key)

const missing: Readonly<Record<MessageChannel, ExclusionReason>> = {
  sms: 'noAddress',
  wechat: 'notBound',
  email: 'noEmail',
}

/** Once for each address: of people who share one, the first gets the message. */
const isRepeated = sql`row_number() over (
  partition by b.address order by b.receiver_kind, b.receiver_id, b.line
) > 1`

/**
 * An audience `chosen` as one channel reaches it: the same columns with `address`, and with `reason` where
 * somebody gets no message: also for want of a value of one of the `required` variables.
 */
export function reachQuery(
  ownerId: Id,
  channel: MessageChannel,
  purpose: MessagePurpose,
  chosen: Sql,
  required: readonly string[] = [],
): Sql {
  const isSms = channel === 'sms'
  const blocks = isSms
    ? sql`left join sms_block k on k.owner_id = ${ownerId} and k.mobile = b.address and ${notDeleted('k')}`
    : sql``
  const refusals = isSms
    ? sql`
        when b.address !~ '^1[3-9][0-9]{9}$' then ${reason('badAddress')}
        when k.kind = ${code(smsBlockKind, 'blackListed')} then ${reason('blackListed')}
        ${purpose === 'marketing' ? sql`when k.kind is not null then ${reason('optedOut')}` : sql``}
      `
    : sql``
  return sql`
    select b.*, (case
        when coalesce(b.address, '') = '' then ${reason(missing[channel])}
        ${refusals}
        when ${missesVariable(sql`b`, required)} then ${reason('missingVariable')}
        when ${isRepeated} then ${reason('duplicate')}
      end)::smallint as reason
    from (select a.*, ${channelOf(channel).addressSql(ownerId)} as address from (${chosen}) a) b
    ${blocks}
  `
}

export interface ChannelCount {
  readonly channel: MessageChannel
  readonly reachable: number
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[]
}

export interface AudienceCount {
  readonly people: number
  readonly channels: readonly ChannelCount[]
}

interface CountRow {
  readonly channel: number
  readonly people: number
  readonly counts: Readonly<Record<string, number>>
}

const reasonsOf = (counts: CountRow['counts']): ChannelCount['excluded'] =>
  keysOf(exclusionReason)
    .map(key => ({ reason: key, count: counts[exclusionReason.rows[key][0]] ?? 0 }))
    .filter(({ count }) => count > 0)

/** Whom a choice means, how many of them each channel reaches with a text, and why the others are not. */
export async function countAudience(
  db: Db,
  scope: Scope,
  audience: Audience,
  channels: readonly MessageChannel[],
  purpose: MessagePurpose = 'service',
  text = '',
): Promise<AudienceCount> {
  const required = requiredVariables(audience, text)
  const chosen = sql`select * from chosen`
  const counts = channels.map(
    channel => sql`
      select ${code(messageChannel, channel)}::smallint as channel, sum(n)::integer as people,
        json_object_agg(coalesce(reason, 0), n) as counts
      from (
        select reason, count(*)::integer as n
        from (${reachQuery(scope.ownerId, channel, purpose, chosen, required)}) reached
        group by reason
      ) grouped
    `,
  )
  const total = sql`select 0::smallint as channel, count(*)::integer as people, '{}'::json as counts from chosen`
  const rows = await db.rows<CountRow>(sql`
    with chosen as materialized (${audienceQuery(scope, audience)})
    ${sql.join([total, ...counts], sql` union all `)}
  `)
  return {
    people: rows.find(row => row.channel === 0)?.people ?? 0,
    channels: channels.map(channel => {
      const found = rows.find(row => row.channel === messageChannel.rows[channel][0])
      const byReason = found?.counts ?? {}
      return { channel, reachable: byReason[0] ?? 0, excluded: reasonsOf(byReason) }
    }),
  }
}

export interface SampleReceiver {
  readonly receiverKind: number
  readonly receiverId: Id
  readonly projectCode?: string
  readonly roomId?: Id
  readonly room?: string
  readonly name?: string
  readonly address: string
}

/** The first of those whom a channel reaches. */
export const sampleAudience = (
  db: Db,
  scope: Scope,
  audience: Audience,
  channel: MessageChannel,
  size: number,
  purpose: MessagePurpose = 'service',
): Promise<SampleReceiver[]> =>
  db.rows<SampleReceiver>(sql`
    select s.receiver_kind, s.receiver_id, s.project_code, s.room_id, s.room, s.name, s.address
    from (${reachQuery(scope.ownerId, channel, purpose, audienceQuery(scope, audience))}) s
    where s.reason is null
    order by s.receiver_kind, s.receiver_id, s.line
    limit ${size}
  `)

/** Somebody chosen by name; an address that is not known is that of the person's record. */
export interface Receiver {
  readonly kind: keyof typeof receiverKind.rows
  readonly id: Id
  readonly projectCode?: string | undefined
  readonly roomId?: Id | undefined
  readonly room?: string | undefined
  readonly name?: string | undefined
  readonly mobile?: string | undefined
  readonly email?: string | undefined
  readonly openId?: string | undefined
  /** What a line of a file of numbers filled into the text. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

/** The columns of `audienceQuery` for receivers; what is not known of a person is read from the record. */
export function receiversQuery({ ownerId }: Pick<Scope, 'ownerId'>, receivers: readonly Receiver[]): Sql {
  const rows = receivers.map(({ kind, id, ...rest }) => ({
    kind: receiverKind.rows[kind][0],
    id,
    project: rest.projectCode,
    room_id: rest.roomId,
    room: rest.room,
    name: rest.name,
    mobile: rest.mobile,
    email: rest.email,
    open_id: rest.openId,
    variables: rest.variables,
  }))
  return sql`
    select v.kind as receiver_kind, v.id as receiver_id, v.project as project_code, v.room_id, v.room,
      coalesce(v.name, p.name, s.name) as name, coalesce(v.mobile, p.mobile, s.mobile) as mobile,
      coalesce(v.email, p.email) as email, coalesce(v.open_id, p.run_wechat) as open_id,
      null::integer as line, v.variables
    from json_to_recordset(${JSON.stringify(rows)}::json) as v(
      kind smallint, id bigint, project text, room_id bigint, room text, name text, mobile text, email text,
      open_id text, variables jsonb
    )
    left join resident p on p.owner_id = ${ownerId}
      and v.kind = ${code(receiverKind, 'resident')}
      and p.id = v.id
      and ${notDeleted('p')}
    left join staff s on s.owner_id = ${ownerId}
      and v.kind = ${code(receiverKind, 'staff')}
      and s.id = v.id
      and ${notDeleted('s')}
  `
}

import { defined } from '#kit/domain/defined.ts'
import type { ExclusionReason, MessageChannel, MessagePurpose } from '../contract/choices.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Audience } from '../contract/audience.ts'
import { messageTextOf } from '../domain/opt-out.ts'
import { audienceQuery } from './audience.ts'
import { contentSql, segmentsSql, smsSignName } from './message-text.ts'
import { filledVariables, requiredVariables } from './number-file-store.ts'
import { findUsable } from './quota.ts'
import { countAudience, reachQuery, type ChannelCount } from './reach.ts'

export interface Sample {
  readonly channel: MessageChannel
  readonly name?: string
  readonly room?: string
  readonly address: string
  readonly content: string
}

interface Cost {
  readonly segments: number
  readonly largest: number
}

const sampleSize = 10

const reachedBy = (
  scope: Scope,
  audience: Audience,
  channel: MessageChannel,
  purpose: MessagePurpose,
  text: string,
) =>
  reachQuery(
    scope.ownerId,
    channel,
    purpose,
    audienceQuery(scope, audience),
    requiredVariables(audience, text),
  )

/** How many messages the provider counts, and the largest number for one receiver. */
async function costOf(
  db: Db,
  scope: Scope,
  audience: Audience,
  purpose: MessagePurpose,
  text: string,
): Promise<Cost> {
  const { ownerId } = scope
  const row = await db.one<Cost>(sql`
    select coalesce(sum(s.n), 0)::integer as segments, coalesce(max(s.n), 0)::integer as largest
    from (
      select ${segmentsSql(contentSql(sql`${text}::text`, filledVariables(audience, text)), smsSignName())} as n
      from (${reachedBy(scope, audience, 'sms', purpose, text)}) c
      left join estate e on e.owner_id = ${ownerId} and e.project_code = c.project_code and e.delete_tag = 0
      where c.reason is null
    ) s
  `)
  return defined(row)
}

/** The first messages as they will be. */
async function samplesOf(
  db: Db,
  scope: Scope,
  audience: Audience,
  channel: MessageChannel,
  purpose: MessagePurpose,
  text: string,
): Promise<Sample[]> {
  const { ownerId } = scope
  const rows = await db.rows<Omit<Sample, 'channel'>>(sql`
    select c.name, c.room, c.address, ${contentSql(sql`${text}::text`, filledVariables(audience, text))} as content
    from (${reachedBy(scope, audience, channel, purpose, text)}) c
    left join estate e on e.owner_id = ${ownerId} and e.project_code = c.project_code and e.delete_tag = 0
    where c.reason is null
    order by c.receiver_kind, c.receiver_id, c.line
    limit ${sampleSize}
  `)
  return rows.map(row => ({ channel, ...row }))
}

export interface RecipientCount {
  readonly people: number
  readonly channels: readonly ChannelCount[]
  readonly segments: number
  readonly largest: number
  readonly usable: number
  readonly samples: readonly Sample[]
}

/** Everything that somebody looks at before sending. */
export async function countRecipientsOf(
  db: Db,
  scope: Scope,
  audience: Audience,
  channels: readonly MessageChannel[],
  purpose: MessagePurpose,
  draftText: string,
): Promise<RecipientCount> {
  const [first] = channels
  const text = messageTextOf(draftText, first ?? 'sms', purpose)
  const [counted, cost, samples, usable] = await Promise.all([
    countAudience(db, scope, audience, channels, purpose, draftText),
    channels.includes('sms') && text
      ? costOf(db, scope, audience, purpose, messageTextOf(draftText, 'sms', purpose))
      : { segments: 0, largest: 0 },
    first && text ? samplesOf(db, scope, audience, first, purpose, text) : [],
    findUsable(db, scope.ownerId),
  ])
  return { ...counted, ...cost, usable, samples }
}

export const countOf = ({ excluded }: Pick<ChannelCount, 'excluded'>, reason: ExclusionReason): number =>
  excluded.find(each => each.reason === reason)?.count ?? 0

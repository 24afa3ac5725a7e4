import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exclusionReason, type ExclusionReason, type MessageChannel } from '../contract/choices.ts'
import { contentSql, segmentsSql, smsSignName } from './message-text.ts'
import { reachQuery, receiversQuery, type Receiver } from './reach.ts'

/** How a channel reaches one receiver; an address that several share gets one message. */
export interface ReceiverReach {
  readonly receiverKind: number
  readonly receiverId: Id
  /** Why no message is sent. */
  readonly reason?: ExclusionReason | undefined
  /** Of its short message. */
  readonly segments: number
}

/** How a channel would reach named receivers with a text, each of them. */
export async function findReceiverReach(
  db: Db,
  scope: Pick<Scope, 'ownerId'>,
  receivers: readonly Receiver[],
  channel: MessageChannel,
  text: string,
): Promise<readonly ReceiverReach[]> {
  const { ownerId } = scope
  const segments = segmentsSql(contentSql(sql`${text}::text`), smsSignName())
  const rows = await db.rows<Omit<ReceiverReach, 'reason'> & { readonly reason?: number }>(sql`
    select c.receiver_kind, c.receiver_id, c.reason,
      case when c.reason is null and ${channel === 'sms'} then ${segments} else 0 end as segments
    from (${reachQuery(ownerId, channel, 'service', receiversQuery(scope, receivers))}) c
    left join estate e on e.owner_id = ${ownerId} and e.project_code = c.project_code and e.delete_tag = 0
  `)
  return rows.map(({ reason, ...row }) => ({
    ...row,
    reason: reason === undefined ? undefined : keyOf(exclusionReason, reason),
  }))
}

import type { Moment } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { deliveryState, type WebhookEndpoint } from '../contract/webhook.ts'
import { readableDeliveries } from './webhook-access.ts'

interface Waiting {
  readonly endpointId: Id
  readonly pendingCount: number
  readonly failingSince?: Moment
  readonly failureReason?: string
  readonly nextTime?: Moment
}

/** How many events wait at each endpoint; after a failure, since when, why, and when the next attempt is. */
export async function withWaiting(
  rows: readonly WebhookEndpoint[],
  { db, scope }: CrudContext,
): Promise<WebhookEndpoint[]> {
  // The last entries of a log are the attempts since the event was last replayed.
  const waiting = await db.rows<Waiting>(sql`
    select endpoint_id, count(*)::integer as pending_count,
      min(attempt_log -> -attempts ->> 'time') filter (where attempts > 0) as failing_since,
      (array_agg(reason order by last_time desc) filter (where attempts > 0))[1] as failure_reason,
      min(next_time) filter (where attempts > 0) as next_time
    from webhook_delivery
    where owner_id = ${scope.ownerId}
      and endpoint_id = any(${rows.map(row => row.id)}::bigint[])
      and state = ${code(deliveryState, 'pending')}
    group by endpoint_id
  `)
  const waitingAt = new Map(waiting.map(({ endpointId, ...found }) => [endpointId, found]))
  return rows.map(row => ({ ...row, ...(waitingAt.get(row.id) ?? { pendingCount: 0 }) }))
}

/**
 * What waits among some deliveries is sent now, with what waits before it at its endpoint (HOOK-2): the
 * receiver was mended, and nobody need wait for the next attempt. Returns how many of them waited.
 */
export async function sendWaitingNow(
  asked: RawBuilder<unknown>,
  { tx, app, scope }: WriteContext,
): Promise<number> {
  const now = new Date(app.clock())
  const waiting = await tx.rows<{ endpointId: Id }>(sql`
    select endpoint_id
    from webhook_delivery
    where owner_id = ${scope.ownerId}
      and ${asked}
      and state = ${code(deliveryState, 'pending')}
      and ${sql.join(readableDeliveries(scope, 'webhook_delivery'), sql` and `)}
  `)
  const endpoints = [...new Set(waiting.map(row => row.endpointId))]
  if (!endpoints.length) return 0
  await tx.execute(sql`
    update webhook_delivery
    set next_time = ${now}::timestamptz
    where owner_id = ${scope.ownerId}
      and endpoint_id = any(${endpoints}::bigint[])
      and state = ${code(deliveryState, 'pending')}
      and next_time > ${now}::timestamptz
  `)
  await tx.execute(sql`
    update webhook_endpoint
    set run_due = ${now}::timestamptz
    where owner_id = ${scope.ownerId} and id = any(${endpoints}::bigint[])
  `)
  return waiting.length
}

import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { deliveryState, webhookEndpoint, webhookState } from '../contract/webhook.ts'
import { retryDelayMs } from '../domain/retry.ts'
import { menu, paths } from '../module.ts'
import type { Batch, Lease, PendingDelivery } from './webhook-batch.ts'
import type { PostOutcome } from './webhook-post.ts'

const stoppedNotice = defineNotificationKind({
  key: 'integrations.webhook',
  label: '事件推送停用',
  group: 'notice',
  level: 'important',
})

export interface SentDelivery {
  readonly delivery: PendingDelivery & { readonly body: string }
  readonly outcome: PostOutcome
  readonly time: number
}

/** A row of `webhook_delivery` after an attempt, with the names of its columns. */
const rowOf = ({ delivery, outcome, time }: SentDelivery) => {
  const { isDelivered, hasRetired, statusCode, tookMs, reason, answer } = outcome
  const delay = isDelivered || hasRetired ? undefined : retryDelayMs(delivery.attempts + 1)
  const state = isDelivered ? 'delivered' : delay === undefined ? 'failed' : 'pending'
  return {
    id: delivery.id,
    state: deliveryState.rows[state][0],
    next_time: delay === undefined ? null : new Date(time + delay).toISOString(),
    last_time: new Date(time).toISOString(),
    status_code: statusCode ?? null,
    took_ms: tookMs,
    reason: reason ?? null,
    answer: answer ?? null,
    body: delivery.body,
    attempt: [
      {
        time: fromInstant(time),
        tookMs,
        ...(statusCode === undefined ? {} : { statusCode }),
        ...(reason === undefined ? {} : { reason }),
      },
    ],
  }
}

/** One statement for a whole batch. What was skipped or replayed in between stays as it is now. */
const writeDeliveries = (tx: Tx, ownerId: Id, sent: readonly SentDelivery[]): Promise<number> =>
  tx.execute(sql`
    update webhook_delivery d
    set state = r.state, attempts = d.attempts + 1, next_time = r.next_time, last_time = r.last_time,
      status_code = r.status_code, took_ms = r.took_ms, reason = r.reason, answer = r.answer, body = r.body,
      attempt_log = coalesce(d.attempt_log, '[]'::jsonb) || r.attempt
    from jsonb_to_recordset(${JSON.stringify(sent.map(rowOf))}::jsonb) as r(
      id bigint, state smallint, next_time timestamptz, last_time timestamptz, status_code integer,
      took_ms integer, reason text, answer text, body text, attempt jsonb
    )
    where d.owner_id = ${ownerId} and d.id = r.id and d.state = ${code(deliveryState, 'pending')}
  `)

const writeSkipped = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<number> =>
  tx.execute(sql`
    delete from webhook_delivery
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
  `)

/** Stops an endpoint that cannot be reached, and tells those who look after it (HOOK-3). */
async function stopEndpoint(
  tx: Tx,
  app: App,
  { ownerId, endpointId }: Lease,
  name: string,
  reason: string,
): Promise<void> {
  const stopReason = reason.slice(0, 300)
  await tx.execute(sql`
    update webhook_endpoint
    set state = ${code(webhookState, 'failed')}, stop_reason = ${stopReason}
    where owner_id = ${ownerId} and id = ${endpointId}
  `)
  await audit(tx, clockScope(app, ownerId), [
    {
      action: 'state',
      entity: webhookEndpoint.name,
      entityId: endpointId,
      after: { state: 'failed' },
      reason: stopReason,
    },
  ])
  await notify(tx, app, ownerId, {
    kind: stoppedNotice,
    to: { permission: menu.webhook.permissions.edit },
    title: `事件推送「${name}」已自动停用`,
    text: `${stopReason}。请检查接收程序，然后在「事件推送」中启用。`,
    link: `${paths.webhookDetail}?id=${endpointId}`,
    bizId: endpointId,
  })
}

const stopReasonOf = (sent: readonly SentDelivery[]): string | undefined => {
  const failed = sent.find(({ outcome }) => !outcome.isDelivered)
  if (!failed) return undefined
  if (failed.outcome.hasRetired) return '接收程序应答 410，表示不再接收'
  return retryDelayMs(failed.delivery.attempts + 1) === undefined
    ? `连续推送失败超过 3 天，最后一次：${failed.outcome.reason ?? ''}`
    : undefined
}

/** What became of a batch, together; a lease that is lost writes nothing. */
export async function writeOutcomes(
  app: App,
  lease: Lease,
  batch: Pick<Batch, 'name' | 'skipped'>,
  sent: readonly SentDelivery[],
): Promise<void> {
  const { ownerId, endpointId, holder } = lease
  const last = sent.at(-1)
  await app.database.tx(ownerId, async tx => {
    const isHeld = await tx.execute(sql`
      update webhook_endpoint
      set last_success_time = case
          when ${sent.some(s => s.outcome.isDelivered)} then ${new Date(app.clock())}::timestamptz
          else last_success_time
          end,
        last_failure_time = case
          when ${last?.outcome.isDelivered === false} then ${new Date(app.clock())}::timestamptz
          else last_failure_time
          end
      where owner_id = ${ownerId} and id = ${endpointId} and run_lease_holder = ${holder}
    `)
    if (!isHeld) return
    await writeDeliveries(tx, ownerId, sent)
    await writeSkipped(tx, ownerId, batch.skipped)
    const reason = stopReasonOf(sent)
    if (reason !== undefined) {
      await stopEndpoint(tx, app, lease, batch.name, reason)
    }
  })
}

import { randomUUID } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deliveryState, webhookState } from '../contract/webhook.ts'
import { handOutEvents } from './event-outbox.ts'
import { CompanyStopped, leaseMs, loadBatch, type Batch, type Lease } from './webhook-batch.ts'
import { writeOutcomes, type SentDelivery } from './webhook-outcome.ts'
import { postWebhook } from './webhook-post.ts'
import { signedHeaders } from './webhook-signature.ts'

/** Endpoints that this process sends to at once, each in its own turn: a slow one holds up no other. */
const maxEndpoints = 16
const timeoutMs = 10_000
/** A batch ends then, well before its lease. */
const batchMs = 15_000

interface Sender {
  readonly holder: string
  readonly running: Map<Id, Promise<void>>
  readonly ending: AbortController
}

const senders = new WeakMap<Database, Sender>()

function senderOf({ database }: Pick<App, 'database'>): Sender {
  const known = senders.get(database)
  if (known) return known
  const sender = {
    holder: randomUUID(),
    running: new Map<Id, Promise<void>>(),
    ending: new AbortController(),
  }
  senders.set(database, sender)
  return sender
}

/** By what a receiver recognises repeats: stable over attempts and replays, unique in the installation. */
export const webhookIdOf = (ownerId: Id, deliveryId: Id): string => `msg_${ownerId}_${deliveryId}`

/** Endpoints that have something to send and that no process has; over all companies, by an index. */
const findDue = (database: Database, now: Date): Promise<{ ownerId: Id; id: Id }[]> =>
  database.reader('*').rows(sql`
    select owner_id, id
    from webhook_endpoint
    where run_due <= ${now}
      and state = ${code(webhookState, 'on')}
      and ${notDeleted()}
      and (run_lease_until is null or run_lease_until < ${now})
    order by run_due
    limit 100
  `)

/** Of two processes that want an endpoint one gets it. */
async function takeLease(app: App, ownerId: Id, endpointId: Id, holder: string): Promise<Lease | undefined> {
  const now = new Date(app.clock())
  const taken = await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update webhook_endpoint
      set run_lease_holder = ${holder}, run_lease_until = ${new Date(now.getTime() + leaseMs)}
      where owner_id = ${ownerId}
        and id = ${endpointId}
        and run_due <= ${now}
        and (run_lease_until is null or run_lease_until < ${now})
    `),
  )
  return taken ? { ownerId, endpointId, holder } : undefined
}

/**
 * Frees the endpoint and says when it is due next. Its row is locked first: what is handed out at that time
 * is seen by the second statement, or sees the endpoint free.
 */
async function releaseLease(app: App, { ownerId, endpointId, holder }: Lease): Promise<void> {
  await app.database.tx(ownerId, async tx => {
    const owned = await tx.one(sql`
      select 1 as owned
      from webhook_endpoint
      where owner_id = ${ownerId} and id = ${endpointId} and run_lease_holder = ${holder}
      for update
    `)
    if (!owned) return
    await tx.execute(sql`
      update webhook_endpoint
      set run_lease_holder = null, run_lease_until = null, run_due = (
          select d.next_time
          from webhook_delivery d
          where d.owner_id = ${ownerId}
            and d.endpoint_id = ${endpointId}
            and d.state = ${code(deliveryState, 'pending')}
          order by d.id
          limit 1
        )
      where owner_id = ${ownerId} and id = ${endpointId}
    `)
  })
}

/** One after the other; the first that fails ends the batch, as those behind it must wait (HOOK-2). */
async function sendBatch(
  app: App,
  { ownerId }: Lease,
  batch: Batch,
  signal: AbortSignal,
  sent: SentDelivery[],
): Promise<void> {
  const startedAt = performance.now()
  for (const delivery of batch.deliveries) {
    if (signal.aborted || performance.now() - startedAt > batchMs) return
    const { body, id } = delivery
    const time = app.clock()
    const timestamp = Math.floor(time / 1000)
    const headers = signedHeaders(batch.secrets, { id: webhookIdOf(ownerId, id), timestamp, body })
    const outcome = await postWebhook({ url: batch.url, headers, body, timeoutMs, signal })
    sent.push({ delivery, outcome, time })
    if (!outcome.isDelivered) return
  }
}

/** Sends batches until nothing is due, something fails, or the endpoint is another process's. */
async function runEndpoint(app: App, lease: Lease, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const batch = await loadBatch(app, lease)
    if (!batch || (!batch.deliveries.length && !batch.skipped.length)) break
    const sent: SentDelivery[] = []
    try {
      await sendBatch(app, lease, batch, signal, sent)
    } finally {
      await writeOutcomes(app, lease, batch, sent)
    }
    if (sent.some(({ outcome }) => !outcome.isDelivered)) break
  }
}

async function serveEndpoint(app: App, sender: Sender, ownerId: Id, id: Id): Promise<void> {
  const lease = await takeLease(app, ownerId, id, sender.holder)
  if (!lease) return
  const { signal } = sender.ending
  try {
    await runEndpoint(app, lease, signal)
  } catch (err) {
    // The lease runs out by itself: whatever went wrong is tried again in a minute, not twice a second.
    if (!signal.aborted) throw err
  }
  await releaseLease(app, lease)
}

/** Begins to send what is due, and does not wait for it. */
async function startSending(app: App): Promise<void> {
  const sender = senderOf(app)
  if (sender.ending.signal.aborted) return
  for (const { ownerId, id } of await findDue(app.database, new Date(app.clock()))) {
    if (sender.running.size >= maxEndpoints) return
    if (sender.running.has(id)) continue
    const turn = serveEndpoint(app, sender, ownerId, id)
      .catch((err: unknown) => {
        if (!(err instanceof CompanyStopped)) {
          app.log.warn({ err, endpoint: id }, 'webhook endpoint not served')
        }
      })
      .finally(() => sender.running.delete(id))
    sender.running.set(id, turn)
  }
}

/** Twice a second in every process. */
export async function deliverEvents(app: App): Promise<void> {
  await handOutEvents(app)
  await startSending(app)
}

/** Until this process sends nothing that it has started to send. */
export async function sendingEnded(app: Pick<App, 'database'>): Promise<void> {
  await Promise.all(senderOf(app).running.values())
}

/** What is being sent is broken off: nobody knows whether it arrived, and it is sent again under its id. */
export async function stopSending(app: App): Promise<void> {
  senderOf(app).ending.abort()
  await sendingEnded(app)
}

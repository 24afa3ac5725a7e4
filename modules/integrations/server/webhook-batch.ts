import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Moment } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { loadCompanyCaller } from '#modules/accounts/server/public.ts'
import { deliveryState, testEventType, webhookState } from '../contract/webhook.ts'
import { isDeletion, sourceOfType } from './event-sources.ts'
import { secretsOf } from './webhook-secret.ts'

export const leaseMs = 60_000
const batchSize = 100

/** One endpoint that this process sends to, until the lease ends. */
export interface Lease {
  readonly ownerId: Id
  readonly endpointId: Id
  readonly holder: string
}

export interface PendingDelivery {
  readonly id: Id
  readonly type: string
  readonly subjectId: Id
  readonly eventTime: Moment
  readonly attempts: number
  readonly body?: string
}

/** Nothing is sent for a stopped company until it is started again. */
export class CompanyStopped extends Error {}

/** What is to be sent next, in order; `skipped` lies outside the scope of the endpoint. */
export interface Batch {
  readonly name: string
  readonly url: string
  readonly secrets: readonly string[]
  readonly deliveries: readonly (PendingDelivery & { readonly body: string })[]
  readonly skipped: readonly Id[]
}

interface EndpointRow {
  readonly id: Id
  readonly ownerId: Id
  readonly name: string
  readonly url: string
  readonly allProject: boolean
  readonly projectCodes?: string[]
  readonly runSecret: Buffer
  readonly runOldSecret?: Buffer
  readonly runOldUntil?: string
}

/** Prolongs the lease; nothing where another process has it, or the endpoint is off. */
const holdEndpoint = (tx: Tx, { ownerId, endpointId, holder }: Lease, now: number) =>
  tx.one<EndpointRow>(sql`
    update webhook_endpoint
    set run_lease_until = ${new Date(now + leaseMs)}
    where owner_id = ${ownerId}
      and id = ${endpointId}
      and run_lease_holder = ${holder}
      and state = ${code(webhookState, 'on')}
      and ${notDeleted()}
    returning id, owner_id, name, url, all_project, project_codes, run_secret, run_old_secret, run_old_until
  `)

const findPending = (tx: Tx, { ownerId, endpointId }: Lease, now: number) =>
  tx.rows<PendingDelivery & { isDue: boolean }>(sql`
    select id, type, subject_id, event_time, attempts, body, next_time <= ${new Date(now)} as is_due
    from webhook_delivery
    where owner_id = ${ownerId}
      and endpoint_id = ${endpointId}
      and state = ${code(deliveryState, 'pending')}
    order by id
    limit ${batchSize}
  `)

/** Whom an endpoint's data is read for: its projects, and no personal data in full. */
async function contextOf(app: App, row: EndpointRow): Promise<ReadContext | undefined> {
  const db = app.database.reader(row.ownerId)
  const company = await loadCompanyCaller(db, row.ownerId)
  if (!company) return undefined
  const now = fromInstant(app.clock())
  const projects = new Map((row.projectCodes ?? []).map(project => [project, null]))
  const scope: Scope = {
    ...company,
    operatorId: 0,
    name: row.name,
    domain: row.allProject ? unrestrictedDomain : { all: false, projects },
    canSeePersonalData: false,
    projectCode: '',
    ip: '',
    requestId: 'webhook',
    time: new Date(app.clock()).toISOString(),
  }
  return { db, app, scope, now, today: dayOfMoment(now), signal: new AbortController().signal }
}

const isoTime = (moment: Moment): string => `${moment.replace(' ', 'T')}+08:00`

const bodyOf = (ownerId: Id, { type, eventTime }: PendingDelivery, data: unknown): string =>
  JSON.stringify({ type, timestamp: isoTime(eventTime), company: ownerId, data })

/** The data of the deliveries of one type, read together. */
async function readData(
  type: string,
  deliveries: readonly PendingDelivery[],
  context: ReadContext,
): Promise<(delivery: PendingDelivery) => unknown> {
  if (type === testEventType) return () => ({ Message: '这是一条测试推送' })
  if (isDeletion(type)) return ({ subjectId }) => ({ ID: subjectId })
  const source = sourceOfType(type)
  const ids = [...new Set(deliveries.map(({ subjectId }) => subjectId))]
  const data = source ? await source.load(ids, context) : new Map<Id, unknown>()
  return ({ subjectId }) => data.get(subjectId)
}

/** Bodies of those that have none yet: a body once sent is sent again as it was. */
async function composeBodies(
  pending: readonly PendingDelivery[],
  ownerId: Id,
  context: ReadContext,
): Promise<ReadonlyMap<Id, string>> {
  const bodies = new Map<Id, string>()
  const without = pending.filter(({ body }) => body === undefined)
  for (const [type, deliveries] of Map.groupBy(without, ({ type: each }) => each)) {
    const dataOf = await readData(type, deliveries, context)
    for (const delivery of deliveries) {
      const data = dataOf(delivery)
      if (data !== undefined) {
        bodies.set(delivery.id, bodyOf(ownerId, delivery, data))
      }
    }
  }
  return bodies
}

/** The next deliveries of an endpoint, or nothing: none is due, or it is this process's no more. */
export async function loadBatch(app: App, lease: Lease): Promise<Batch | undefined> {
  const now = app.clock()
  const found = await app.database.tx(lease.ownerId, async tx => {
    const endpoint = await holdEndpoint(tx, lease, now)
    return endpoint && { endpoint, pending: await findPending(tx, lease, now) }
  })
  if (!found) return undefined
  const { endpoint, pending } = found
  const blocked = pending.findIndex(({ isDue }) => !isDue)
  const due = blocked < 0 ? pending : pending.slice(0, blocked)
  if (!due.length) return undefined
  const context = await contextOf(app, endpoint)
  if (!context) throw new CompanyStopped()
  const bodies = await composeBodies(due, lease.ownerId, context)
  const withBodies = due.flatMap(delivery => {
    const body = delivery.body ?? bodies.get(delivery.id)
    return body === undefined ? [] : [{ ...delivery, body }]
  })
  return {
    name: endpoint.name,
    url: endpoint.url,
    secrets: await secretsOf(app, endpoint),
    deliveries: withBodies,
    skipped: due.flatMap(({ id, body }) => (body === undefined && !bodies.has(id) ? [id] : [])),
  }
}

import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Statement, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deliveryState, webhookEvent, webhookState } from '../contract/webhook.ts'
import type { WebhookEvent } from './event-sources.ts'

interface ChangeEvents {
  readonly type: string
  readonly projectCode: string | undefined
  readonly ids: readonly Id[]
}

/** Of each transaction, by company. */
const pendingEvents = new WeakMap<object, Map<Id, ChangeEvents[]>>()

const insertEvents = (ownerId: Id, changes: readonly ChangeEvents[]): Statement => sql`
  insert into webhook_event (owner_id, type, subject_id, project_code)
  select ${ownerId}::bigint, c.type, s.id, c.project_code
  from unnest(
    ${changes.map(c => c.type)}::text[], ${changes.map(c => c.projectCode ?? null)}::text[],
    ${changes.map(c => `{${c.ids.join(',')}}`)}::text[]
  ) as c(type, project_code, ids)
  cross join unnest(c.ids::bigint[]) as s(id)
  where c.type = any(array(
    select unnest(e.event_types)
    from webhook_endpoint e
    where e.owner_id = ${ownerId} and e.state = ${code(webhookState, 'on')} and ${notDeleted('e')}
  ))
  returning id
`

/**
 * Written with the commit of the changes themselves (HOOK-1), in one statement whatever the number of changes
 * and records, and only where the company has an endpoint that wants them.
 */
export function recordEvents(
  tx: Pick<Tx, 'defer'>,
  ownerId: Id,
  event: WebhookEvent,
  ids: readonly Id[],
  projectCode: string | undefined,
): void {
  const changes = { type: String(codeOf(webhookEvent, event)), projectCode, ids }
  const byCompany = pendingEvents.get(tx) ?? new Map<Id, ChangeEvents[]>()
  pendingEvents.set(tx, byCompany)
  const known = byCompany.get(ownerId)
  if (known) {
    known.push(changes)
    return
  }
  const collected = [changes]
  byCompany.set(ownerId, collected)
  tx.defer(() => insertEvents(ownerId, collected))
}

const eventsPerStatement = 10_000

/**
 * Hands events out to the endpoints that want them. Two processes never hand out one event twice: its row is
 * deleted in the same statement. Where the project of a record is not known, an endpoint of some projects
 * learns of it only when its data is read within the scope, and of a deletion not at all.
 */
async function handOut(tx: Tx, ownerId: Id, now: Date): Promise<number> {
  const handed = await tx.rows<{ endpointId: Id }>(sql`
    with taken as (
      delete from webhook_event
      where owner_id = ${ownerId}
        and id = any(array(
          select id from webhook_event where owner_id = ${ownerId} order by id limit ${eventsPerStatement}
        ))
      returning id, type, subject_id, project_code, create_time
    )
    insert into webhook_delivery (
      owner_id, endpoint_id, type, subject_id, event_time, state, attempts, next_time
    )
    select ${ownerId}::bigint, e.id, t.type, t.subject_id, t.create_time, ${code(deliveryState, 'pending')},
      0, ${now}::timestamptz
    from taken t
    join webhook_endpoint e on e.owner_id = ${ownerId}
      and e.state = ${code(webhookState, 'on')}
      and ${notDeleted('e')}
      and t.type = any(e.event_types)
      and (
        e.all_project
        or t.project_code = any(e.project_codes)
        or t.project_code is null and t.type not like '%.deleted'
      )
    order by t.id, e.id
    returning endpoint_id
  `)
  await wakeEndpoints(tx, ownerId, [...new Set(handed.map(row => row.endpointId))], now)
  return handed.length
}

/** Endpoints for which nothing waited are due now; one that waits for its next attempt goes on waiting. */
export const wakeEndpoints = (tx: Tx, ownerId: Id, ids: readonly Id[], now: Date): Promise<number> =>
  tx.execute(sql`
    update webhook_endpoint
    set run_due = ${now}::timestamptz
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[]) and run_due is null
  `)

/** What every process does twice a second; without events it reads an empty table. */
export async function handOutEvents({ database, clock }: Pick<App, 'database' | 'clock'>): Promise<void> {
  const due = sql<{ ownerId: Id }>`select distinct owner_id from webhook_event`
  await forEachDueCompany(database, due, (tx, ownerId) => handOut(tx, ownerId, new Date(clock())))
}

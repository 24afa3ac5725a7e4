import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deliveryState, webhookEvent, webhookState } from '../contract/webhook.ts'
import type { WebhookEvent } from './event-sources.ts'

/**
 * Written with the commit of the change itself (HOOK-1), in one statement whatever the number of records, and
 * only where the company has an endpoint that wants it.
 */
export function recordEvents(
  tx: Pick<Tx, 'defer'>,
  ownerId: Id,
  event: WebhookEvent,
  ids: readonly Id[],
  projectCode: string | undefined,
): void {
  const type = String(codeOf(webhookEvent, event))
  tx.defer(sql`
    insert into webhook_event (owner_id, type, subject_id, project_code)
    select ${ownerId}::bigint, ${type}::text, s.id, ${projectCode ?? null}::text
    from unnest(${[...ids]}::bigint[]) as s(id)
    where exists (
      select 1
      from webhook_endpoint e
      where e.owner_id = ${ownerId}
        and e.state = ${code(webhookState, 'on')}
        and ${notDeleted('e')}
        and ${type}::text = any(e.event_types)
    )
    returning id
  `)
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

import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { eventState } from '../contract/choices.ts'
import type { ReceivedEvent } from './agent-message.ts'
import type { AgentConnection } from './device-hub.ts'

const maxContentLength = 4000
const maxReasonLength = 500

/** An event as its row is written. */
export interface StoredEvent {
  readonly connection: AgentConnection
  readonly event: ReceivedEvent
  /** 0 where its device is not the gateway's. */
  readonly deviceId: Id
  /** Why it is not handled: nothing of it but the row is kept. */
  readonly reason: string | undefined
}

/** A picture or the like: its module gets it, and the log keeps that it was there. */
const maxTextLength = 1000

function withoutLongTexts(data: ReceivedEvent['data']): object {
  const kept = Object.entries(data).filter(([, value]) => !isLongText(value))
  const omittedBytes = Object.values(data).reduce<number>(
    (sum, value) => (isLongText(value) ? sum + value.length : sum),
    0,
  )
  return { ...Object.fromEntries(kept), omittedBytes }
}

const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > maxTextLength

const contentOf = ({ data }: ReceivedEvent): string => {
  const json = JSON.stringify(data)
  if (json.length <= maxContentLength) return json
  const short = JSON.stringify(withoutLongTexts(data))
  return short.length > maxContentLength ? JSON.stringify({ isCut: true, length: json.length }) : short
}

const stateCode = (reason: string | undefined): number =>
  Number(codeOf(eventState, reason === undefined ? 'handled' : 'failed'))

/** How far the events of these gateways are stored, by gateway; of those whose agent has its key. */
export async function lockSequences(
  tx: Tx,
  ownerId: Id,
  connections: readonly AgentConnection[],
): Promise<Map<Id, { readonly keyId: string; lastSeq: number }>> {
  const ids = [...new Set(connections.map(({ gatewayId }) => gatewayId))]
  const rows = await tx.rows<{ gatewayId: Id; keyId: string; lastSeq: number }>(sql`
    select gateway_id, key_id, last_seq
    from gateway_key
    where owner_id = ${ownerId} and gateway_id = any(${ids}::bigint[])
    order by gateway_id
    for update
  `)
  return new Map(rows.map(row => [row.gatewayId, { keyId: row.keyId, lastSeq: Number(row.lastSeq) }]))
}

/** Those of the named devices that are connected to their gateway, in use or not: what an event may be of. */
export async function findOwnDevices(
  tx: Tx,
  ownerId: Id,
  events: readonly Pick<StoredEvent, 'connection' | 'event'>[],
): Promise<(connection: AgentConnection, deviceId: Id) => boolean> {
  const isKnown = ({ devices }: AgentConnection, id: Id): boolean => id === 0 || devices.has(id)
  const unknown = events.flatMap(({ connection, event: { deviceId } }) =>
    isKnown(connection, deviceId) ? [] : [deviceId],
  )
  if (!unknown.length) return isKnown
  const rows = await tx.rows<{ id: Id; gatewayId: Id }>(sql`
    select id, gateway_id
    from device
    where owner_id = ${ownerId} and id = any(${[...new Set(unknown)]}::bigint[]) and ${notDeleted()}
  `)
  const gatewayOf = new Map(rows.map(row => [row.id, row.gatewayId]))
  return (connection, id) => isKnown(connection, id) || gatewayOf.get(id) === connection.gatewayId
}

/** What the site calls a device that is not the gateway's. */
const reportedDeviceOf = ({ event, deviceId }: StoredEvent): string | null =>
  deviceId === event.deviceId ? null : (event.devNo ?? String(event.deviceId))

export async function insertEvents(
  tx: Tx,
  ownerId: Id,
  now: Date,
  stored: readonly StoredEvent[],
): Promise<void> {
  const column = (
    type: 'bigint' | 'text' | 'smallint' | 'boolean',
    valueOf: (row: StoredEvent) => string | number | boolean | null,
  ) => sqlArray(type, stored.map(valueOf))
  await tx.execute(sql`
    insert into device_event (
      owner_id, create_time, update_time, project_code, gateway_id, device_id, seq, type, event_time, content,
      state, reason, is_time_doubtful, device_time, reported_device
    )
    select ${ownerId}::bigint, ${now}::timestamptz, ${now}::timestamptz, r.*
    from unnest(
      ${column('text', row => row.connection.projectCode)}, ${column('bigint', row => row.connection.gatewayId)},
      ${column('bigint', row => row.deviceId)}, ${column('bigint', row => row.event.seq)},
      ${column('text', row => row.event.type)}, ${stored.map(row => row.event.at)}::timestamptz[],
      ${column('text', row => contentOf(row.event))}, ${column('smallint', row => stateCode(row.reason))},
      ${column('text', row => row.reason ?? null)}, ${column('boolean', row => row.event.isTimeDoubtful)},
      ${column('text', row => row.event.deviceTime ?? null)}, ${column('text', reportedDeviceOf)}
    ) as r(
      project_code, gateway_id, device_id, seq, type, event_time, content, state, reason, is_time_doubtful,
      device_time, reported_device
    )
    returning id
  `)
}

/** Those that a module has refused, in the transaction that stored them. */
export async function markRefused(
  tx: Tx,
  ownerId: Id,
  now: Date,
  refused: readonly (StoredEvent & { readonly reason: string })[],
): Promise<void> {
  await tx.execute(sql`
    update device_event t
    set state = ${code(eventState, 'failed')}, reason = r.reason
    from unnest(
      ${sqlArray(
        'bigint',
        refused.map(row => row.connection.gatewayId),
      )}, ${sqlArray(
        'bigint',
        refused.map(row => row.event.seq),
      )}, ${sqlArray(
        'text',
        refused.map(row => row.reason.slice(0, maxReasonLength)),
      )}
    ) as r(gateway_id, seq, reason)
    where t.owner_id = ${ownerId}
      and t.create_time = ${now}
      and t.gateway_id = r.gateway_id
      and t.seq = r.seq
  `)
}

/** How far the agents have come, from now on. */
export const writeSequences = (
  tx: Tx,
  ownerId: Id,
  sequences: readonly { readonly gatewayId: Id; readonly lastSeq: number }[],
): Promise<number> =>
  tx.execute(sql`
    update gateway_key t
    set last_seq = r.last_seq
    from unnest(
      ${sqlArray(
        'bigint',
        sequences.map(row => row.gatewayId),
      )}, ${sqlArray(
        'bigint',
        sequences.map(row => row.lastSeq),
      )}
    ) as r(gateway_id, last_seq)
    where t.owner_id = ${ownerId} and t.gateway_id = r.gateway_id
  `)

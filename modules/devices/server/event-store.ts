import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { isDatabaseUnavailable, sql, type Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { AgentEvent } from '../contract/agent-protocol.ts'
import { eventState } from '../contract/choices.ts'
import { sendToAgent, type AgentConnection } from './device-hub.ts'
import { runEventHandlers, type DeviceEvent } from './event-handler.ts'
import { KeyRevoked } from './key-revoked.ts'

const maxContentLength = 4000

interface StoredEvent {
  readonly event: AgentEvent
  /** Why it is not handled: nothing of it but the row is kept. */
  readonly reason?: string
}

const contentOf = ({ data }: AgentEvent): string => {
  const json = JSON.stringify(data)
  return json.length > maxContentLength ? JSON.stringify({ isCut: true, length: json.length }) : json
}

/** Locks the key and with it the order of this gateway's events; returns the last one that is stored. */
async function lockSequence(tx: Tx, { ownerId, gatewayId, keyId }: AgentConnection): Promise<number> {
  const row = await tx.one<{ lastSeq: number }>(sql`
    select last_seq
    from gateway_key
    where owner_id = ${ownerId} and gateway_id = ${gatewayId} and key_id = ${keyId}
    for update
  `)
  if (!row) throw new KeyRevoked()
  return Number(row.lastSeq)
}

async function insertEvents(
  tx: Tx,
  now: Date,
  { ownerId, gatewayId, projectCode, keyId }: AgentConnection,
  stored: readonly StoredEvent[],
): Promise<void> {
  const lastSeq = Math.max(...stored.map(({ event }) => event.seq))
  const events = stored.map(({ event }) => event)
  await tx.all(
    sql`
      insert into device_event (
        owner_id, project_code, gateway_id, create_time, update_time, device_id, seq, type, event_time, content,
        state, reason
      )
      select ${ownerId}::bigint, ${projectCode}::text, ${gatewayId}::bigint, ${now}::timestamptz,
        ${now}::timestamptz, r.*
      from unnest(
        ${sqlArray(
          'bigint',
          events.map(event => event.deviceId),
        )},
        ${sqlArray(
          'bigint',
          events.map(event => event.seq),
        )},
        ${sqlArray(
          'text',
          events.map(event => event.type),
        )},
        ${events.map(event => event.at)}::timestamptz[],
        ${sqlArray('text', events.map(contentOf))},
        ${stored.map(({ reason }) => stateCode(reason === undefined ? 'handled' : 'failed'))}::smallint[],
        ${sqlArray(
          'text',
          stored.map(({ reason }) => reason ?? null),
        )}
      ) as r(device_id, seq, type, event_time, content, state, reason)
      returning id
    `,
    sql`
      update gateway_key
      set last_seq = ${lastSeq}
      where owner_id = ${ownerId} and gateway_id = ${gatewayId} and key_id = ${keyId}
    `,
  )
}

const stateCode = (state: 'handled' | 'failed'): number => Number(codeOf(eventState, state))

/** Devices of this gateway, in use or not: what an event may be of. */
async function findOwnDevices(
  tx: Tx,
  { ownerId, gatewayId, devices }: AgentConnection,
  events: readonly AgentEvent[],
): Promise<ReadonlySet<Id>> {
  const named = [...new Set(events.map(event => event.deviceId))]
  const unknown = named.filter(id => id !== 0 && !devices.has(id))
  if (!unknown.length) return new Set(named)
  const rows = await tx.rows<{ id: Id }>(sql`
    select id
    from device
    where owner_id = ${ownerId}
      and gateway_id = ${gatewayId}
      and id = any(${unknown}::bigint[])
      and ${notDeleted()}
  `)
  return new Set([...named.filter(id => id === 0 || devices.has(id)), ...rows.map(({ id }) => id)])
}

const deviceEventOf = ({ gatewayId, projectCode }: AgentConnection, event: AgentEvent): DeviceEvent => ({
  gatewayId,
  projectCode,
  deviceId: event.deviceId,
  type: event.type,
  at: event.at,
  data: event.data,
})

/** An event of what is not this gateway's is kept as the gateway's, and handled by nobody. */
const asStored = (event: AgentEvent, own: ReadonlySet<Id>): StoredEvent =>
  own.has(event.deviceId)
    ? { event }
    : {
        event: { ...event, deviceId: 0, data: { deviceId: event.deviceId } },
        reason: `设备 ${event.deviceId} 不属于该网关`,
      }

/** Stores what is new of these events, with all that their handlers do; the handled ones and no others. */
async function storeInOneTransaction(
  app: App,
  connection: AgentConnection,
  events: readonly AgentEvent[],
  reason?: string,
): Promise<void> {
  const now = new Date(app.clock())
  const { ownerId } = connection
  await app.database.tx(ownerId, async tx => {
    const lastSeq = await lockSequence(tx, connection)
    const fresh = events.filter(event => event.seq > lastSeq)
    if (!fresh.length) return
    const own = await findOwnDevices(tx, connection, fresh)
    const stored = fresh.map(event => ({
      ...asStored(event, own),
      ...(reason === undefined ? {} : { reason }),
    }))
    await insertEvents(tx, now, connection, stored)
    const scope = systemScope(ownerId, now.toISOString())
    for (const { event, reason: fault } of stored) {
      if (fault === undefined) {
        await runEventHandlers({ tx, scope, app, event: deviceEventOf(connection, event) })
      }
    }
  })
}

const reasonOf = (err: unknown): string => (err instanceof Refused ? err.message : '系统错误').slice(0, 500)

/** An event whose handler fails is kept as failed, in a transaction of its own; those behind it go on. */
async function storeOneByOne(
  app: App,
  connection: AgentConnection,
  events: readonly AgentEvent[],
): Promise<void> {
  for (const event of events) {
    try {
      await storeInOneTransaction(app, connection, [event])
    } catch (err) {
      if (err instanceof KeyRevoked || isDatabaseUnavailable(err)) throw err
      const isDefect = !(err instanceof Refused)
      app.log[isDefect ? 'error' : 'info'](
        { err, gateway: connection.gatewayId, type: event.type },
        'device event not handled',
      )
      await storeInOneTransaction(app, connection, [event], reasonOf(err))
    }
  }
}

/** In ascending order of their numbers: the agent says so, and a sequence must not depend on it. */
const inOrder = (events: readonly AgentEvent[]): readonly AgentEvent[] =>
  events.toSorted((a, b) => a.seq - b.seq).filter((event, i, all) => event.seq !== all[i - 1]?.seq)

/** Exactly once: an event's row, what its handlers do and how far the agent has come are one transaction. */
export async function storeEvents(
  app: App,
  connection: AgentConnection,
  received: readonly AgentEvent[],
): Promise<void> {
  const events = inOrder(received)
  const last = events.at(-1)
  if (!last) return
  try {
    await storeInOneTransaction(app, connection, events)
  } catch (err) {
    if (err instanceof KeyRevoked || isDatabaseUnavailable(err)) throw err
    await storeOneByOne(app, connection, events)
  }
  sendToAgent(connection, { kind: 'eventsAck', seq: last.seq })
}

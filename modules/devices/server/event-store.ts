import { Refused } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import type { ReceivedEvent } from './agent-message.ts'
import type { AgentConnection } from './device-hub.ts'
import {
  runBatchHandlers,
  runEventHandlers,
  type DeviceEvent,
  type DeviceEventContext,
} from './event-handler.ts'
import {
  findOwnDevices,
  insertEvents,
  lockSequences,
  markRefused,
  writeSequences,
  type StoredEvent,
} from './event-insert.ts'
import { KeyRevoked } from './key-revoked.ts'
import { isRetryable } from './message-failure.ts'

/** Events of one message, in ascending order of their numbers. */
export interface IncomingEvents {
  readonly connection: AgentConnection
  readonly events: readonly ReceivedEvent[]
  /** Why the events could not be stored. */
  readonly reason?: string
}

const deviceEventOf = ({ connection, event, deviceId }: StoredEvent): DeviceEvent => ({
  gatewayId: connection.gatewayId,
  projectCode: connection.projectCode,
  deviceId,
  type: event.type,
  at: event.at,
  isTimeDoubtful: event.isTimeDoubtful,
  data: event.data,
})

type OwnsDevice = Awaited<ReturnType<typeof findOwnDevices>>

/** An event of what is not this gateway's is kept as the gateway's, and handled by nobody. */
function storedEventOf(
  connection: AgentConnection,
  event: ReceivedEvent,
  reason: string | undefined,
  owns: OwnsDevice,
): StoredEvent {
  const isOwn = owns(connection, event.deviceId)
  return {
    connection,
    event,
    deviceId: isOwn ? event.deviceId : 0,
    reason:
      reason ?? event.refusal ?? (isOwn ? undefined : `设备 ${event.devNo ?? event.deviceId} 不属于该网关`),
  }
}

/** What is new of them, with the numbers up to which their gateways' are stored then. */
async function takeFresh(tx: Tx, ownerId: Id, incoming: readonly IncomingEvents[]) {
  const known = await lockSequences(
    tx,
    ownerId,
    incoming.map(({ connection }) => connection),
  )
  const revoked = new Set<AgentConnection>()
  const fresh = incoming.flatMap(({ connection, events, reason }) => {
    const sequence = known.get(connection.gatewayId)
    if (sequence?.keyId !== connection.keyId) {
      revoked.add(connection)
      return []
    }
    const own = events.filter(event => event.seq > sequence.lastSeq)
    sequence.lastSeq = own.at(-1)?.seq ?? sequence.lastSeq
    return own.map(event => ({ connection, event, reason }))
  })
  const named = new Set(fresh.map(({ connection }) => connection.gatewayId))
  const sequences = [...known].flatMap(([gatewayId, { lastSeq }]) =>
    named.has(gatewayId) ? [{ gatewayId, lastSeq }] : [],
  )
  return { fresh, sequences, revoked }
}

/** What modules make of the events; those that one of them refuses are marked so. */
async function handleEvents(
  context: Omit<DeviceEventContext, 'event'>,
  stored: readonly StoredEvent[],
): Promise<void> {
  const accepted = stored.filter(each => each.reason === undefined)
  const events = accepted.map(deviceEventOf)
  for (const event of events) {
    await runEventHandlers({ ...context, event })
  }
  const refused = await runBatchHandlers(context, events)
  if (refused.size) {
    const marks = [...refused].map(([place, reason]) => ({ ...defined(accepted[place]), reason }))
    await markRefused(context.tx, context.scope.ownerId, new Date(context.scope.time), marks)
  }
}

/**
 * Exactly once: events' rows, what their handlers do and how far the agents have come are one transaction.
 * Answers those whose key is gone; nothing of theirs is stored.
 */
export const storeTogether = (
  app: App,
  ownerId: Id,
  incoming: readonly IncomingEvents[],
): Promise<ReadonlySet<AgentConnection>> =>
  app.database.tx(ownerId, async tx => {
    const now = new Date(app.clock())
    const { fresh, sequences, revoked } = await takeFresh(tx, ownerId, incoming)
    if (!fresh.length) return revoked
    const owns = await findOwnDevices(tx, ownerId, fresh)
    const stored = fresh.map(({ connection, event, reason }) =>
      storedEventOf(connection, event, reason, owns),
    )
    await Promise.all([insertEvents(tx, ownerId, now, stored), writeSequences(tx, ownerId, sequences)])
    const scope = systemScope(ownerId, now.toISOString())
    await handleEvents({ tx, scope, app }, stored)
    return revoked
  })

async function storeAlone(app: App, incoming: IncomingEvents): Promise<void> {
  const revoked = await storeTogether(app, incoming.connection.ownerId, [incoming])
  if (revoked.size) throw new KeyRevoked()
}

const reasonOf = (err: unknown): string => (err instanceof Refused ? err.message : '系统错误').slice(0, 500)

/** What of an event can be stored in any case: it is taken, so that those behind it come through. */
const emptied = (event: ReceivedEvent): ReceivedEvent => ({
  ...event,
  type: 'unknown',
  data: {},
})

/** Kept with the reason, or at least the fact that it came. */
async function storeFailed(app: App, connection: AgentConnection, event: ReceivedEvent, reason: string) {
  try {
    await storeAlone(app, { connection, events: [event], reason })
  } catch (err) {
    if (isRetryable(err)) throw err
    app.log.error({ err, gateway: connection.gatewayId, type: event.type }, 'device event refused')
    await storeAlone(app, { connection, events: [emptied(event)], reason: '事件无法保存' })
  }
}

/** An event whose handler fails is kept as failed, in a transaction of its own; those behind it go on. */
async function storeOneByOne(app: App, { connection, events }: IncomingEvents): Promise<void> {
  for (const event of events) {
    try {
      await storeAlone(app, { connection, events: [event] })
    } catch (err) {
      if (isRetryable(err)) throw err
      const isDefect = !(err instanceof Refused)
      app.log[isDefect ? 'error' : 'info'](
        { err, gateway: connection.gatewayId, type: event.type },
        'device event not handled',
      )
      await storeFailed(app, connection, event, reasonOf(err))
    }
  }
}

/** The events of one message; where they fail together, each for itself. */
export async function storeMessageEvents(app: App, incoming: IncomingEvents): Promise<void> {
  try {
    await storeAlone(app, incoming)
  } catch (err) {
    if (isRetryable(err)) throw err
    await storeOneByOne(app, incoming)
  }
}

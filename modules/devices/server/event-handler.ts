import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** An event as the handlers of modules get it. */
export interface DeviceEvent {
  readonly gatewayId: Id
  /** 0: of the gateway itself. */
  readonly deviceId: Id
  readonly projectCode: string
  readonly type: string
  /** ISO instant of the site's clock; when it came in where that is doubtful. */
  readonly at: string
  readonly isTimeDoubtful: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export interface DeviceEventContext {
  readonly tx: Tx
  /** The product itself, at the time at which the event came in. */
  readonly scope: Scope
  readonly app: App
  readonly event: DeviceEvent
}

export type DeviceEventHandler = (context: DeviceEventContext) => Promise<void>

const handlersByType = new Map<string, DeviceEventHandler[]>()

/**
 * A module that reacts to a type of events registers here, once, as it is loaded. Its handler runs in the
 * transaction that stores the event: once for each event, in the order of the site. What it throws undoes
 * what it wrote, and the event is kept as failed, to be handled again by hand; the next events go on.
 */
export function onDeviceEvent(type: string, handler: DeviceEventHandler): void {
  handlersByType.set(type, [...(handlersByType.get(type) ?? []), handler])
}

/** What came together of one type, in the order of the site. */
export interface DeviceEventBatch extends Omit<DeviceEventContext, 'event'> {
  readonly events: readonly DeviceEvent[]
}

/** Why an event is not accepted, by its place in the batch; the others are. */
export type RefusedEvents = ReadonlyMap<number, string>

type BatchHandler = (batch: DeviceEventBatch) => Promise<RefusedEvents>

const batchHandlerByType = new Map<string, BatchHandler>()

/**
 * The same for events that come in great numbers: once for all of a type that one transaction stores, so that
 * a module writes them as a set. What it refuses is kept as failed with the reason, and the others go on.
 */
export function onDeviceEventBatch(type: string, handler: BatchHandler): void {
  if (batchHandlerByType.has(type)) throw new Error(`two handlers for batches of ${type}`)
  batchHandlerByType.set(type, handler)
}

/** Returns what was refused, by its place in `events`. */
export async function runBatchHandlers(
  context: Omit<DeviceEventContext, 'event'>,
  events: readonly DeviceEvent[],
): Promise<RefusedEvents> {
  const refused = new Map<number, string>()
  const placed = events.map((event, place) => ({ event, place }))
  for (const [type, some] of Map.groupBy(placed, ({ event }) => event.type)) {
    const handler = batchHandlerByType.get(type)
    const reasons = await handler?.({ ...context, events: some.map(({ event }) => event) })
    reasons?.forEach((reason, i) => refused.set(defined(some[i]).place, reason))
  }
  return refused
}

/** One event alone, for all handlers of its type; refused where the handler of batches does not accept it. */
export async function runEventAlone(context: DeviceEventContext): Promise<void> {
  await runEventHandlers(context)
  const { event, ...rest } = context
  const reason = (await runBatchHandlers(rest, [event])).get(0)
  if (reason !== undefined) refuse(reason)
}

export async function runEventHandlers(context: DeviceEventContext): Promise<void> {
  for (const handler of handlersByType.get(context.event.type) ?? []) {
    await handler(context)
  }
}

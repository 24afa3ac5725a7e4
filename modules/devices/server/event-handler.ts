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

export async function runEventHandlers(context: DeviceEventContext): Promise<void> {
  for (const handler of handlersByType.get(context.event.type) ?? []) {
    await handler(context)
  }
}

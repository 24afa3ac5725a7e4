import { asId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ServerSocket } from '#kit/server/sockets.ts'
import type { ServerMessage } from '../contract/agent-protocol.ts'
import type { GatewayBeat } from '../domain/health.ts'

/** A device's state by the last beat that told it. */
export interface DeviceBeat {
  readonly isOnline: boolean
  readonly kernelVersion: string | undefined
}

/** A gateway that is connected to this process. */
export interface AgentConnection {
  readonly socket: ServerSocket
  readonly ownerId: Id
  readonly gatewayId: Id
  readonly projectCode: string
  readonly keyId: string
  readonly connectionKey: string
  /** Tasks that were sent on this connection and have not ended. */
  readonly sentTasks: Set<Id>
  /** The devices that it drives, with their state once a beat has told it. */
  devices: Map<Id, DeviceBeat | undefined>
  /** What the agent knows of its devices (`configMarkOf`). */
  configMark: string
  /** Those whose state has changed and is not written yet. */
  changedDevices: Map<Id, DeviceBeat>
  /** Kinds of faults by its beats that are open; nothing before the first beat. */
  faults: ReadonlySet<string> | undefined
  lastBeat: GatewayBeat | undefined
  /** What it sent is handled in order. */
  lastMessage: Promise<void>
  pendingMessages: number
  isClosed: boolean
}

/** What processes tell each other about agents. */
export type AgentNotice =
  | { readonly kind: 'tasks' | 'devices' | 'revoked' }
  | { readonly kind: 'items'; readonly deviceId: Id }
  | { readonly kind: 'cancel'; readonly taskId: Id }
  | { readonly kind: 'connected'; readonly connectionKey: string }
  | { readonly kind: 'ended'; readonly taskId: Id }

export type AddressedNotice = AgentNotice & { readonly ownerId: Id; readonly gatewayId: Id }

const channel = 'agent'

/** With the commit, to every process, this one included. */
export const notifyAgent = (tx: Tx, gatewayId: Id, notice: AgentNotice): void => {
  tx.defer(
    sql`select pg_notify(${channel}, ${JSON.stringify({ ownerId: tx.ownerId, gatewayId, ...notice })})`,
  )
}

export const sendToAgent = (connection: AgentConnection, message: ServerMessage): void => {
  if (!connection.isClosed) {
    connection.socket.send(JSON.stringify(message))
  }
}

export const closeAgent = (connection: AgentConnection, code: number, reason: string): void => {
  connection.isClosed = true
  connection.socket.close(code, reason)
}

type Work = (connection: AgentConnection) => Promise<void>

/** The agents of this process, and who waits for the end of which task. */
export class DeviceHub {
  readonly app: App
  /** Beats since they were last written. */
  readonly pendingBeats = new Set<AgentConnection>()
  readonly #byGateway = new Map<string, AgentConnection>()
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #work = new WeakMap<AgentConnection, Map<string, { again: boolean }>>()

  constructor(app: App) {
    this.app = app
  }

  listen(onNotice: (notice: AddressedNotice) => void, onGap: () => void): Promise<void> {
    return this.app.database.listen(
      channel,
      text => {
        const notice: AddressedNotice = JSON.parse(text)
        if (notice.kind === 'ended') {
          this.#wake(notice.ownerId, notice.taskId)
        } else {
          onNotice(notice)
        }
      },
      onGap,
    )
  }

  all(): readonly AgentConnection[] {
    return [...this.#byGateway.values()]
  }

  find(ownerId: Id, gatewayId: Id): AgentConnection | undefined {
    return this.#byGateway.get(`${ownerId}:${gatewayId}`)
  }

  /** Answers the connection that it replaces. */
  add(connection: AgentConnection): AgentConnection | undefined {
    const key = `${connection.ownerId}:${connection.gatewayId}`
    const replaced = this.#byGateway.get(key)
    this.#byGateway.set(key, connection)
    return replaced
  }

  remove(connection: AgentConnection): void {
    connection.isClosed = true
    this.pendingBeats.delete(connection)
    const key = `${connection.ownerId}:${connection.gatewayId}`
    if (this.#byGateway.get(key) === connection) {
      this.#byGateway.delete(key)
    }
  }

  /** Runs the work for the connection, once more where it was asked for meanwhile; never twice at once. */
  async run(connection: AgentConnection, name: string, work: Work): Promise<void> {
    const running = this.#work.get(connection) ?? new Map<string, { again: boolean }>()
    this.#work.set(connection, running)
    const current = running.get(name)
    if (current) {
      current.again = true
      return
    }
    const turn = { again: true }
    running.set(name, turn)
    try {
      while (turn.again && !connection.isClosed) {
        turn.again = false
        await work(connection)
      }
    } catch (err) {
      this.app.log.warn({ err, gateway: connection.gatewayId, work: name }, 'work for a gateway failed')
    } finally {
      running.delete(name)
    }
  }

  /** The same, for nobody who waits. */
  start(connection: AgentConnection, name: string, work: Work): void {
    this.run(connection, name, work).catch(() => {})
  }

  /** Resolves when the task has ended, or at the time-out: the row tells. */
  waitForEnd(ownerId: Id, taskId: Id, timeoutMs: number): { readonly ended: Promise<void>; cancel(): void } {
    const key = `${ownerId}:${taskId}`
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiters = this.#waiting.get(key) ?? new Set<() => void>()
    this.#waiting.set(key, waiters.add(resolve))
    const timer = setTimeout(resolve, timeoutMs).unref()
    const forget = (): void => {
      clearTimeout(timer)
      waiters.delete(resolve)
      if (!waiters.size) {
        this.#waiting.delete(key)
      }
    }
    return {
      ended: promise.finally(forget),
      cancel: () => {
        resolve()
      },
    }
  }

  #wake(ownerId: Id, taskId: Id): void {
    for (const resolve of this.#waiting.get(`${ownerId}:${taskId}`) ?? []) {
      resolve()
    }
  }
}

const hubs = new WeakMap<App['database'], DeviceHub>()

/** The hub of a server process. */
export function hubOf(app: App): DeviceHub {
  const known = hubs.get(app.database)
  if (known) return known
  const hub = new DeviceHub(app)
  hubs.set(app.database, hub)
  return hub
}

/** No device: of the gateway's computer itself. */
export const noDevice = asId(0)

import { randomUUID } from 'node:crypto'
import { asId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ServerSocket } from '#kit/server/sockets.ts'
import type { ServerMessage } from '../contract/agent-protocol.ts'
import type { GatewayBeat } from '../domain/health.ts'
import type { EventQueue } from './event-queue.ts'

/** A device's state by the last beat that reported it. */
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
  /** The devices that it drives, with their state once a beat has reported it. */
  devices: Map<Id, DeviceBeat | undefined>
  /** The devices as the agent knows them. */
  deviceVersions: ReadonlyMap<Id, number>
  /** What the agent knows of its devices (`configMarkOf`). */
  configMark: string
  /** Those whose state has changed and is not written yet. */
  changedDevices: Map<Id, DeviceBeat>
  /** Kinds of faults by its beats that are open; nothing before the first beat. */
  faults: ReadonlySet<string> | undefined
  lastBeat: GatewayBeat | undefined
  /** How far the site's clock is ahead of ours, in ms, by what it sent last. */
  clockOffset: number
  /** What it sent is handled in order; results of commands do not wait for events. */
  lastMessage: Promise<void>
  lastResult: Promise<void>
  pendingMessages: number
  isClosed: boolean
}

/** What processes tell each other about agents. */
export type AgentNotice =
  | { readonly kind: 'devices' | 'revoked' }
  /** `sentBy`: the process that has sent them already, over the connection that it holds. */
  | { readonly kind: 'tasks'; readonly sentBy?: string | undefined }
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

/** When a message is sent, by a clock that nobody sets: the agent tells by it how long one was on its way. */
export const sentNow = (): number => Math.round(performance.now())

export const sendToAgent = (connection: AgentConnection, message: ServerMessage): void => {
  if (!connection.isClosed) {
    connection.socket.send(JSON.stringify(message))
  }
}

export const closeAgent = (connection: AgentConnection, code: number, reason: string): void => {
  connection.isClosed = true
  connection.socket.close(code, reason)
}

/** A whole output among the files of the company; `output` shows its beginning and end. */
export interface StoredOutput {
  readonly fileKey: string
  readonly size: number
  readonly sha256: string
}

/** How a task ended, as its row says. */
export interface TaskEnding {
  readonly state: 'done' | 'failed' | 'timedOut'
  /** The site does not allow it. */
  readonly isRefused?: boolean | undefined
  readonly reason?: string | undefined
  readonly output?: string | undefined
  readonly data?: unknown
  readonly whole?: StoredOutput | undefined
}

interface EndOfTask {
  readonly ended: Promise<TaskEnding | undefined>
  cancel(): void
}

/** Ends that are remembered for those who ask a moment later. */
const maxRecentEnds = 5000

type Work = (connection: AgentConnection) => Promise<void>

/** The agents of this process, and who waits for the end of which task. */
export class DeviceHub {
  readonly app: App
  /** Tells this process from others. */
  readonly key = randomUUID()
  /** Tasks that sites have, as long as neither that nor their result is written. */
  readonly receivedTasks = new Map<Id, AgentConnection>()
  /** Events that wait to be stored, by company. */
  readonly eventQueues = new Map<Id, EventQueue>()
  /** Beats since they were last written. */
  readonly pendingBeats = new Set<AgentConnection>()
  readonly #byGateway = new Map<string, AgentConnection>()
  readonly #waiting = new Map<string, Set<(ending?: TaskEnding) => void>>()
  readonly #recentEnds = new Set<string>()
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
          this.finish(notice.ownerId, notice.taskId)
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

  /** Returns the connection that it replaces. */
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

  /** Runs the work for the connection, once more where it was requested during a run; never twice at once. */
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

  /** Starts it without waiting for the result. */
  start(connection: AgentConnection, name: string, work: Work): void {
    this.run(connection, name, work).catch(() => {})
  }

  /** Resolves when the task has ended, with how where this process ended it, or at the time-out. */
  waitForEnd(ownerId: Id, taskId: Id, timeoutMs: number): EndOfTask {
    const key = `${ownerId}:${taskId}`
    const { promise, resolve } = Promise.withResolvers<TaskEnding | undefined>()
    const waiters = this.#waiting.get(key) ?? new Set<(ending?: TaskEnding) => void>()
    const wake = (ending?: TaskEnding): void => resolve(ending)
    this.#waiting.set(key, waiters.add(wake))
    const timer = setTimeout(wake, timeoutMs).unref()
    const forget = (): void => {
      clearTimeout(timer)
      waiters.delete(wake)
      if (!waiters.size) {
        this.#waiting.delete(key)
      }
    }
    return {
      ended: promise.finally(forget),
      cancel: () => wake(),
    }
  }

  /** Wakes those who wait for the task here. */
  finish(ownerId: Id, taskId: Id, ending?: TaskEnding): void {
    const key = `${ownerId}:${taskId}`
    this.#recentEnds.add(key)
    if (this.#recentEnds.size > maxRecentEnds) {
      const [oldest = ''] = this.#recentEnds
      this.#recentEnds.delete(oldest)
    }
    for (const wake of this.#waiting.get(key) ?? []) {
      wake(ending)
    }
  }

  /** Whether the task is known to have ended, lately. */
  hasEnded(ownerId: Id, taskId: Id): boolean {
    return this.#recentEnds.has(`${ownerId}:${taskId}`)
  }
}

/** By what the database and all transactions of a process have in common. */
const hubs = new WeakMap<App['database']['numbers'], DeviceHub>()

/** The hub of a server process. */
export function hubOf(app: App): DeviceHub {
  const known = hubs.get(app.database.numbers)
  if (known) return known
  const hub = new DeviceHub(app)
  hubs.set(app.database.numbers, hub)
  return hub
}

/**
 * The gateway's connection where it is one of this process: what it is sent need not go round by a notice.
 */
export function connectionHere(
  tx: Pick<Tx, 'numbers'>,
  ownerId: Id,
  gatewayId: Id,
): { readonly hub: DeviceHub; readonly connection: AgentConnection } | undefined {
  const hub = hubs.get(tx.numbers)
  const connection = hub?.find(ownerId, gatewayId)
  return hub && connection && { hub, connection }
}

/** No device: of the gateway's computer itself. */
export const noDevice = asId(0)

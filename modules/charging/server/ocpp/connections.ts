import { randomUUID } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import type { RawObject } from '#kit/contract/wire/members.ts'
import type { App } from '#kit/server/app.ts'
import type { ServerSocket } from '#kit/server/sockets.ts'
import { callFrame, type OcppFrame } from './frame.ts'

/** What a pile answered to a command: nothing where it did not, or could not. */
export type CommandAnswer = RawObject | undefined

const answerMs = 20_000

interface WaitingCall {
  readonly resolve: (answer: CommandAnswer) => void
  readonly timer: NodeJS.Timeout
}

/** A pile that is connected to this process. */
export class HubConnection {
  readonly connectionKey = randomUUID()
  readonly socket: ServerSocket
  readonly ownerId: Id
  readonly hubId: Id
  readonly projectCode: string
  readonly hubNo: string
  readonly #waiting = new Map<string, WaitingCall>()
  /** What it sends is handled in order. */
  #lastMessage: Promise<void> = Promise.resolve()
  #pending = 0
  isClosed = false
  /** When it was last written down that it is there, ms. */
  seenAt = 0

  constructor(
    socket: ServerSocket,
    hub: {
      readonly ownerId: Id
      readonly hubId: Id
      readonly projectCode: string
      readonly hubNo: string
    },
  ) {
    this.socket = socket
    this.ownerId = hub.ownerId
    this.hubId = hub.hubId
    this.projectCode = hub.projectCode
    this.hubNo = hub.hubNo
  }

  /** Has the pile do something; resolves with its answer, or with nothing in time. */
  command(action: string, payload: object): Promise<CommandAnswer> {
    if (this.isClosed) return Promise.resolve(undefined)
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<CommandAnswer>()
    const timer = setTimeout(() => this.#end(id, undefined), answerMs).unref()
    this.#waiting.set(id, { resolve, timer })
    this.socket.send(callFrame(id, action, payload))
    return promise
  }

  #end(id: string, answer: CommandAnswer): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    clearTimeout(waiting.timer)
    this.#waiting.delete(id)
    waiting.resolve(answer)
  }

  receiveAnswer(frame: Exclude<OcppFrame, { readonly kind: 'call' }>): void {
    this.#end(frame.id, frame.kind === 'result' ? frame.payload : undefined)
  }

  /** After what came before it; false where too much waits. */
  enqueue(work: () => Promise<void>): boolean {
    if (this.#pending >= 500) return false
    this.#pending++
    this.#lastMessage = this.#lastMessage.then(work).finally(() => this.#pending--)
    return true
  }

  close(code: number, reason: string): void {
    this.end()
    this.socket.close(code, reason)
  }

  end(): void {
    this.isClosed = true
    for (const id of this.#waiting.keys()) {
      this.#end(id, undefined)
    }
  }
}

/** The piles of a process. */
export class HubConnections {
  readonly #byHub = new Map<string, HubConnection>()

  add(connection: HubConnection): void {
    const key = `${connection.ownerId}:${connection.hubId}`
    this.#byHub.get(key)?.close(1000, 'connected again')
    this.#byHub.set(key, connection)
  }

  remove(connection: HubConnection): void {
    connection.end()
    const key = `${connection.ownerId}:${connection.hubId}`
    if (this.#byHub.get(key) === connection) {
      this.#byHub.delete(key)
    }
  }

  find(ownerId: Id, hubId: Id): HubConnection | undefined {
    return this.#byHub.get(`${ownerId}:${hubId}`)
  }

  all(): readonly HubConnection[] {
    return [...this.#byHub.values()]
  }
}

const byProcess = new WeakMap<App['database']['numbers'], HubConnections>()

/** Of a server process: by what the database and all transactions of a process have in common. */
export function connectionsOf({ database }: Pick<App, 'database'>): HubConnections {
  const known = byProcess.get(database.numbers)
  if (known) return known
  const connections = new HubConnections()
  byProcess.set(database.numbers, connections)
  return connections
}

import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import type { Id } from '#kit/domain/id.ts'
import type { HandleLiveCall } from './live-calls.ts'
import { isSetUp } from './scope.ts'
import type { Sessions } from './session.ts'
import type { WebSocketLike } from './sockets.ts'

/** One browser's connection; its company and operator are 0 until its token has been accepted. */
export interface LiveConnection {
  readonly socket: WebSocketLike
  readonly address: string
  readonly topics: Set<string>
  hasSentToken: boolean
  token: string
  ownerId: Id
  operatorId: Id
  isAlive: boolean
  /** Calls that it has asked for and that have not been answered; they run one after the other. */
  pendingCalls: number
  lastCall: Promise<void>
}

const maxConnectionsPerOperator = 30
const maxTopics = 200
const maxTopicsPerMessage = 100
const maxBufferedBytes = 1_000_000
const maxMessageBytes = 16_384
const maxPendingCalls = 50

export const newConnection = (socket: WebSocketLike, address: string): LiveConnection => ({
  socket,
  address,
  topics: new Set(),
  hasSentToken: false,
  token: '',
  ownerId: 0,
  operatorId: 0,
  isAlive: true,
  pendingCalls: 0,
  lastCall: Promise.resolve(),
})

/** A browser that does not read is cut off; it comes back and reads the present state. */
export function sendMessage({ socket }: LiveConnection, kind: string, data?: object): void {
  if (socket.bufferedAmount > maxBufferedBytes) {
    socket.terminate()
    return
  }
  socket.send(JSON.stringify(data === undefined ? { kind } : { kind, data }))
}

export function endConnection(connection: LiveConnection): void {
  sendMessage(connection, 'ended')
  connection.socket.close(4401, 'session ended')
}

/** The session cannot be used yet: the browser comes back when the password is changed (PERM-9). */
export const refuseUnfinishedSetup = ({ socket }: LiveConnection): void =>
  socket.close(4403, 'set up the account first')

/** Operators and topics that a message is for; everyone where it is absent. */
export type Recipients = ReadonlySet<number | string> | undefined

export const isRecipient = (connection: LiveConnection, recipients: Recipients): boolean =>
  !recipients ||
  recipients.has(connection.operatorId) ||
  [...connection.topics].some(topic => recipients.has(topic))

/** The signed-in connections of this process, by company. */
export class LiveConnections {
  readonly #byOwner = new Map<Id, Set<LiveConnection>>()

  all(): LiveConnection[] {
    return [...this.#byOwner.values()].flatMap(connections => [...connections])
  }

  ofOwner(ownerId: Id): Iterable<LiveConnection> {
    return this.#byOwner.get(ownerId) ?? []
  }

  count(): number {
    return [...this.#byOwner.values()].reduce((total, connections) => total + connections.size, 0)
  }

  /** Adds it under its company, unless its operator has too many. */
  add(connection: LiveConnection): boolean {
    const { ownerId, operatorId } = connection
    const connections = this.#byOwner.get(ownerId) ?? new Set<LiveConnection>()
    const ofOperator = [...connections].filter(other => other.operatorId === operatorId)
    if (ofOperator.length >= maxConnectionsPerOperator) return false
    this.#byOwner.set(ownerId, connections.add(connection))
    return true
  }

  remove(connection: LiveConnection): void {
    const connections = this.#byOwner.get(connection.ownerId)
    connections?.delete(connection)
    if (connections?.size === 0) {
      this.#byOwner.delete(connection.ownerId)
    }
  }
}

/** Accepts a token: the first one signs the connection in, a later one renews it. */
async function signIn(
  connections: LiveConnections,
  sessions: Sessions,
  connection: LiveConnection,
  token: string,
): Promise<void> {
  const session = await sessions.find(token, true).catch(() => undefined)
  if (!session) {
    endConnection(connection)
    return
  }
  connections.remove(connection)
  if (!isSetUp(session.caller)) {
    refuseUnfinishedSetup(connection)
    return
  }
  connection.token = token
  connection.ownerId = session.caller.ownerId
  connection.operatorId = session.caller.operatorId
  if (connections.add(connection)) {
    sendMessage(connection, 'ready')
  } else {
    connection.socket.close(4429, 'too many connections')
  }
}

function parseMessage(text: string): RawObject | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}

const topicsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter(
          (topic): topic is string => typeof topic === 'string' && /^[A-Za-z][\w:.-]{0,79}$/.test(topic),
        )
        .slice(0, maxTopicsPerMessage)
    : []

/** Calls of one connection run in the order in which they came; who sends too many at once is cut off. */
function queueCall(connection: LiveConnection, message: RawObject, handleCall: HandleLiveCall): void {
  if (connection.pendingCalls >= maxPendingCalls) {
    connection.socket.close(4429, 'too many calls')
    return
  }
  connection.pendingCalls++
  connection.lastCall = connection.lastCall
    .then(() => handleCall(connection, message))
    .catch(() => connection.socket.terminate())
    .finally(() => connection.pendingCalls--)
}

/** Handles what the browser sent: its token first, then subscriptions and calls. */
export function receiveMessage(
  connections: LiveConnections,
  sessions: Sessions,
  connection: LiveConnection,
  text: string,
  handleCall: HandleLiveCall,
): void {
  const message = text.length > maxMessageBytes ? undefined : parseMessage(text)
  if (!message) {
    connection.socket.close(4400, 'unreadable')
    return
  }
  if (typeof message.token === 'string') {
    connection.hasSentToken = true
    signIn(connections, sessions, connection, message.token).catch(() => connection.socket.terminate())
    return
  }
  if (!connection.hasSentToken) {
    connection.socket.close(4401, 'token first')
    return
  }
  for (const topic of topicsOf(message.subscribe)) {
    if (connection.topics.size < maxTopics) {
      connection.topics.add(topic)
    }
  }
  for (const topic of topicsOf(message.unsubscribe)) {
    connection.topics.delete(topic)
  }
  if (message.subscribe === undefined && message.unsubscribe === undefined && connection.operatorId !== 0) {
    queueCall(connection, message, handleCall)
  }
}

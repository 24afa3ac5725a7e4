import { randomBytes } from 'node:crypto'
import type { App } from '#kit/server/app.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import type { ServerSocket, SocketEndpoint, SocketRequest } from '#kit/server/sockets.ts'
import {
  agentClose,
  agentPath,
  agentProtocol,
  maxMessageBytes,
  type AgentMessage,
} from '../contract/agent-protocol.ts'
import { verifyConnection } from './agent-notices.ts'
import { BadMessage, parseAgentMessage, type ReceivedMessage } from './agent-message.ts'
import { closeAgent, hubOf, sendToAgent, sentNow, type AgentConnection } from './device-hub.ts'
import { handleBeat } from './beat.ts'
import { storeEvents } from './event-queue.ts'
import { configMarkOf, signInGateway, versionsOf, type SignedInGateway } from './gateway-sign-in.ts'
import { storeReported } from './item-report.ts'
import { KeyRevoked } from './key-revoked.ts'
import { isRetryable } from './message-failure.ts'
import { answerReading } from './reading.ts'
import { discardOutput, storeOutputPart } from './output-parts.ts'
import { noteReceived, storeProgress, storeResult } from './task-result.ts'

type Hello = Extract<AgentMessage, { kind: 'hello' }>
type Reading = Extract<AgentMessage, { kind: 'reading' }>

const helloTimeoutMs = 10_000
/** Wrong signatures and unknown keys of one address in a minute; beyond them it is not listened to. */
const maxRefusalsPerMinute = 30
const maxPendingMessages = 500

const newConnection = (
  socket: ServerSocket,
  gateway: SignedInGateway,
  clockOffset: number,
): AgentConnection => ({
  socket,
  ownerId: gateway.ownerId,
  gatewayId: gateway.gatewayId,
  projectCode: gateway.projectCode,
  keyId: gateway.keyId,
  connectionKey: gateway.connectionKey,
  sentTasks: new Set(),
  devices: new Map(gateway.devices.map(({ id }) => [id, undefined])),
  deviceVersions: versionsOf(gateway.devices),
  configMark: configMarkOf(gateway.devices),
  changedDevices: new Map(),
  faults: undefined,
  lastBeat: undefined,
  clockOffset,
  lastMessage: Promise.resolve(),
  lastResult: Promise.resolve(),
  pendingMessages: 0,
  isClosed: false,
})

type StoredMessage = Extract<ReceivedMessage, { kind: 'result' | 'outputPart' | 'events' | 'reported' }>

const storeMessage = (app: App, connection: AgentConnection, message: StoredMessage): Promise<void> => {
  switch (message.kind) {
    case 'result':
      return storeResult(app, connection, message)
    case 'outputPart':
      return storeOutputPart(app, connection, message)
    case 'events':
      return storeEvents(app, connection, message.events)
    case 'reported':
      return storeReported(app, connection, message.deviceId, message.items)
  }
}

/**
 * A message that was not stored ends the connection, where the agent can send it again with success: its key
 * counts no more, or the database is away. What is at fault itself is let go, and those behind it come
 * through.
 */
function handleFailure(app: App, connection: AgentConnection, err: unknown): void {
  if (err instanceof KeyRevoked) {
    closeAgent(connection, agentClose.refused, 'key revoked')
    return
  }
  if (!isRetryable(err)) {
    app.log.error({ err, gateway: connection.gatewayId }, 'message of a gateway refused')
    return
  }
  app.log.warn({ err, gateway: connection.gatewayId }, 'message of a gateway not stored')
  closeAgent(connection, 1011, 'not stored')
}

/** False where it has sent more than it may wait for: its line ends. */
function takesMore(connection: AgentConnection): boolean {
  const isTaken = connection.pendingMessages < maxPendingMessages
  if (!isTaken) {
    closeAgent(connection, agentClose.tooMany, 'too many messages')
  }
  return isTaken
}

function queueMessage(app: App, connection: AgentConnection, message: StoredMessage): void {
  if (!takesMore(connection)) return
  connection.pendingMessages++
  // In order: the parts of an output, then its result.
  const isOfTask = message.kind === 'result' || message.kind === 'outputPart'
  const lane = isOfTask ? 'lastResult' : 'lastMessage'
  connection[lane] = connection[lane]
    .then(() => (connection.isClosed ? undefined : storeMessage(app, connection, message)))
    .catch((err: unknown) => handleFailure(app, connection, err))
    .finally(() => connection.pendingMessages--)
}

/** Not in line with events: somebody stands at the door. */
function decideAtOnce(app: App, connection: AgentConnection, reading: Reading): void {
  if (!takesMore(connection)) return
  connection.pendingMessages++
  answerReading(app, connection, reading)
    .catch((err: unknown) => handleFailure(app, connection, err))
    .finally(() => connection.pendingMessages--)
}

function handleMessage(app: App, connection: AgentConnection, message: ReceivedMessage): void {
  switch (message.kind) {
    case 'beat':
      handleBeat(hubOf(app), connection, message)
      break
    case 'received':
      noteReceived(hubOf(app), connection, message.taskId)
      break
    case 'progress':
      storeProgress(app, connection, message).catch((err: unknown) => handleFailure(app, connection, err))
      break
    case 'reading':
      decideAtOnce(app, connection, message)
      break
    case 'hello':
      throw new BadMessage('hello again')
    default:
      queueMessage(app, connection, message)
  }
}

/** The agent's connection from now on; another one of the same gateway ends. */
function beginConnection(
  app: App,
  socket: ServerSocket,
  gateway: SignedInGateway,
  clockOffset: number,
): AgentConnection {
  const hub = hubOf(app)
  const connection = newConnection(socket, gateway, clockOffset)
  const replaced = hub.add(connection)
  if (replaced) {
    closeAgent(replaced, agentClose.replaced, 'connected anew')
  }
  sendToAgent(connection, {
    kind: 'welcome',
    gatewayId: gateway.gatewayId,
    gateNo: gateway.gateNo,
    name: gateway.name,
    ackedSeq: gateway.ackedSeq,
    clock: new Date(app.clock()).toISOString(),
    sentMs: sentNow(),
    takesParts: true,
    takesReadings: true,
    devices: gateway.devices,
  })
  verifyConnection(app, connection).catch((err: unknown) => {
    app.log.warn({ err, gateway: connection.gatewayId }, 'connection of a gateway not verified')
    closeAgent(connection, 1011, 'try again')
  })
  return connection
}

async function signIn(
  app: App,
  socket: ServerSocket,
  hello: Hello,
  nonce: string,
  ip: string,
): Promise<AgentConnection | undefined> {
  if (hello.protocol !== agentProtocol) {
    socket.close(agentClose.protocol, `protocol ${agentProtocol}`)
    return undefined
  }
  const clockOffset = Date.parse(hello.clock) - app.clock()
  const gateway = await signInGateway(app, hello, nonce, ip)
  if (gateway) return beginConnection(app, socket, gateway, clockOffset)
  const refusals = await countHit(app.database, `agent:${ip}`)
  socket.close(refusals > maxRefusalsPerMinute ? agentClose.tooMany : agentClose.refused, 'pair anew')
  return undefined
}

/** What an agent's socket is at: nobody's yet, being checked, a gateway's, or over. */
class AgentSession {
  readonly #app: App
  readonly #socket: ServerSocket
  readonly #ip: string
  readonly #nonce = randomBytes(32).toString('base64url')
  readonly #helloTimer: NodeJS.Timeout
  #connection: AgentConnection | undefined
  #hasHello = false
  #isOver = false

  constructor(app: App, socket: ServerSocket, ip: string) {
    this.#app = app
    this.#socket = socket
    this.#ip = ip
    this.#helloTimer = setTimeout(() => socket.close(agentClose.badMessage, 'hello first'), helloTimeoutMs)
    socket.send(JSON.stringify({ kind: 'challenge', nonce: this.#nonce }))
  }

  receive(text: string): void {
    if (this.#isOver) return
    try {
      const message = parseAgentMessage(text, this.#app.clock(), this.#connection?.clockOffset)
      if (this.#connection) {
        if (!this.#connection.isClosed) {
          handleMessage(this.#app, this.#connection, message)
        }
      } else if (message.kind === 'hello' && !this.#hasHello) {
        this.#hasHello = true
        this.#signIn(message).catch((err: unknown) => {
          this.#app.log.warn({ err }, 'sign-in of a gateway failed')
          this.#socket.close(1011, 'try again')
        })
      } else {
        throw new BadMessage('hello first')
      }
    } catch (err) {
      if (!(err instanceof BadMessage)) throw err
      this.#socket.close(agentClose.badMessage, 'unreadable')
    }
  }

  async #signIn(hello: Hello): Promise<void> {
    clearTimeout(this.#helloTimer)
    const connection = await signIn(this.#app, this.#socket, hello, this.#nonce, this.#ip)
    if (this.#isOver && connection) {
      hubOf(this.#app).remove(connection)
      return
    }
    this.#connection = connection
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#helloTimer)
    if (this.#connection) {
      hubOf(this.#app).remove(this.#connection)
      discardOutput(this.#connection).catch((err: unknown) =>
        this.#app.log.warn({ err }, 'output not removed'),
      )
    }
  }
}

const accept = (socket: ServerSocket, { ip }: SocketRequest, app: App): void => {
  const session = new AgentSession(app, socket, ip)
  socket.onMessage(text => session.receive(text))
  socket.onClose(() => session.close())
}

export const agentEndpoint: SocketEndpoint = {
  path: agentPath,
  maxMessageBytes,
  maxConnections: 20_000,
  perAddress: 2_000,
  accept,
}

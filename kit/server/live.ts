import type { Id } from '#kit/domain/id.ts'
import type { App, Live } from './app.ts'
import { AddressCounter } from './connection-limits.ts'
import type { Database } from './db.ts'
import {
  LiveConnections,
  endConnection,
  isRecipient,
  newConnection,
  receiveMessage,
  refuseUnfinishedSetup,
  sendMessage,
  type LiveConnection,
  type Recipients,
} from './live-connection.ts'
import { openLivePublisher, type LivePayload } from './live-publisher.ts'
import type { HandleLiveCall, LiveLoader } from './live-calls.ts'
import { isSetUp } from './scope.ts'
import type { Sessions } from './session.ts'
import type { WebSocketLike } from './sockets.ts'

export interface LiveServer extends Live {
  /** A browser that has just connected from an address; it sends its token first. */
  connect(socket: WebSocketLike, address: string): void
  count(): number
  /** What the modules add, once they are known. */
  install(app: App, handleCall: HandleLiveCall, loaders: readonly LiveLoader[]): void
  close(): Promise<void>
}

/** What the modules add to the live connection. */
interface LiveExtensions {
  handleCall: HandleLiveCall
  readonly loaders: Map<string, (ownerId: Id, data: object) => Promise<object | undefined>>
}

const heartbeatMs = 30_000
const handshakeTimeoutMs = 3_000
/** Live connections of one address: an office behind one, with some pages each. */
const defaultPerAddress = 1000

/**
 * Ends the connection whose session has ended or cannot be used before a new password; an unreachable
 * database proves nothing.
 */
async function checkSession(sessions: Sessions, connection: LiveConnection): Promise<void> {
  const session = await sessions.find(connection.token, true).catch(() => 'unknown' as const)
  if (session === undefined) {
    endConnection(connection)
  } else if (session !== 'unknown' && !isSetUp(session.caller)) {
    refuseUnfinishedSetup(connection)
  }
}

/** Sends a message to its recipients here; what must be loaded for it, once for all of them. */
async function forwardMessage(
  connections: LiveConnections,
  { loaders }: LiveExtensions,
  payload: LivePayload,
): Promise<void> {
  const recipients: Recipients = payload.t === 'all' ? undefined : new Set<number | string>(payload.t)
  const receivers = [...connections.ofOwner(payload.o)].filter(connection =>
    isRecipient(connection, recipients),
  )
  const load = loaders.get(payload.k)
  if (!receivers.length) return
  const data = load ? await load(payload.o, payload.d ?? {}) : payload.d
  if (load && data === undefined) return
  for (const connection of receivers) {
    sendMessage(connection, payload.k, data)
  }
}

/** Passes messages of all server processes on to the browsers of this one. */
async function forwardMessages(
  database: Database,
  connections: LiveConnections,
  extensions: LiveExtensions,
  log: App['log'],
): Promise<void> {
  await database.listen(
    'live',
    text => {
      const payload: LivePayload = JSON.parse(text)
      forwardMessage(connections, extensions, payload).catch((err: unknown) =>
        log.warn({ err, kind: payload.k }, 'live message not loaded'),
      )
    },
    () => {
      for (const connection of connections.all()) {
        sendMessage(connection, 'gap')
      }
    },
  )
}

/** Checks the connections whose sessions have changed. */
async function followSessions(
  database: Database,
  sessions: Sessions,
  connections: LiveConnections,
): Promise<void> {
  await database.listen('session', text => {
    const { ownerId, operator }: { ownerId: Id; operator?: Id | 'all' } = JSON.parse(text)
    for (const connection of connections.ofOwner(ownerId)) {
      if (operator === undefined || operator === 'all' || connection.operatorId === operator) {
        checkSession(sessions, connection).catch(() => connection.socket.terminate())
      }
    }
  })
}

/** Cuts off connections that no longer answer, and ends those whose sessions have run out. */
function startHeartbeat(sessions: Sessions, connections: LiveConnections): NodeJS.Timeout {
  const sendHeartbeat = (): void => {
    for (const connection of connections.all()) {
      if (!connection.isAlive) {
        connection.socket.terminate()
        continue
      }
      connection.isAlive = false
      connection.socket.ping()
      checkSession(sessions, connection).catch(() => connection.socket.terminate())
    }
  }
  return setInterval(sendHeartbeat, heartbeatMs).unref()
}

function acceptSocket(
  sessions: Sessions,
  connections: LiveConnections,
  extensions: LiveExtensions,
  socket: WebSocketLike,
  address: string,
): void {
  const connection = newConnection(socket, address)
  const handshakeTimer = setTimeout(() => {
    if (!connection.hasSentToken) {
      socket.close(4401, 'token first')
    }
  }, handshakeTimeoutMs).unref()
  socket.on('message', data => {
    connection.isAlive = true
    receiveMessage(connections, sessions, connection, data.toString(), extensions.handleCall)
  })
  socket.on('pong', () => {
    connection.isAlive = true
  })
  socket.on('close', () => {
    clearTimeout(handshakeTimer)
    connections.remove(connection)
  })
  socket.on('error', () => {})
}

/**
 * `GET /api/live`: every process receives every message (LISTEN/NOTIFY) and passes it to its own browsers.
 */
export async function openLive(
  database: Database,
  sessions: Sessions,
  log: App['log'],
  perAddress = defaultPerAddress,
): Promise<LiveServer> {
  const addresses = new AddressCounter(perAddress)
  const connections = new LiveConnections()
  const publisher = openLivePublisher(database, log)
  const extensions: LiveExtensions = { handleCall: () => undefined, loaders: new Map() }
  await forwardMessages(database, connections, extensions, log)
  await followSessions(database, sessions, connections)
  const heartbeat = startHeartbeat(sessions, connections)
  return {
    publish: publisher.publish,
    publishInTransaction: publisher.publishInTransaction,
    publishOnCommit: (tx, ownerId, to, kind, data) =>
      tx.onCommit(() => publisher.publish(ownerId, to, kind, data)),
    connect: (socket, address) => {
      if (!addresses.add(address)) {
        socket.close(4429, 'too many connections')
        return
      }
      socket.on('close', () => addresses.remove(address))
      acceptSocket(sessions, connections, extensions, socket, address)
    },
    count: () => connections.count(),
    install: (app, handleCall, loaders) => {
      extensions.handleCall = handleCall
      for (const { kind, load } of loaders) {
        extensions.loaders.set(kind, (ownerId, data) => load(app, ownerId, data))
      }
    },
    close: async () => {
      clearInterval(heartbeat)
      extensions.handleCall = () => undefined
      await publisher.flush()
      for (const connection of connections.all()) {
        connection.socket.close(1001, 'server ends')
      }
    },
  }
}

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
  type LiveSocket,
  type Recipients,
} from './live-connection.ts'
import { openLivePublisher, type LivePayload } from './live-publisher.ts'
import { isSetUp } from './scope.ts'
import type { Sessions } from './session.ts'

export type { LiveSocket }

export interface LiveServer extends Live {
  /** A browser that has just connected from an address; it sends its token first. */
  connect(socket: LiveSocket, address: string): void
  count(): number
  close(): Promise<void>
}

const heartbeatMs = 30_000
const handshakeTimeoutMs = 3_000
/** Live connections of one address: an office behind one, with some pages each. */
const defaultPerAddress = 1000

/**
 * Ends the connection whose session has ended or may not be used before a new password; an unreachable
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

/** Passes messages of all server processes on to the browsers of this one. */
async function forwardMessages(database: Database, connections: LiveConnections): Promise<void> {
  await database.listen(
    'live',
    text => {
      const payload: LivePayload = JSON.parse(text)
      const recipients: Recipients = payload.t === 'all' ? undefined : new Set<number | string>(payload.t)
      for (const connection of connections.ofOwner(payload.o)) {
        if (isRecipient(connection, recipients)) {
          sendMessage(connection, payload.k, payload.d)
        }
      }
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
    const { owner, operator }: { owner: Id; operator?: Id | 'all' } = JSON.parse(text)
    for (const connection of connections.ofOwner(owner)) {
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

function acceptSocket(sessions: Sessions, connections: LiveConnections, socket: LiveSocket): void {
  const connection = newConnection(socket)
  const handshakeTimer = setTimeout(() => {
    if (!connection.hasSentToken) {
      socket.close(4401, 'token first')
    }
  }, handshakeTimeoutMs).unref()
  socket.on('message', data => {
    connection.isAlive = true
    receiveMessage(connections, sessions, connection, data.toString())
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
  await forwardMessages(database, connections)
  await followSessions(database, sessions, connections)
  const heartbeat = startHeartbeat(sessions, connections)
  return {
    publish: publisher.publish,
    publishOnCommit: (tx, owner, to, kind, data) =>
      tx.onCommit(() => publisher.publish(owner, to, kind, data)),
    connect: (socket, address) => {
      if (!addresses.add(address)) {
        socket.close(4429, 'too many connections')
        return
      }
      socket.on('close', () => addresses.remove(address))
      acceptSocket(sessions, connections, socket)
    },
    count: () => connections.count(),
    close: async () => {
      clearInterval(heartbeat)
      await publisher.flush()
      for (const connection of connections.all()) {
        connection.socket.close(1001, 'server ends')
      }
    },
  }
}

import type { WebsocketHandler } from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import { AddressCounter } from './connection-limits.ts'

/** The part of a WebSocket (`ws`) that the server uses. */
export interface WebSocketLike {
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
  ping(): void
  on(event: 'message', listener: (data: { toString(): string }) => void): unknown
  on(event: 'close' | 'pong' | 'error', listener: () => void): unknown
}

/** A connection as the endpoint of a module has it. */
export interface ServerSocket {
  /** A client that does not read what it is sent is disconnected. */
  send(text: string): void
  close(code: number, reason: string): void
  onMessage(listener: (text: string) => void): void
  onClose(listener: () => void): void
}

export interface SocketRequest {
  readonly ip: string
  readonly agent: string
}

/**
 * An address for lasting connections of something other than a browser. It authorises its callers itself,
 * within the limits that it states: the kit counts, measures, and disconnects clients that no longer answer.
 */
export interface SocketEndpoint {
  readonly path: `/api/${string}`
  /** Bytes of one message; the connection ends at a longer one (1009). */
  readonly maxMessageBytes: number
  /** Connections of this process, and of one address. */
  readonly maxConnections: number
  readonly perAddress: number
  readonly accept: (socket: ServerSocket, request: SocketRequest, app: App) => void
}

/** Messages of any socket of the server; each endpoint's own limit is at most this. */
export const maxSocketMessageBytes = 1_000_000
const maxBufferedBytes = 4_000_000
const heartbeatMs = 30_000

const closeCode = { tooLong: 1009, serverEnds: 1001, tooMany: 4429 } as const

interface OpenSocket {
  readonly socket: WebSocketLike
  isAlive: boolean
}

function wrapSocket(open: OpenSocket, maxMessageBytes: number): ServerSocket {
  const { socket } = open
  return {
    send: text => {
      if (socket.bufferedAmount > maxBufferedBytes) {
        socket.terminate()
        return
      }
      socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    onMessage: listener => {
      socket.on('message', data => {
        open.isAlive = true
        const text = data.toString()
        if (text.length > maxMessageBytes) {
          socket.close(closeCode.tooLong, 'message too long')
          return
        }
        listener(text)
      })
    },
    onClose: listener => {
      socket.on('close', listener)
    },
  }
}

/** Closes connections that neither sent anything nor answered since the last time. */
function checkAlive(sockets: ReadonlySet<OpenSocket>): void {
  for (const open of sockets) {
    if (open.isAlive) {
      open.isAlive = false
      open.socket.ping()
    } else {
      open.socket.terminate()
    }
  }
}

export interface Sockets {
  count(): number
  /** Ends all connections: their clients connect to another process. */
  close(): void
}

/** Serves the endpoints of the modules. */
export function addSockets(http: FastifyInstance, endpoints: readonly SocketEndpoint[], app: App): Sockets {
  const sockets = new Set<OpenSocket>()
  const serve = (endpoint: SocketEndpoint): ((socket: WebSocketLike, request: SocketRequest) => void) => {
    const addresses = new AddressCounter(endpoint.perAddress)
    let connections = 0
    return (socket, request) => {
      if (connections >= endpoint.maxConnections || !addresses.add(request.ip)) {
        socket.close(closeCode.tooMany, 'too many connections')
        return
      }
      connections++
      const open: OpenSocket = { socket, isAlive: true }
      sockets.add(open)
      socket.on('pong', () => {
        open.isAlive = true
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        connections--
        addresses.remove(request.ip)
        sockets.delete(open)
      })
      endpoint.accept(wrapSocket(open, endpoint.maxMessageBytes), request, app)
    }
  }
  void http.register(async scope => {
    for (const endpoint of endpoints) {
      const connect = serve(endpoint)
      const handler: WebsocketHandler = (socket, req) =>
        connect(socket, { ip: req.ip, agent: req.headers['user-agent'] ?? '' })
      scope.get(endpoint.path, { websocket: true }, handler)
    }
  })
  const heartbeat = setInterval(() => checkAlive(sockets), heartbeatMs).unref()
  return {
    count: () => sockets.size,
    close: () => {
      clearInterval(heartbeat)
      for (const { socket } of sockets) {
        socket.close(closeCode.serverEnds, 'server ends')
      }
    },
  }
}

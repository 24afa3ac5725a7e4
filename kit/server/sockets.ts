import type { WebsocketHandler } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { App } from './app.ts'
import { AddressCounter } from './connection-limits.ts'
import { joinedHeaders } from './raw-endpoint.ts'

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
  /** What stands for the `:names` in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
}

type AcceptSocket = (socket: ServerSocket, request: SocketRequest, app: App) => void

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
  /** Subprotocols of which the client must offer one; the first that it offers is spoken. */
  readonly protocols?: readonly string[]
  readonly accept: AcceptSocket
  /**
   * Asked before the connection is opened: 401 where nothing is returned, else what it returns takes the
   * connection in place of `accept`.
   */
  readonly authorize?: (request: SocketRequest, app: App) => Promise<AcceptSocket | undefined>
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

const requestOf = (req: FastifyRequest): SocketRequest => ({
  ip: req.ip,
  agent: req.headers['user-agent'] ?? '',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router fills them from the path
  params: req.params as Readonly<Record<string, string>>,
  headers: joinedHeaders(req.headers),
})

const offeredProtocols = (req: FastifyRequest): readonly string[] =>
  (req.headers['sec-websocket-protocol'] ?? '').split(',').map(protocol => protocol.trim())

/** The subprotocol of a connection, for `ws`: the first that is offered and known, as far as any is. */
export const chooseProtocol =
  (endpoints: readonly SocketEndpoint[]) =>
  (offered: ReadonlySet<string>): string | false => {
    const known = new Set(endpoints.flatMap(({ protocols = [] }) => protocols))
    const list = [...offered]
    return list.find(protocol => known.has(protocol)) ?? list[0] ?? false
  }

/** Before the handshake: who cannot speak the protocol, or is not known, gets no connection. */
const admission = (
  endpoint: SocketEndpoint,
  app: App,
  admitted: WeakMap<FastifyRequest, AcceptSocket>,
): preValidationHookHandler =>
  async function admit(req, reply) {
    const { protocols, authorize } = endpoint
    if (protocols && !offeredProtocols(req).some(protocol => protocols.includes(protocol)))
      return reply.code(400).send()
    const accept = authorize ? await authorize(requestOf(req), app) : endpoint.accept
    if (!accept) return reply.code(401).header('www-authenticate', 'Basic').send()
    admitted.set(req, accept)
    return undefined
  }

export interface Sockets {
  count(): number
  /** Ends all connections: their clients connect to another process. */
  close(): void
}

/** Serves the endpoints of the modules. */
export function addSockets(http: FastifyInstance, endpoints: readonly SocketEndpoint[], app: App): Sockets {
  const sockets = new Set<OpenSocket>()
  const admitted = new WeakMap<FastifyRequest, AcceptSocket>()
  const serve = (endpoint: SocketEndpoint): WebsocketHandler => {
    const addresses = new AddressCounter(endpoint.perAddress)
    let connections = 0
    return (socket: WebSocketLike, req) => {
      const request = requestOf(req)
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
      const accept = admitted.get(req) ?? endpoint.accept
      accept(wrapSocket(open, endpoint.maxMessageBytes), request, app)
    }
  }
  void http.register(async scope => {
    for (const endpoint of endpoints) {
      const preValidation = admission(endpoint, app, admitted)
      scope.get(endpoint.path, { websocket: true, preValidation }, serve(endpoint))
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

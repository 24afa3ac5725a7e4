import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { resultCode } from '#kit/contract/wire.ts'
import { failureEnvelope, sendJsonUnwaited } from './http-response.ts'
import { splitProxies } from './settings.ts'

/** Counts what is open, by the address it came from. */
export class AddressCounter {
  readonly #counts = new Map<string, number>()
  readonly #limit: number

  constructor(max: number) {
    this.#limit = max
  }

  /** Counts one more; false, and not counted, where the address has as many as it may. */
  add(address: string): boolean {
    const count = this.#counts.get(address) ?? 0
    if (count >= this.#limit) return false
    this.#counts.set(address, count + 1)
    return true
  }

  remove(address: string): void {
    const count = (this.#counts.get(address) ?? 0) - 1
    if (count > 0) {
      this.#counts.set(address, count)
    } else {
      this.#counts.delete(address)
    }
  }
}

/**
 * Closes connections beyond what one address may hold open. A proxy that is trusted with its clients'
 * addresses holds those of all of them and is not counted.
 */
export function limitConnections(http: FastifyInstance, max: number, trustProxy: string): void {
  const isProxy = compile(splitProxies(trustProxy))
  const counter = new AddressCounter(max)
  http.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address, 0)) return
    if (!counter.add(address)) {
      socket.destroy()
      return
    }
    socket.once('close', () => counter.remove(address))
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Calls back once when no byte of the body has come for so long; one that we do not read has time. */
function watchBody(body: IncomingMessage, stallMs: number, onStall: () => void): void {
  let bytesRead = body.socket.bytesRead
  let progressAt = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (body.complete || body.destroyed) {
        clearInterval(timer)
      } else if (body.socket.bytesRead !== bytesRead || !body.readableFlowing) {
        bytesRead = body.socket.bytesRead
        progressAt = now
      } else if (now - progressAt >= stallMs) {
        clearInterval(timer)
        onStall()
      }
    },
    Math.min(stallMs / 3, 5_000),
  )
  timer.unref()
  body.once('close', () => clearInterval(timer))
}

/** Answers 408 and hangs up on a request whose body stops coming. */
export function limitBodyStalls(http: FastifyInstance, stallMs: number): void {
  http.addHook('onRequest', async (req, reply) => {
    if (!hasBody(req.raw)) return
    watchBody(req.raw, stallMs, () => {
      if (reply.sent) {
        req.raw.destroy()
        return
      }
      reply.raw.once('finish', () => req.raw.destroy())
      reply.code(408).header('connection', 'close')
      sendJsonUnwaited(
        req,
        reply,
        failureEnvelope('内容未传输完成，已停止等待，请检查网络后重试', resultCode.invalidInput),
      )
    })
  })
}

/** What is wrong with a request that is no HTTP, by the code of Node's parser: status, reason and words. */
const clientFaults: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', '请求的地址或请求头过长，请减少内容后重试'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', '请求未传输完成，已停止等待，请检查网络后重试'],
}
const unreadable = [400, 'Bad Request', '请求无法读取'] as const

/** How long the answer has to leave before the connection is cut. */
const lingerMs = 1_000

/** Answers a request that Node could not read: in the envelope, as every other fault. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, message] = clientFaults[error.code ?? ''] ?? unreadable
  const body = JSON.stringify(failureEnvelope(message, resultCode.invalidInput))
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\n` +
      `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

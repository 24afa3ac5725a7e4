import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, FileResponse, OpenBytes } from '#kit/contract/file-response.ts'
import { defined } from '#kit/domain/defined.ts'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { errorMessage } from './database-error.ts'
import { inlineTypes } from './file-type.ts'

export const failureEnvelope = (message: string, code: number = resultCode.internalError): Envelope => ({
  Code: code,
  Message: message,
  Data: null,
})

export const unknownRoute = failureEnvelope('没有该接口', 404)
const gzipAsync = promisify(gzip)
const gzipMinLength = 8192

/** Answers in JSON: never cached, never sniffed, compressed where it is long. */
export function sendJson(
  req: FastifyRequest,
  reply: FastifyReply,
  envelope: Envelope,
): FastifyReply | Promise<FastifyReply> {
  const body = JSON.stringify(envelope)
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
  if (body.length < gzipMinLength || !/\bgzip\b/.test(req.headers['accept-encoding'] ?? ''))
    return reply.send(body)
  return gzipAsync(body, { level: 3 }).then(compressed =>
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(compressed),
  )
}

/** An answer where nobody waits for one: sent, or the connection is cut. */
export const sendJsonUnwaited = (req: FastifyRequest, reply: FastifyReply, envelope: Envelope): void => {
  Promise.resolve(sendJson(req, reply, envelope)).catch(() => req.raw.destroy())
}

/**
 * The one part of `size` bytes that a `Range` asks for. Nothing where the whole is meant: several parts, or a
 * header that is no range of bytes; `unsatisfiable` where it is behind the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!asked || (!asked[1] && !asked[2])) return undefined
  if (!asked[1]) {
    const length = Math.min(Number(asked[2]), size)
    return length ? { start: size - length, end: size - 1 } : 'unsatisfiable'
  }
  const start = Number(asked[1])
  const end = asked[2] ? Math.min(Number(asked[2]), size - 1) : size - 1
  if (asked[2] && Number(asked[2]) < start) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}

/** What breaks it off is in the log of its request. */
function streamOf(req: FastifyRequest, bytes: AsyncIterable<Uint8Array>): Readable {
  const stream = bytes instanceof Readable ? bytes : Readable.from(bytes)
  stream.on('error', error => req.log.warn({ err: errorMessage(error) }, 'download broken off'))
  return stream
}

/** A file whose parts can be asked for: the whole of it, or the part. */
async function sendRange(
  req: FastifyRequest,
  reply: FastifyReply,
  open: OpenBytes,
  size: number,
): Promise<FastifyReply> {
  reply.header('accept-ranges', 'bytes')
  const range = readRange(req.headers.range, size)
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${size}`).header('content-length', 0).send('')
  const bytes = await open(range)
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  }
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  return reply.send(streamOf(req, bytes))
}

/** What a file's headers say, without its bytes. */
function sendHead(reply: FastifyReply, { body, size }: FileResponse): FastifyReply {
  if (body instanceof Readable) {
    body.destroy()
  }
  const length = body instanceof Uint8Array ? body.byteLength : size
  if (typeof body === 'function') {
    reply.header('accept-ranges', 'bytes')
  }
  if (length !== undefined) {
    reply.header('content-length', length)
  }
  return reply.send('')
}

function fileHeaders(file: FileResponse): Record<string, string> {
  const name = encodeURIComponent(file.name.toWellFormed())
  const isInline = file.inline && inlineTypes.has(file.type)
  return {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'x-suggested-filename': name,
    'access-control-expose-headers': 'x-suggested-filename',
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'cache-control': file.cacheSeconds ? `private, max-age=${file.cacheSeconds}, immutable` : 'no-store',
    // An uploaded file must never run as a page of this origin.
    ...(file.type === 'application/pdf'
      ? {}
      : { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
  }
}

/** The bytes are opened last: what fails until then is an answer of its own, without the file's headers. */
export async function sendFile(
  req: FastifyRequest,
  reply: FastifyReply,
  file: FileResponse,
): Promise<FastifyReply> {
  const headers = fileHeaders(file)
  reply.headers(headers)
  if (req.method === 'HEAD') return sendHead(reply, file)
  if (typeof file.body === 'function') {
    try {
      return await sendRange(req, reply, file.body, defined(file.size))
    } catch (error) {
      for (const name of [...Object.keys(headers), 'accept-ranges']) {
        reply.removeHeader(name)
      }
      throw error
    }
  }
  if (file.body instanceof Uint8Array)
    return reply.send(Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength))
  if (file.size !== undefined) {
    reply.header('content-length', file.size)
  }
  return reply.send(streamOf(req, file.body))
}

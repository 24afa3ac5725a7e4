import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileResponse } from '#kit/contract/shape.ts'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { inlineTypes } from './file-type.ts'

export const failureEnvelope = (message: string, code: number = resultCode.internalError): Envelope => ({
  Code: code,
  Message: message,
  Data: null,
})

export const unknownRoute = failureEnvelope('没有这个接口', 404)
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

export function sendFile(reply: FastifyReply, file: FileResponse): FastifyReply {
  const name = encodeURIComponent(file.name.toWellFormed())
  const isInline = file.inline && inlineTypes.has(file.type)
  reply.headers({
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
  })
  if (file.body instanceof Uint8Array)
    return reply.send(Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength))
  if (file.size !== undefined) {
    reply.header('content-length', file.size)
  }
  return reply.send(file.body instanceof Readable ? file.body : Readable.from(file.body))
}

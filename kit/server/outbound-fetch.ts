import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ForbiddenTarget, type TargetGuard } from './outbound-target.ts'

interface OutboundRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const maxAnswerBytes = 1_000_000

function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body is a text or a form')
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxAnswerBytes) throw new Error(`the answer is longer than ${maxAnswerBytes} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function open(
  target: URL,
  { method, headers, body, signal }: OutboundRequest,
  { lookup }: TargetGuard,
): Promise<IncomingMessage> {
  const text = bodyText(body)
  return new Promise((done, fail) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(
      target,
      {
        method,
        lookup,
        ...(signal ? { signal } : {}),
        headers: {
          ...headers,
          ...(text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
        },
      },
      done,
    )
    request.on('error', fail)
    request.end(text)
  })
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/**
 * `fetch` for addresses that people typed in: only what the guard allows is reached, redirects are not
 * followed, an answer has at most 1 MB.
 */
export const createGuardedFetch =
  (guard: TargetGuard) =>
  async (url: string, request: OutboundRequest): Promise<Response> => {
    const refusal = guard.urlRefusal(url)
    if (refusal !== undefined) throw new ForbiddenTarget(refusal)
    try {
      const response = await open(new URL(url), request, guard)
      const bytes = await readAnswer(response)
      return new Response(bytes.length ? new Uint8Array(bytes) : null, {
        status: response.statusCode ?? 502,
        headers: headersOf(response),
      })
    } catch (error) {
      // The reason for which it was aborted says more than that it was.
      request.signal?.throwIfAborted()
      throw error
    }
  }

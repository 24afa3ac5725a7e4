import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { toError } from '#kit/domain/to-error.ts'
import { ForbiddenTarget } from '#kit/server/outbound-target.ts'
import { webhookTarget } from './webhook-target.ts'

/** What a receiver answered, or why there was no answer. */
export interface PostOutcome {
  readonly isDelivered: boolean
  /** The receiver is gone permanently (410). */
  readonly hasRetired?: boolean
  readonly statusCode?: number
  readonly answer?: string
  readonly reason?: string
  readonly tookMs: number
}

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Aborts as the process ends. */
  readonly signal: AbortSignal
}

const maxAnswerBytes = 4_000
const keptAnswerLength = 1_000
const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 50, timeout: 30_000 }),
  'https:': new HttpsAgent({ keepAlive: true, maxSockets: 50, timeout: 30_000 }),
}

/** The beginning of the answer, as text; the rest is not read. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > maxAnswerBytes) break
  }
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').toWellFormed()
  return text.length > keptAnswerLength ? `${text.slice(0, keptAnswerLength)}…` : text
}

/** Redirects are not followed: they would lead where nobody has checked. */
function exchange({ url, headers, body }: PostRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  return new Promise((done, fail) => {
    const request = (isSecure ? requestHttps : requestHttp)(
      target,
      {
        method: 'POST',
        agent: agents[isSecure ? 'https:' : 'http:'],
        lookup: webhookTarget.lookup,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Anju-Webhooks/1',
        },
      },
      done,
    )
    request.on('error', fail)
    request.end(body)
  })
}

const statusReason = (statusCode: number): string =>
  statusCode >= 300 && statusCode < 400
    ? `应答 ${statusCode}：不跟随重定向，请填写最终地址`
    : `应答 ${statusCode}`

const causeText = (error: Error): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return error instanceof ForbiddenTarget ? error.message : `无法连接${code ? `（${code}）` : ''}`
}

/** Sends one message. Throws only when the process ends before the answer: the outcome is unknown then. */
export async function postWebhook(request: PostRequest): Promise<PostOutcome> {
  const startedAt = performance.now()
  const took = (): number => Math.round(performance.now() - startedAt)
  const refusal = webhookTarget.urlRefusal(request.url)
  if (refusal !== undefined) return { isDelivered: false, reason: refusal, tookMs: 0 }
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await exchange(request, AbortSignal.any([timeout, request.signal]))
    const { statusCode = 0 } = response
    const answer = await readAnswer(response)
    const isDelivered = statusCode >= 200 && statusCode < 300
    return {
      isDelivered,
      hasRetired: statusCode === 410,
      statusCode,
      answer,
      tookMs: took(),
      ...(isDelivered ? {} : { reason: statusReason(statusCode) }),
    }
  } catch (error) {
    request.signal.throwIfAborted()
    const reason = timeout.aborted ? `${request.timeoutMs / 1000} 秒内未响应` : causeText(toError(error))
    return { isDelivered: false, reason, tookMs: took() }
  }
}

import { pathOf, type Call } from '#kit/contract/call.ts'
import {
  Refused,
  resultCode,
  encodeRequest,
  decodeResponse,
  type Envelope,
  type EncodedRequest,
} from '#kit/contract/wire.ts'
import { navigateTo, currentUrl } from './navigation.ts'
import { currentSender, session, signOut, recordRequest } from './session.ts'
import { toast } from './toast.ts'

/**
 * An answer that is none: an HTTP status other than 200, or no answer at all (status 0). It is passed on
 * without a word (0§8).
 */
export class RequestFailure extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface SendOptions {
  readonly signal?: AbortSignal
  /** No error toast: the caller shows the fault in its own place. */
  readonly quiet?: boolean
  /** Idempotency key of a write (G-6); a new one for every call unless a retry brings the old one. */
  readonly uuid?: string
  /** Another project than the chosen one; `0` leaves the project out. */
  readonly project?: string | 0
  /** Milliseconds, instead of the client's. */
  readonly timeout?: number
}

/** Time allowed in ms, by client (0§9). */
export const timeouts = { main: 300_000, account: 120_000, push: 30_000 } as const

const timeoutClients: readonly [RegExp, keyof typeof timeouts][] = [
  [/^(push|wisdom\/push)/i, 'push'],
  [/^(manager|permission|sso|account|operation|file|enums)\b/i, 'account'],
]

export const timeoutOf = (c: Call): number =>
  timeouts[timeoutClients.find(([begin]) => begin.test(pathOf(c)))?.[1] ?? 'main']

const apiRoots = [
  import.meta.env?.VITE_API_ROOT || '/api',
  import.meta.env?.VITE_API_ROOT_2 || '/api',
] as const

export const requestUrl = (c: Call, req: EncodedRequest): string =>
  `${apiRoots[c.root === 2 ? 1 : 0].replace(/\/+$/, '')}/${req.path}${req.query ? `?${req.query}` : ''}`

const isRenewal = (c: Call): boolean => pathOf(c).toLowerCase() === 'permission/againgettoken'

/** A random id; `randomUUID` is missing where the page is served without TLS. */
export function newUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b, i) => (i === 6 ? (b & 15) | 64 : i === 8 ? (b & 63) | 128 : b).toString(16).padStart(2, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const requestHeaders = (): Record<string, string> => {
  const token = session.getState().signed?.token ?? ''
  return token ? { token, flag: '1' } : { token }
}

export const buildRequest = <I>(c: Call<I, any>, input: I, more: SendOptions): EncodedRequest => {
  const who = currentSender()
  return encodeRequest(c, input, {
    ...who,
    projectCode: more.project ?? who.projectCode,
    uuid: more.uuid ?? newUuid(),
  })
}

/** The session is over: forget it and ask to sign in, with the way back (0§8). */
export function expireSession(): void {
  const from = currentUrl()
  signOut()
  if (!/^\/login\b/i.test(from)) {
    navigateTo(`/login?redirect=${encodeURIComponent(from)}`, { replace: true })
  }
}

/**
 * Statuses that are no answer. 401 ends the session unless the token was renewed while the request was under
 * way.
 */
export function checkStatus(status: number | undefined, token: string, message = ''): void {
  const s = status || 405
  if (s === 200) return
  if (s === 204) {
    toast.error('暂无数据')
    throw new RequestFailure(204, '暂无数据')
  }
  if (s === 401) {
    if ((session.getState().signed?.token ?? '') === token) {
      expireSession()
    }
    throw new RequestFailure(401, '登录失效')
  }
  throw new RequestFailure(s, message || `错误(${s})`)
}

/** Faults that name fields belong beside their fields, not in a toast. */
const hasFieldFaults = (e: Refused): boolean =>
  e.code === resultCode.invalidInput && Array.isArray(e.data) && e.data.length > 0

export function reportRefusal(e: unknown, more: SendOptions): unknown {
  if (e instanceof Refused && !more.quiet && !hasFieldFaults(e) && e.message) {
    toast.error(e.message)
  }
  return e
}

const readErrorMessage = async (answer: Response): Promise<string> => {
  try {
    return String(((await answer.clone().json()) as Partial<Envelope>).Message ?? '')
  } catch {
    return ''
  }
}

async function sendRequest(c: Call, req: EncodedRequest, more: SendOptions): Promise<Response> {
  const told = requestHeaders()
  const slow = AbortSignal.timeout(more.timeout ?? timeoutOf(c))
  const type = req.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (!isRenewal(c)) {
    recordRequest()
  }
  let answer: Response
  try {
    answer = await fetch(requestUrl(c, req), {
      method: req.method,
      credentials: 'include',
      signal: more.signal ? AbortSignal.any([slow, more.signal]) : slow,
      headers: { ...told, ...(req.body === undefined ? {} : { 'content-type': `${type};charset=UTF-8` }) },
      ...(req.body === undefined ? {} : { body: req.body }),
    })
  } catch (e) {
    if (more.signal?.aborted) throw e
    throw new RequestFailure(0, slow.aborted ? '请求超时' : '网络错误')
  }
  if (answer.status !== 200) {
    checkStatus(answer.status, told.token!, await readErrorMessage(answer))
  }
  return answer
}

/**
 * Says a call and answers what it gives. Throws `Refused` where the server refused (told in a toast, but for
 * field faults), `Failure` where there was no answer, and the abort reason when the caller gave up.
 */
export async function send<I, O>(c: Call<I, O>, input: I, more: SendOptions = {}): Promise<O> {
  const answer = await sendRequest(c, buildRequest(c, input, more), more)
  let envelope: Envelope
  try {
    envelope = (await answer.json()) as Envelope
  } catch (e) {
    if (more.signal?.aborted) throw e
    throw new RequestFailure(405, '无法读取服务器的回答')
  }
  try {
    return decodeResponse(c, envelope)
  } catch (e) {
    throw reportRefusal(e, more)
  }
}

/** At most this many requests at once (0§5). */
export const maxBatchRequests = 6

/** Several requests at once; more than six are refused as a whole, before any is sent. */
export async function sendBatch<T extends readonly (() => Promise<unknown>)[]>(
  asks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  if (asks.length > maxBatchRequests) {
    const why = `当前不支持数量大于${maxBatchRequests}个的并发请求`
    toast.error(why)
    throw new Error(why)
  }
  return (await Promise.all(asks.map(a => a()))) as never
}

/** The name the server suggests, or the given one, or 未命名. */
export function suggestedName(header: string | null, given: string | undefined): string {
  if (header) {
    try {
      return decodeURIComponent(header)
    } catch {
      return header
    }
  }
  return given || '未命名'
}

export interface FetchedFile {
  readonly name: string
  readonly blob: Blob
}

/** Asks for a file. A JSON answer is a refusal, an empty file a fault (0§7). */
export async function fetchFile<I>(
  c: Call<I, any>,
  input: I,
  name?: string,
  more: SendOptions = {},
): Promise<FetchedFile> {
  const answer = await sendRequest(c, buildRequest(c, input, more), more)
  const blob = await answer.blob()
  if (/json/i.test(answer.headers.get('content-type') ?? blob.type)) {
    const said = await blob
      .text()
      .then(t => JSON.parse(t) as Partial<Envelope>)
      .catch(() => ({}) as Partial<Envelope>)
    throw reportRefusal(
      new Refused(Number(said.Code ?? resultCode.refused), said.Message || '下载失败', said.Data),
      more,
    )
  }
  if (blob.size === 0) throw reportRefusal(new Refused(resultCode.refused, '文件长度为0'), more)
  return { name: suggestedName(answer.headers.get('x-suggested-filename'), name), blob }
}

/** Asks for a file and hands it to the browser to save. */
export async function download<I>(
  c: Call<I, any>,
  input: I,
  name?: string,
  more: SendOptions = {},
): Promise<string> {
  const file = await fetchFile(c, input, name, more)
  saveAs(file.blob, file.name)
  return file.name
}

export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

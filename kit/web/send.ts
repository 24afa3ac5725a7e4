import { defined } from '#kit/domain/defined.ts'
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
import { noteServerDate } from './server-clock.ts'
import { toast } from './toast.ts'

/**
 * A failed request: an HTTP status other than 200, or no answer at all (status 0). It is passed on without a
 * message (0§8).
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

export const timeoutOf = (call: Call): number =>
  timeouts[timeoutClients.find(([begin]) => begin.test(pathOf(call)))?.[1] ?? 'main']

const apiRoots = [
  import.meta.env?.VITE_API_ROOT || '/api',
  import.meta.env?.VITE_API_ROOT_2 || '/api',
] as const

const apiUrl = (root: 1 | 2, path: string): string => `${apiRoots[root - 1].replace(/\/+$/, '')}/${path}`

export const requestUrl = (call: Call, request: EncodedRequest): string =>
  `${apiUrl(call.root === 2 ? 2 : 1, request.path)}${request.query ? `?${request.query}` : ''}`

/** The address that starts resumable uploads. */
export const resumableUploadUrl = (): string => apiUrl(1, 'upload')

const isRenewal = (call: Call): boolean => pathOf(call).toLowerCase() === 'permission/againgettoken'

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

export const buildRequest = <I>(
  call: Call<I, any>,
  input: NoInfer<I>,
  options: SendOptions,
): EncodedRequest => {
  const sender = currentSender()
  return encodeRequest(call, input, {
    ...sender,
    projectCode: options.project ?? sender.projectCode,
    uuid: options.uuid ?? newUuid(),
  })
}

/** The session is over: forget it and go to the login page, with the way back (0§8). */
export function expireSession(): void {
  const returnUrl = currentUrl()
  signOut()
  if (!/^\/login\b/i.test(returnUrl)) {
    navigateTo(`/login?redirect=${encodeURIComponent(returnUrl)}`, { replace: true })
  }
}

/**
 * Throws for statuses other than 200. 401 ends the session unless the token was renewed while the request was
 * running.
 */
export function checkStatus(status: number | undefined, token: string, message = ''): void {
  const effectiveStatus = status || 405
  if (effectiveStatus === 200) return
  if (effectiveStatus === 204) {
    toast.error('暂无数据')
    throw new RequestFailure(204, '暂无数据')
  }
  if (effectiveStatus === 401) {
    if ((session.getState().signed?.token ?? '') === token) {
      expireSession()
    }
    throw new RequestFailure(401, '登录失效')
  }
  throw new RequestFailure(effectiveStatus, message || `错误(${effectiveStatus})`)
}

/** Faults that name fields belong beside their fields, not in a toast. */
const hasFieldFaults = (e: Refused): boolean =>
  e.code === resultCode.invalidInput && Array.isArray(e.data) && e.data.length > 0

export function reportRefusal(error: unknown, options: SendOptions): unknown {
  if (error instanceof Refused && !options.quiet && !hasFieldFaults(error) && error.message) {
    toast.error(error.message)
  }
  return error
}

const readErrorMessage = async (answer: Response): Promise<string> => {
  try {
    const refusal: Partial<Envelope> = await answer.clone().json()
    return String(refusal.Message ?? '')
  } catch {
    return ''
  }
}

async function sendRequest(
  call: Call,
  request: EncodedRequest,
  options: SendOptions,
  range?: string,
): Promise<Response> {
  const sentHeaders = requestHeaders()
  const timeoutSignal = AbortSignal.timeout(options.timeout ?? timeoutOf(call))
  const type = request.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (!isRenewal(call)) {
    recordRequest()
  }
  let answer: Response
  try {
    answer = await fetch(requestUrl(call, request), {
      method: request.method,
      credentials: 'include',
      signal: options.signal ? AbortSignal.any([timeoutSignal, options.signal]) : timeoutSignal,
      headers: {
        ...sentHeaders,
        ...(range === undefined ? {} : { range }),
        ...(request.body === undefined ? {} : { 'content-type': `${type};charset=UTF-8` }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
    })
  } catch (e) {
    if (options.signal?.aborted) throw e
    throw new RequestFailure(0, timeoutSignal.aborted ? '请求超时' : '网络错误')
  }
  if (answer.status !== 200 && !(range !== undefined && answer.status === 206)) {
    checkStatus(answer.status, defined(sentHeaders.token), await readErrorMessage(answer))
  }
  noteServerDate(answer.headers.get('date'))
  return answer
}

/**
 * Sends a call and decodes its answer. Throws `Refused` where the server refused (reported in a toast, except
 * field faults), `RequestFailure` where there was no answer, and the abort reason when the caller cancelled.
 */
export async function send<I, O>(call: Call<I, O>, input: NoInfer<I>, options: SendOptions = {}): Promise<O> {
  const answer = await sendRequest(call, buildRequest(call, input, options), options)
  let envelope: Envelope
  try {
    envelope = await answer.json()
  } catch (e) {
    if (options.signal?.aborted) throw e
    throw new RequestFailure(405, '无法读取服务器的响应')
  }
  try {
    return decodeResponse(call, envelope)
  } catch (e) {
    throw reportRefusal(e, options)
  }
}

/** At most this many requests at once (0§5). */
export const maxBatchRequests = 6

/** Several requests at once; more than six are refused as a whole, before any is sent. */
export async function sendBatch<T extends readonly (() => Promise<unknown>)[]>(
  requests: T,
): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  if (requests.length > maxBatchRequests) {
    const message = `当前不支持数量大于${maxBatchRequests}个的并发请求`
    toast.error(message)
    throw new Error(message)
  }
  return (await Promise.all(requests.map(a => a()))) as never
}

/** The name the server suggests, or the given one, or 未命名. */
export function suggestedName(header: string | null, fallback: string | undefined): string {
  if (header) {
    try {
      return decodeURIComponent(header)
    } catch {
      return header
    }
  }
  return fallback || '未命名'
}

export interface FetchedFile {
  readonly name: string
  readonly blob: Blob
}

const isJson = (answer: Response): boolean => /json/i.test(answer.headers.get('content-type') ?? '')

async function refusedFile(answer: Response, options: SendOptions): Promise<unknown> {
  const refusal: Partial<Envelope> = await answer.json().catch(() => ({}))
  const { Code = resultCode.refused, Message, Data } = refusal
  return reportRefusal(new Refused(Number(Code), Message || '下载失败', Data), options)
}

/** Fetches a file. A JSON answer is a refusal, an empty file a fault (0§7). */
export async function fetchFile<I>(
  call: Call<I, any>,
  input: NoInfer<I>,
  name?: string,
  options: SendOptions = {},
): Promise<FetchedFile> {
  const answer = await sendRequest(call, buildRequest(call, input, options), options)
  if (isJson(answer)) throw await refusedFile(answer, options)
  const blob = await answer.blob().catch((e: unknown) => {
    throw options.signal?.aborted ? e : new RequestFailure(0, '下载中断，请重试')
  })
  if (blob.size === 0) throw reportRefusal(new Refused(resultCode.refused, '文件长度为0'), options)
  return { name: suggestedName(answer.headers.get('x-suggested-filename'), name), blob }
}

/**
 * Asks for the first byte of a file that the browser is then to download by itself: what it cannot get, it
 * tells nobody. Throws as `fetchFile` does.
 */
export async function checkFile<I>(
  call: Call<I, any>,
  input: NoInfer<I>,
  options: SendOptions = {},
): Promise<void> {
  const answer = await sendRequest(call, buildRequest(call, input, options), options, 'bytes=0-0')
  if (isJson(answer)) throw await refusedFile(answer, options)
  await answer.body?.cancel()
}

/** Fetches a file and gives it to the browser to save. */
export async function download<I>(
  call: Call<I, any>,
  input: NoInfer<I>,
  name?: string,
  options: SendOptions = {},
): Promise<string> {
  const file = await fetchFile(call, input, name, options)
  saveAs(file.blob, file.name)
  return file.name
}

export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const element = document.createElement('a')
  element.href = url
  element.download = name
  element.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

import type { Call } from '#kit/contract/call.ts'
import { decodeResponse, type Envelope } from '#kit/contract/wire.ts'
import {
  RequestFailure,
  requestUrl,
  requestHeaders,
  checkStatus,
  buildRequest,
  timeoutOf,
  reportRefusal,
  type SendOptions,
} from './send.ts'
import { recordRequest } from './session.ts'

export interface UploadOptions extends SendOptions {
  /** Part of the file that has gone, 0 to 1. */
  readonly onProgress?: (part: number) => void
}

/**
 * Sends a file beside the fields of a call (multipart). `fetch` cannot tell how much of a body has gone, so
 * this one is an XMLHttpRequest.
 */
export function upload<I, O>(c: Call<I, O>, input: I, file: File, more: UploadOptions = {}): Promise<O> {
  const req = buildRequest(c, input, more)
  const asked = new XMLHttpRequest()
  const form = new FormData()
  const head = requestHeaders()
  new URLSearchParams(req.body ?? req.query).forEach((v, k) => form.append(k, v))
  form.append('file', file, file.name)
  recordRequest()
  return new Promise((fine, wrong) => {
    asked.open(req.method === 'GET' ? 'POST' : req.method, requestUrl(c, { ...req, query: '' }))
    asked.withCredentials = true
    asked.timeout = more.timeout ?? timeoutOf(c)
    for (const [k, v] of Object.entries(head)) {
      asked.setRequestHeader(k, v)
    }
    asked.upload.onprogress = e => {
      if (e.lengthComputable) {
        more.onProgress?.(e.loaded / e.total)
      }
    }
    asked.onload = () => {
      try {
        const said = asked.responseText ? (JSON.parse(asked.responseText) as Envelope) : undefined
        checkStatus(asked.status, head.token!, said?.Message)
        fine(decodeResponse(c, said!))
      } catch (e) {
        wrong(
          reportRefusal(e instanceof SyntaxError ? new RequestFailure(405, '无法读取服务器的回答') : e, more),
        )
      }
    }
    asked.onerror = () => wrong(new RequestFailure(0, '网络错误'))
    asked.ontimeout = () => wrong(new RequestFailure(0, '请求超时'))
    asked.onabort = () => wrong(more.signal?.reason ?? new DOMException('已取消', 'AbortError'))
    more.signal?.addEventListener('abort', () => asked.abort(), { once: true })
    if (more.signal?.aborted) {
      asked.abort()
    } else {
      asked.send(form)
    }
  })
}

import { defined } from '#kit/domain/defined.ts'
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
  /** Part of the file that was sent, 0 to 1. */
  readonly onProgress?: (progress: number) => void
}

/**
 * Sends a file beside the fields of a call (multipart). `fetch` cannot report upload progress, so this is an
 * XMLHttpRequest.
 */
export function upload<I, O>(
  call: Call<I, O>,
  input: NoInfer<I>,
  file: File,
  options: UploadOptions = {},
): Promise<O> {
  const request = buildRequest(call, input, options)
  const xhr = new XMLHttpRequest()
  const form = new FormData()
  const headers = requestHeaders()
  new URLSearchParams(request.body ?? request.query).forEach((v, k) => form.append(k, v))
  form.append('file', file, file.name)
  recordRequest()
  return new Promise((resolve, reject) => {
    xhr.open(request.method === 'GET' ? 'POST' : request.method, requestUrl(call, { ...request, query: '' }))
    xhr.withCredentials = true
    xhr.timeout = options.timeout ?? timeoutOf(call)
    for (const [k, v] of Object.entries(headers)) {
      xhr.setRequestHeader(k, v)
    }
    xhr.upload.onprogress = e => {
      if (e.lengthComputable) {
        options.onProgress?.(e.loaded / e.total)
      }
    }
    xhr.onload = () => {
      try {
        const envelope: Envelope | undefined = xhr.responseText ? JSON.parse(xhr.responseText) : undefined
        checkStatus(xhr.status, defined(headers.token), envelope?.Message)
        resolve(decodeResponse(call, defined(envelope)))
      } catch (e) {
        reject(
          reportRefusal(
            e instanceof SyntaxError ? new RequestFailure(405, '无法读取服务器的响应') : e,
            options,
          ),
        )
      }
    }
    xhr.onerror = () => reject(new RequestFailure(0, '网络错误'))
    xhr.ontimeout = () => reject(new RequestFailure(0, '请求超时'))
    xhr.onabort = () => reject(options.signal?.reason ?? new DOMException('已取消', 'AbortError'))
    options.signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    if (options.signal?.aborted) {
      xhr.abort()
    } else {
      xhr.send(form)
    }
  })
}

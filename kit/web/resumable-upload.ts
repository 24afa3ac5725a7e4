// One file sent by the tus protocol: it goes on where it stopped, after a lost network and after a reload.
// The library is heavy: import this file only when it is needed.
import { DetailedError, Upload } from 'tus-js-client'
import { expireSession, requestHeaders, resumableUploadUrl } from './send.ts'
import { recordRequest } from './session.ts'

export interface ResumableUpload {
  /** Stops sending; what has arrived stays. */
  readonly pause: () => Promise<void>
  /** Gives the upload up, on the server too. */
  readonly cancel: () => Promise<void>
}

/** Why an upload stopped: the network, or a refusal with its message. */
export type UploadFault =
  | { readonly kind: 'network' }
  | { readonly kind: 'refused'; readonly message: string }

interface ResumableOptions {
  /** For an upload that was started earlier. */
  readonly url?: string | undefined
  /** What it is for, and what belongs to it: `filename` is added. */
  readonly metadata: Readonly<Record<string, string>>
  readonly onUrl: (url: string) => void
  readonly onProgress: (sentBytes: number) => void
  /** All bytes have arrived, under this id. */
  readonly onSuccess: (uploadId: string) => void
  readonly onFault: (fault: UploadFault) => void
}

/** Files up to this size go with the request that begins the upload. */
const smallBytes = 1_048_576
/** The caller waits for a lost network; these retries bridge a short interruption. */
const retryDelays = [500, 2000]

const statusOf = (error: unknown): number =>
  error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0

function messageOf(error: unknown): string {
  try {
    const body: unknown =
      error instanceof DetailedError && JSON.parse(error.originalResponse?.getBody() ?? '')
    if (typeof body === 'object' && body && 'Message' in body && typeof body.Message === 'string')
      return body.Message
  } catch {
    // An answer that is not of the server: a proxy's page.
  }
  return '上传失败，请重试'
}

function faultOf(error: unknown): UploadFault {
  const status = statusOf(error)
  if (status === 401) {
    expireSession()
  }
  return status === 0 || status === 429 || status >= 500
    ? { kind: 'network' }
    : { kind: 'refused', message: messageOf(error) }
}

const idOfUrl = (url: string | null): string =>
  new URL(url ?? '', location.href).pathname.split('/').at(-1) ?? ''

/** Sends a file, from the beginning or, with a `url`, from where it stopped. */
export function startUpload(file: File, options: ResumableOptions): ResumableUpload {
  const upload = new Upload(file, {
    endpoint: resumableUploadUrl(),
    uploadUrl: options.url ?? null,
    metadata: { ...options.metadata, filename: file.name },
    retryDelays: [...retryDelays],
    // The caller stores where an upload stopped, with what it is for.
    storeFingerprintForResuming: false,
    uploadDataDuringCreation: file.size <= smallBytes,
    onShouldRetry: error => [0, 429].includes(statusOf(error)) || statusOf(error) >= 500,
    onBeforeRequest: request => {
      // The token is renewed while a large file is being sent.
      for (const [name, value] of Object.entries(requestHeaders())) {
        request.setHeader(name, value)
      }
      recordRequest()
    },
    onUploadUrlAvailable: () => options.onUrl(upload.url ?? ''),
    onProgress: sentBytes => options.onProgress(sentBytes),
    onSuccess: () => options.onSuccess(idOfUrl(upload.url)),
    onError: error => options.onFault(faultOf(error)),
  })
  upload.start()
  return {
    pause: () => upload.abort(),
    cancel: () => upload.abort(upload.url !== null).catch(() => {}),
  }
}

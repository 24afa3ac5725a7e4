// What is known of a file that is being uploaded, and what this browser remembers of an unfinished one.
import type { Id } from '#kit/domain/id.ts'
import { readStored, saveStored, storedKeys } from '#kit/web/browser-store.ts'
import { personalKey } from '#kit/web/session.ts'

/** `detached`: begun before a reload, its file must be chosen again. `waiting`: for the network. */
export type UploadState =
  | 'queued'
  | 'sending'
  | 'paused'
  | 'waiting'
  | 'saving'
  | 'done'
  | 'failed'
  | 'detached'

export interface UploadTarget {
  readonly projectCode: string
  readonly dirId: Id
  readonly folderName: string
}

export interface UploadItem {
  /** Tells the file and its place: the same file is resumed, not sent twice. */
  readonly key: string
  readonly name: string
  readonly size: number
  readonly target: UploadTarget
  readonly sentBytes: number
  readonly state: UploadState
  readonly fault?: string | undefined
}

/** What is remembered of an unfinished upload. */
interface StoredUpload {
  readonly name: string
  readonly size: number
  readonly target: UploadTarget
  readonly url: string
  readonly sentBytes: number
  readonly time: number
}

/** The server drops what is a day old. */
const lifetimeMs = 86_400_000

const storagePrefix = (): string => personalKey('upload/')
export const storedUpload = (key: string): StoredUpload | undefined =>
  readStored<StoredUpload | undefined>(storagePrefix() + key, undefined)
export const forgetUpload = (key: string): void => saveStored(storagePrefix() + key, undefined)

export function rememberUpload({ key, name, size, target, sentBytes }: UploadItem, url: string): void {
  const stored: StoredUpload = { name, size, target, url, sentBytes, time: Date.now() }
  saveStored(storagePrefix() + key, stored)
}

/** What was unfinished when the page was last left, as items whose files must be chosen again. */
export function storedUploads(): UploadItem[] {
  const prefix = storagePrefix()
  return storedKeys(prefix).flatMap((storedKey): UploadItem[] => {
    const key = storedKey.slice(prefix.length)
    const upload = storedUpload(key)
    if (!upload) return []
    if (Date.now() - upload.time > lifetimeMs) {
      forgetUpload(key)
      return []
    }
    const { name, size, target, sentBytes } = upload
    return [{ key, name, size, target, sentBytes, state: 'detached' }]
  })
}

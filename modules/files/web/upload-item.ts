// What is known of a file that is being uploaded, and what this browser remembers of an unfinished one.
import type { Id } from '#kit/domain/id.ts'
import { readStored, saveStored, storedKeys } from '#kit/web/browser-store.ts'
import { personalKey } from '#kit/web/session.ts'

/** `detached`: started before a reload, its file must be chosen again. `waiting`: for the network. */
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

/** What runs is first, then what needs somebody, then what waits its turn, last what is done. */
const listOrder: Readonly<Record<UploadState, number>> = {
  sending: 0,
  saving: 0,
  failed: 1,
  detached: 1,
  paused: 1,
  waiting: 2,
  queued: 3,
  done: 4,
}

/** The order of the panel; uploads of one rank in the order in which they were added. */
export const uploadsInOrder = <T extends Pick<UploadItem, 'state'>>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => listOrder[a.state] - listOrder[b.state])

interface Network {
  /** The browser has one. */
  readonly isOnline: boolean
  /** The server answered last time. */
  readonly isReachable: boolean
}

const parallelUploads = 3

/**
 * Which queued uploads begin now, and which wait for the network: none begins without one, and a single one
 * tries whether the server answers again.
 */
export function planUploads<T extends Pick<UploadItem, 'state'>>(
  items: readonly T[],
  network: Network,
): { readonly starting: readonly T[]; readonly waiting: readonly T[] } {
  const { isOnline, isReachable } = network
  const queued = items.filter(({ state }) => state === 'queued')
  if (!isOnline) return { starting: [], waiting: queued }
  const running = items.filter(({ state }) => state === 'sending' || state === 'saving').length
  const room = Math.max(0, (isReachable ? parallelUploads : 1) - running)
  return { starting: queued.slice(0, room), waiting: isReachable ? [] : queued.slice(room) }
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

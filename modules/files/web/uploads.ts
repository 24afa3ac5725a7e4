// Files that are being uploaded: they go on while other pages are open, wait for a lost network, and are
// remembered in this browser, so that they can be resumed after a reload by choosing the same files again.
import { useSyncExternalStore } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { invalidate } from '#kit/web/query.ts'
import type { ResumableUpload, UploadFault } from '#kit/web/resumable-upload.ts'
import { newUuid, send } from '#kit/web/send.ts'
import { uploadPurpose, uploadToFolder } from '../contract/transfer.ts'
import {
  forgetUpload,
  planUploads,
  rememberUpload,
  storedUpload,
  storedUploads,
  type UploadItem,
  type UploadTarget,
} from './upload-item.ts'

interface Work {
  readonly file: File
  /** The uuid of the call that takes the upload: sent again unchanged when its response is lost (G-6). */
  readonly uuid: string
  uploadId?: string
  transfer?: ResumableUpload
}

const retryMs = 5000
const invalidateMs = 1000

let items: readonly UploadItem[] = []
const work = new Map<string, Work>()
const listeners = new Set<() => void>()
let isReachable = true
let retryTimer: ReturnType<typeof setTimeout> | undefined
let invalidateTimer: ReturnType<typeof setTimeout> | undefined

const setItems = (next: readonly UploadItem[]): void => {
  items = next
  listeners.forEach(listener => listener())
}

const change = (key: string, values: Partial<UploadItem>): void =>
  setItems(items.map(item => (item.key === key ? { ...item, ...values } : item)))

const findItem = (key: string): UploadItem | undefined => items.find(item => item.key === key)

const isUnfinished = ({ state }: UploadItem): boolean =>
  ['queued', 'sending', 'waiting', 'saving'].includes(state)

const warnBeforeLeaving = (event: BeforeUnloadEvent): void => {
  if (items.some(isUnfinished)) {
    event.preventDefault()
  }
}

/** Lists and figures are fetched again once a second at most while many files arrive. */
function refreshLists(): void {
  invalidateTimer ??= setTimeout(() => {
    invalidateTimer = undefined
    void invalidate(['fileInfo'])
  }, invalidateMs)
}

const isNetworkFault = (error: unknown): boolean => !(error instanceof Refused)

async function takeArrived(key: string, entry: Work): Promise<void> {
  const item = findItem(key)
  if (!item || entry.uploadId === undefined) return
  const { projectCode, dirId } = item.target
  change(key, { state: 'saving', sentBytes: item.size })
  try {
    await send(
      uploadToFolder,
      { projectCode, dirId, uploadId: entry.uploadId },
      { quiet: true, uuid: entry.uuid, project: projectCode },
    )
    forgetUpload(key)
    work.delete(key)
    change(key, { state: 'done' })
    noteAnswer()
    refreshLists()
  } catch (error) {
    if (isNetworkFault(error)) {
      waitForNetwork(key)
    } else {
      noteAnswer()
      fail(key, error instanceof Error ? error.message : '')
    }
  }
  pump()
}

/** A refused upload is given up on the server, too: its bytes count to nobody. */
function fail(key: string, message: string): void {
  void work.get(key)?.transfer?.cancel()
  forgetUpload(key)
  change(key, { state: 'failed', fault: message || '上传失败，请重试' })
}

function onFault(key: string, fault: UploadFault): void {
  if (fault.kind === 'refused') {
    noteAnswer()
    fail(key, fault.message)
  } else {
    waitForNetwork(key)
  }
  pump()
}

/** The server has answered: what waited for it goes on. */
function noteAnswer(): void {
  if (isReachable) return
  isReachable = true
  requeueWaiting()
}

function waitForNetwork(key: string): void {
  isReachable = false
  change(key, { state: 'waiting' })
  retryLater()
}

function retryLater(): void {
  retryTimer ??= setTimeout(() => {
    retryTimer = undefined
    requeueWaiting()
  }, retryMs)
}

async function begin(item: UploadItem, entry: Work): Promise<void> {
  const { key, target } = item
  if (entry.uploadId !== undefined) return takeArrived(key, entry)
  change(key, { state: 'sending', fault: undefined })
  const { startUpload } = await import('#kit/web/resumable-upload.ts')
  // Paused or given up while the code was fetched.
  if (findItem(key)?.state !== 'sending') return
  entry.transfer = startUpload(entry.file, {
    url: storedUpload(key)?.url,
    metadata: {
      purpose: uploadPurpose,
      projectCode: target.projectCode,
      dirId: String(target.dirId),
    },
    onUrl: url => {
      noteAnswer()
      remember(key, url)
    },
    onProgress: sentBytes => change(key, { sentBytes }),
    onSuccess: uploadId => {
      entry.uploadId = uploadId
      void takeArrived(key, entry)
    },
    onFault: fault => onFault(key, fault),
  })
}

function remember(key: string, url: string): void {
  const item = findItem(key)
  if (item) {
    rememberUpload(item, url)
  }
}

/** What waits for the network is tried again, in its turn where others are being sent. */
function requeueWaiting(): void {
  setItems(items.map(item => (item.state === 'waiting' ? { ...item, state: 'queued' } : item)))
  pump()
}

/** Begins what there is room for. */
function pump(): void {
  const { starting, waiting } = planUploads(items, { isOnline: navigator.onLine, isReachable })
  if (waiting.length) {
    const keys = new Set(waiting.map(item => item.key))
    setItems(items.map(item => (keys.has(item.key) ? { ...item, state: 'waiting' } : item)))
    retryLater()
  }
  for (const item of starting) {
    const entry = work.get(item.key)
    if (entry) {
      void begin(item, entry).catch(() => onFault(item.key, { kind: 'network' }))
    }
  }
}

const keyOf = (file: File, { projectCode, dirId }: UploadTarget): string =>
  [projectCode, dirId, file.name, file.size, file.lastModified].join('/')

let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  addEventListener('online', () => {
    isReachable = true
    requeueWaiting()
  })
  addEventListener('beforeunload', warnBeforeLeaving)
}

export interface OfferedUpload {
  readonly file: File
  /** Why it is refused at once. */
  readonly fault?: string | undefined
}

/** Queues files for a folder, refused ones with their reason. One that is there already goes on. */
export function addUploads(offered: readonly OfferedUpload[], target: UploadTarget): void {
  listen()
  const next = new Map(items.map(item => [item.key, item]))
  for (const { file, fault } of offered) {
    const key = keyOf(file, target)
    const known = next.get(key)
    if (known && isUnfinished(known)) continue
    work.set(key, { file, uuid: newUuid() })
    next.set(key, {
      key,
      name: file.name,
      size: file.size,
      target: known?.target ?? target,
      sentBytes: known?.state === 'detached' ? known.sentBytes : 0,
      state: fault === undefined ? 'queued' : 'failed',
      fault,
    })
  }
  setItems([...next.values()])
  pump()
}

/** Resumes uploads started before a reload by the files that were chosen again. Returns how many fitted. */
export function attachFiles(files: readonly File[]): number {
  listen()
  const detached = items.filter(({ state }) => state === 'detached')
  const matched = detached.flatMap(item => {
    const file = files.find(each => keyOf(each, item.target) === item.key)
    return file ? [{ item, file }] : []
  })
  for (const { item, file } of matched) {
    work.set(item.key, { file, uuid: newUuid() })
    change(item.key, { state: 'queued' })
  }
  pump()
  return matched.length
}

export function pauseUpload(key: string): void {
  void work.get(key)?.transfer?.pause()
  change(key, { state: 'paused' })
  const item = findItem(key)
  const stored = storedUpload(key)
  if (item && stored) {
    remember(key, stored.url)
  }
  pump()
}

export function resumeUpload(key: string): void {
  if (!work.has(key)) return
  change(key, { state: 'queued', fault: undefined })
  pump()
}

/** Takes an upload from the list; an unfinished one is given up, on the server too. */
export function removeUpload(key: string): void {
  void work.get(key)?.transfer?.cancel()
  work.delete(key)
  forgetUpload(key)
  setItems(items.filter(item => item.key !== key))
  pump()
}

export function clearFinished(): void {
  setItems(items.filter(({ state }) => state !== 'done' && state !== 'failed'))
}

/** Lists what was unfinished when the page was last left. */
export function restoreUnfinished(): void {
  const known = new Set(items.map(item => item.key))
  const restored = storedUploads().filter(({ key }) => !known.has(key))
  if (restored.length) {
    setItems([...items, ...restored])
  }
}

export const useUploads = (): readonly UploadItem[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => items,
  )

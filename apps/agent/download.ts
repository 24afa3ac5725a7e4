import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, open, readdir, rename, stat, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, syncFolder } from './atomic-file.ts'
import { CommandFailure } from './commands/command.ts'
import { retryDelay, type Timings } from './timings.ts'

export interface Download {
  readonly server: string
  readonly link: string
  readonly size: number
  readonly sha256: string
  /** Where the file goes; what is there is replaced only by the whole, checked file. */
  readonly target: string
  readonly signal: AbortSignal
  readonly timings: Timings
  readonly progress: (done: number, total: number) => void
  /** The file is whole and checked; what is in its place is about to go. */
  readonly beforePlacing?: () => Promise<void>
}

/** Space that a download leaves to the rest of the machine. */
const reservedBytes = 16_000_000
const progressMs = 500
/** What nobody has asked for again in so long is deleted with the next download to its folder. */
const partKeptMs = 7 * 86_400_000
const partName = /^\..+\.[0-9a-f]{16}\.part$/

const wrongSize = '文件大小与说明不符，未放入，请重新推送'

/** The link at the server that this agent is paired with; no other address is ever asked. */
export function resolveLink(server: string, link: string): URL {
  const url = URL.canParse(link, server) ? new URL(link, server) : undefined
  if (!url || url.origin !== new URL(server).origin) throw new CommandFailure('文件链接不属于本服务器')
  return url
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    found => found.size,
    () => 0,
  )

async function assertSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < needed + reservedBytes) throw new CommandFailure(fullMessage(needed, free))
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
const fullMessage = (needed: number, free: number): string =>
  `磁盘空间不足：需要 ${megabytes(needed)}，剩余 ${megabytes(free)}。请清理后重试。`

/**
 * Fetches a file to its place. What came before an interruption stays beside it and is continued; the file
 * appears under its name only when its size and SHA-256 are right. One that is there already stays.
 */
export async function download(job: Download): Promise<'placed' | 'unchanged'> {
  const part = join(dirname(job.target), `.${basename(job.target)}.${job.sha256.slice(0, 16)}.part`)
  const url = resolveLink(job.server, job.link)
  await deleteOldParts(dirname(job.target))
  // Asked for a second time, as after an interruption: nothing is to be replaced.
  if (await hasContent(job.target, job)) return 'unchanged'
  await assertSpace(dirname(job.target), Math.max(0, job.size - (await sizeOf(part))))
  try {
    await fetchAll(url, part, job)
    await assertHash(part, job)
  } catch (error) {
    const isFull = errorCode(error) === 'ENOSPC'
    if (isFull || error instanceof CommandFailure) {
      await unlink(part).catch(() => {})
    }
    throw isFull ? new CommandFailure(fullMessage(job.size, 0)) : error
  }
  await job.beforePlacing?.()
  await rename(part, job.target)
  syncFolder(dirname(job.target))
  return 'placed'
}

async function deleteOldParts(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(entry => partName.test(entry))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > partKeptMs) {
      await unlink(path).catch(() => {})
    }
  }
}

async function fetchAll(url: URL, part: string, job: Download): Promise<void> {
  for (let failures = 0; ;) {
    const from = await sizeOf(part)
    // What came before the interruption counts at once, not only with the next bytes.
    if (from > 0 && from <= job.size) {
      job.progress(from, job.size)
    }
    if (from === job.size && from > 0) return
    if (await fetchRest(url, part, from < job.size ? from : 0, job)) return
    failures = (await sizeOf(part)) > from ? 0 : failures + 1
    await sleep(retryDelay(failures, job.timings), undefined, { signal: job.signal })
  }
}

/** Appends what is missing. False when the line broke and another attempt may bring more. */
async function fetchRest(url: URL, part: string, from: number, job: Download): Promise<boolean> {
  const idle = new AbortController()
  let idleTimer = setTimeout(() => idle.abort(), job.timings.downloadIdleMs)
  const signal = AbortSignal.any([job.signal, idle.signal])
  let handle: FileHandle | undefined
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
    })
    assertAnswer(response.status)
    const isContinued =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${from}-`) === true
    let done = isContinued ? from : 0
    handle = await open(part, isContinued ? 'a' : 'w', 0o600)
    let progressAt = 0
    for await (const chunk of response.body ?? []) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => idle.abort(), job.timings.downloadIdleMs)
      done += chunk.length
      if (done > job.size) throw new CommandFailure(wrongSize)
      await handle.writeFile(chunk)
      if (Date.now() - progressAt >= progressMs) {
        progressAt = Date.now()
        job.progress(done, job.size)
      }
    }
    await handle.sync()
    job.progress(done, job.size)
    // It came to its end: what is missing will not come.
    if (done < job.size) throw new CommandFailure(wrongSize)
    return true
  } catch (error) {
    if (error instanceof CommandFailure || errorCode(error) === 'ENOSPC' || job.signal.aborted) throw error
    return false
  } finally {
    clearTimeout(idleTimer)
    await handle?.close()
  }
}

/** Refuses responses that another attempt will not improve: 408, 429 and 5xx may pass. */
function assertAnswer(status: number): void {
  if (status === 200 || status === 206) return
  if (status >= 500 || status === 408 || status === 429) throw new Error(`HTTP ${status}`)
  throw new CommandFailure(`文件下载失败（HTTP ${status}），链接可能已过期，请重新推送`)
}

/** Whether a file is the one that is described. */
export async function hasContent(
  path: string,
  { size, sha256, signal }: Pick<Download, 'size' | 'sha256' | 'signal'>,
): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile() || found.size !== size) return false
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex') === sha256
}

async function assertHash(part: string, job: Download): Promise<void> {
  if (!(await hasContent(part, job))) throw new CommandFailure('文件校验不符，未放入，请重新推送')
}

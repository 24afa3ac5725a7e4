import { parseId, type Id } from '#kit/domain/id.ts'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteRange } from '#kit/contract/file-response.ts'
import { errorCode } from './database-error.ts'
import { writeDiskFile } from './disk-file.ts'
import { assertDiskSpace } from './disk-space.ts'
import { uploadFolder } from './upload.ts'
import { settings } from './settings.ts'

export type FileContent =
  /** A file that is moved away, or stays where it is (`isKept`). */
  { readonly path: string; readonly isKept?: boolean } | { readonly bytes: Uint8Array }

export interface StoredObject {
  readonly size: number
  readonly modified: Date
}

/** HTTP 503: where the bytes of files are stored cannot be reached, or refuses us. `cause` says why. */
export class FileStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('文件存储暂时不可用，请稍后重试', { cause })
  }
}

/** Where the bytes of files are stored: a folder (`folderStorage`) or an S3 bucket (`s3Storage`). */
export interface FileStorage {
  put(ownerId: Id, key: string, content: FileContent): Promise<void>
  /** The bytes, whole or in part; nothing where there are none under the key. */
  read(ownerId: Id, key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Works on the bytes at a path; where they are elsewhere, on a copy that is removed afterwards. */
  withPath<T>(ownerId: Id, key: string, work: (path: string) => Promise<T>): Promise<T>
  describe(ownerId: Id, key: string): Promise<StoredObject | undefined>
  remove(ownerId: Id, key: string): Promise<void>
  keys(ownerId: Id): AsyncIterable<string>
  owners(): Promise<Id[]>
}

/** The storage of this installation: the bucket that `S3_BUCKET` names, else the data folder. */
export async function openFileStorage(dataDir: string): Promise<FileStorage> {
  const bucket = settings.bucket.read()
  if (!bucket) return folderStorage(dataDir)
  const { openBucket, s3Storage } = await import('./s3-storage.ts')
  return s3Storage(openBucket(bucket), uploadFolder(dataDir))
}

const entriesOf = async (folder: string) => (await opendir(folder).catch(() => undefined)) ?? []

/** The names of the files that many folders down. */
async function* fileNamesAt(folder: string, depth: number): AsyncIterable<string> {
  for await (const entry of await entriesOf(folder)) {
    if (depth > 0 && entry.isDirectory()) {
      yield* fileNamesAt(join(folder, entry.name), depth - 1)
    } else if (depth === 0 && entry.isFile()) {
      yield entry.name
    }
  }
}

/** Writes to a new file first, so that no reader sees half of it. */
async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  await assertDiskSpace(dirname(path), bytes.byteLength)
  const draft = `${path}.new`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
    await rename(draft, path)
  } catch (error) {
    // A disk that is full must not keep half files, too.
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Copies a file; removes the incomplete copy when that fails. */
const copyWhole = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), writeDiskFile(to, { flush: true })).catch(async (error: unknown) => {
    await rm(to, { force: true })
    throw error
  })

/** Moves a file, also from another file system. */
const moveFile = (from: string, to: string): Promise<void> =>
  rename(from, to).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EXDEV') throw error
    await copyWhole(from, to)
    await rm(from, { force: true })
  })

/** Undefined where there is no such file. */
const unlessMissing = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })

/** `files/1/3f/a2/3fa2…`: no folder grows beyond a few hundred entries before a million files. */
export function folderStorage(dataDir: string): FileStorage {
  const root = join(dataDir, 'files')
  const pathOf = (ownerId: Id, key: string): string =>
    join(root, String(ownerId), key.slice(0, 2), key.slice(2, 4), key)
  return {
    put: async (ownerId, key, content) => {
      const path = pathOf(ownerId, key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if ('bytes' in content) return writeBytes(path, content.bytes)
      await syncFile(content.path)
      return content.isKept
        ? link(content.path, path).catch(() => copyWhole(content.path, path))
        : moveFile(content.path, path)
    },
    read: async (ownerId, key, range) =>
      (await unlessMissing(open(pathOf(ownerId, key))))?.createReadStream({ ...range }),
    withPath: (ownerId, key, work) => work(pathOf(ownerId, key)),
    describe: async (ownerId, key) => {
      const info = await unlessMissing(stat(pathOf(ownerId, key)))
      return info && { size: info.size, modified: info.mtime }
    },
    remove: (ownerId, key) => rm(pathOf(ownerId, key), { force: true }),
    keys: ownerId => fileNamesAt(join(root, String(ownerId)), 2),
    owners: async () => {
      const owners: Id[] = []
      for await (const entry of await entriesOf(root)) {
        if (/^\d+$/.test(entry.name)) {
          owners.push(parseId(entry.name))
        }
      }
      return owners
    },
  }
}

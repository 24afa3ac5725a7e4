import { parseId, type Id } from '#kit/domain/id.ts'
import { copyFile, link, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from './database-error.ts'

export type FileContent =
  /** A file that is moved away, or stays where it is (`isKept`). */
  { readonly path: string; readonly isKept?: boolean } | { readonly bytes: Uint8Array }

/**
 * Where the bytes of files are stored. This one is a folder; an object store offers the same operations and
 * downloads to a temporary place for `pathOf`.
 */
export interface FileStorage {
  put(owner: Id, key: string, content: FileContent): Promise<void>
  /** A path to read it from. */
  pathOf(owner: Id, key: string): Promise<string>
  remove(owner: Id, key: string): Promise<void>
  keys(owner: Id): AsyncIterable<string>
  owners(): Promise<Id[]>
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

/** Nothing stays at the new place when the copy fails. */
const copyWhole = (from: string, to: string): Promise<void> =>
  copyFile(from, to).catch(async (error: unknown) => {
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

/** `files/1/3f/a2/3fa2…`: no folder grows beyond a few hundred entries before a million files. */
export function folderStorage(dataDir: string): FileStorage {
  const root = join(dataDir, 'files')
  const pathOf = (owner: Id, key: string): string =>
    join(root, String(owner), key.slice(0, 2), key.slice(2, 4), key)
  return {
    put: async (owner, key, content) => {
      const path = pathOf(owner, key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if ('bytes' in content) return writeBytes(path, content.bytes)
      await syncFile(content.path)
      return content.isKept
        ? link(content.path, path).catch(() => copyWhole(content.path, path))
        : moveFile(content.path, path)
    },
    pathOf: async (owner, key) => pathOf(owner, key),
    remove: (owner, key) => rm(pathOf(owner, key), { force: true }),
    keys: owner => fileNamesAt(join(root, String(owner)), 2),
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

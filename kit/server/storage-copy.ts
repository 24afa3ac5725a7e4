import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Id } from '#kit/domain/id.ts'
import type { FileStorage } from './file-storage.ts'

export interface CopyTally {
  /** Put now, and read back as they were. */
  readonly copied: number
  /** There already, whole: an earlier run was cut. */
  readonly present: number
  readonly bytes: number
}

interface CopyOptions {
  /** Takes each file from its old place once the new one has been read back. */
  readonly removesSource?: boolean
  readonly onFile?: (tally: CopyTally) => void
}

/** SHA-256 of what a storage has under a key; nothing where it has nothing. */
async function hashStored(storage: FileStorage, ownerId: Id, key: string): Promise<string | undefined> {
  const bytes = await storage.read(ownerId, key)
  if (!bytes) return undefined
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

async function isSame(from: FileStorage, to: FileStorage, ownerId: Id, key: string): Promise<boolean> {
  const [source, target] = await Promise.all([from.describe(ownerId, key), to.describe(ownerId, key)])
  if (!source || source.size !== target?.size) return false
  return (await hashStored(from, ownerId, key)) === (await hashStored(to, ownerId, key))
}

async function copyFile(from: FileStorage, to: FileStorage, ownerId: Id, key: string): Promise<void> {
  await from.withPath(ownerId, key, path => to.put(ownerId, key, { path, isKept: true }))
  if (!(await isSame(from, to, ownerId, key)))
    throw new Error(`file ${key} of company ${ownerId} was not the same after it was copied`)
}

/**
 * Copies every file of one storage to another; each is read back and compared by its hash. May be cut at any
 * moment and run again: what has arrived whole is not sent twice. What is deleted during the copy is left
 * out.
 */
export async function copyStorage(
  from: FileStorage,
  to: FileStorage,
  { removesSource = false, onFile }: CopyOptions = {},
): Promise<CopyTally> {
  let tally: CopyTally = { copied: 0, present: 0, bytes: 0 }
  for (const ownerId of await from.owners()) {
    for await (const key of from.keys(ownerId)) {
      const source = await from.describe(ownerId, key)
      if (!source) continue
      const isPresent = await isSame(from, to, ownerId, key)
      if (!isPresent) {
        await copyFile(from, to, ownerId, key)
      }
      if (removesSource) {
        await from.remove(ownerId, key)
      }
      tally = {
        copied: tally.copied + (isPresent ? 0 : 1),
        present: tally.present + (isPresent ? 1 : 0),
        bytes: tally.bytes + source.size,
      }
      onFile?.(tally)
    }
  }
  return tally
}

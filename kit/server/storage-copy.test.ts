import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { folderStorage, type FileStorage } from './file-storage.ts'
import { openTestBuckets, s3Kinds, type TestBuckets } from './fixtures/s3-buckets.ts'
import { s3Storage } from './s3-storage.ts'
import { copyStorage } from './storage-copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'storage-copy-'))
const opened = new Map<string, TestBuckets>()

beforeAll(async () => {
  for (const kind of s3Kinds) {
    opened.set(kind, await openTestBuckets(kind, 100))
  }
})

afterAll(async () => {
  await Promise.all([...opened.values()].map(buckets => buckets.close()))
  rmSync(folder, { recursive: true })
})

const keyOf = (n: number): string => String(n).padStart(40, '0')
const contents = new Map(Array.from({ length: 12 }, (_, i) => [keyOf(i), randomBytes(1000 + i * 5000)]))

async function fill(storage: FileStorage): Promise<void> {
  for (const [i, [key, bytes]] of [...contents].entries()) {
    await storage.put(asId(1 + (i % 2)), key, { bytes })
  }
}

async function expectAllIn(storage: FileStorage): Promise<void> {
  for (const [i, [key, bytes]] of [...contents].entries()) {
    const stored = await buffer(defined(await storage.read(asId(1 + (i % 2)), key)))
    expect([key, stored.equals(bytes)]).toEqual([key, true])
  }
}

/** One that breaks off after so many files, as a killed process does. */
const breaking = (storage: FileStorage, after: number): FileStorage => {
  let remaining = after
  return {
    ...storage,
    put: async (...args) => {
      if (remaining-- <= 0) throw new Error('cut')
      await storage.put(...args)
    },
  }
}

const storagesOf = (kind: string, name: string) => ({
  disk: folderStorage(join(folder, kind, name)),
  bucket: s3Storage(defined(opened.get(kind)).bucket(`files/${name}`), join(folder, 'tmp')),
})

describe.each(s3Kinds)('%s', kind => {
  it.each(['folder to s3', 's3 to folder'])(
    '%s: every file arrives as it was, also after a cut',
    async way => {
      const { disk, bucket } = storagesOf(kind, way.replaceAll(' ', '-'))
      const [from, to] = way.startsWith('folder') ? [disk, bucket] : [bucket, disk]
      await fill(from)
      await expect(copyStorage(from, breaking(to, 5))).rejects.toThrow('cut')
      expect(await copyStorage(from, to)).toMatchObject({ copied: 7, present: 5 })
      await expectAllIn(to)
      await expectAllIn(from)
      expect(await copyStorage(from, to)).toMatchObject({ copied: 0, present: 12 })
    },
  )

  it('half a file at its new place is put again', async () => {
    const { disk, bucket } = storagesOf(kind, 'half')
    await fill(disk)
    await bucket.put(asId(1), keyOf(0), { bytes: defined(contents.get(keyOf(0))).subarray(0, 500) })
    const wrong = Buffer.from(defined(contents.get(keyOf(2))))
    wrong[7] = (wrong[7] ?? 0) ^ 1
    await bucket.put(asId(1), keyOf(2), { bytes: wrong })
    expect(await copyStorage(disk, bucket)).toMatchObject({ copied: 12, present: 0 })
    await expectAllIn(bucket)
  })

  it('a file leaves its old place only when the new one holds the same', async () => {
    const { disk, bucket } = storagesOf(kind, 'moved')
    await fill(disk)
    const spoiling: FileStorage = {
      ...bucket,
      put: (ownerId, key) => bucket.put(ownerId, key, { bytes: Buffer.from('spoilt') }),
    }
    await expect(copyStorage(disk, spoiling, { removesSource: true })).rejects.toThrow(/not the same/)
    await expectAllIn(disk)
    await copyStorage(disk, bucket, { removesSource: true })
    await expectAllIn(bucket)
    expect(await disk.read(asId(1), keyOf(0))).toBeUndefined()
  })
})

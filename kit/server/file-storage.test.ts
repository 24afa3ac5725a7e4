import { mkdtempSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { folderStorage, type FileStorage } from './file-storage.ts'
import { openS3Server, type S3Server } from './fixtures/s3-server.ts'
import { openBucket, s3Storage } from './s3-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'storage-'))
const temporary = join(folder, 'tmp')
const one = asId(1)
const keyOf = (n: number): string => String(n).padStart(40, '0')
let s3: S3Server
let storages: Record<'folder' | 's3', FileStorage>

beforeAll(async () => {
  s3 = await openS3Server(2)
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  })
  storages = { folder: folderStorage(folder), s3: s3Storage(openBucket('files/a/b'), temporary) }
})

afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const each of all) {
    found.push(each)
  }
  return found
}

describe.each(['folder', 's3'] as const)('storage in a %s', kind => {
  it('gives back what was put, whole and in part', async () => {
    const storage = storages[kind]
    await storage.put(one, keyOf(1), { bytes: Buffer.from('0123456789') })
    const read = async (range?: { start: number; end: number }) =>
      String(await buffer(defined(await storage.read(one, keyOf(1), range))))
    expect(await read()).toBe('0123456789')
    expect(await read({ start: 2, end: 4 })).toBe('234')
    expect(await storage.describe(one, keyOf(1))).toMatchObject({ size: 10, modified: expect.any(Date) })
    expect(await storage.withPath(one, keyOf(1), path => readFile(path, 'utf8'))).toBe('0123456789')
  })

  it('takes a file away, or leaves it where it was', async () => {
    const storage = storages[kind]
    const path = join(folder, `${kind}.bin`)
    writeFileSync(path, 'x'.repeat(20_000_000))
    await storage.put(one, keyOf(2), { path, isKept: true })
    expect(existsSync(path)).toBe(true)
    await storage.put(one, keyOf(3), { path })
    expect(existsSync(path)).toBe(false)
    expect(await storage.describe(one, keyOf(3))).toMatchObject({ size: 20_000_000 })
  })

  it('knows nothing of what is not there, or of another company', async () => {
    const storage = storages[kind]
    for (const owner of [one, asId(2)]) {
      expect(await storage.read(owner, keyOf(9))).toBeUndefined()
      expect(await storage.describe(owner, keyOf(9))).toBeUndefined()
    }
    expect(await storage.read(asId(2), keyOf(1))).toBeUndefined()
    await expect(storage.withPath(one, keyOf(9), path => readFile(path))).rejects.toThrow()
  })

  it('lists and removes', async () => {
    const storage = storages[kind]
    await storage.put(asId(3), keyOf(4), { bytes: Buffer.from('4') })
    expect((await collect(storage.keys(one))).toSorted()).toEqual([keyOf(1), keyOf(2), keyOf(3)])
    expect(new Set(await storage.owners())).toEqual(new Set([1, 3]))
    await storage.remove(one, keyOf(1))
    await storage.remove(one, keyOf(1))
    expect(await collect(storage.keys(one))).toHaveLength(2)
  })
})

it('leaves no copy behind, and puts nothing outside its prefix', () => {
  expect(readdirSync(temporary)).toEqual([])
  expect(s3.keys().every(key => key.startsWith('a/b/'))).toBe(true)
})

it('an object store that is away is an error, never an empty answer', async () => {
  s3.setBroken(true)
  await expect(storages.s3.describe(one, keyOf(2))).rejects.toThrow()
  await expect(storages.s3.read(one, keyOf(2))).rejects.toThrow()
  s3.setBroken(false)
})

import { mkdtempSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { FileStoreUnavailable, folderStorage, type FileStorage } from './file-storage.ts'
import { openTestBuckets, s3Kinds, type TestBuckets } from './fixtures/s3-buckets.ts'
import { openHttp } from './http.ts'
import { findBucketFault, s3Storage } from './s3-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'storage-'))
const temporary = join(folder, 'tmp')
const one = asId(1)
const keyOf = (n: number): string => String(n).padStart(40, '0')
const kinds = ['folder', ...s3Kinds] as const
const opened: TestBuckets[] = []
const storages = new Map<(typeof kinds)[number], FileStorage>([['folder', folderStorage(folder)]])
const storageOf = (kind: (typeof kinds)[number]): FileStorage => defined(storages.get(kind))

beforeAll(async () => {
  for (const kind of s3Kinds) {
    const buckets = await openTestBuckets(kind, 2)
    opened.push(buckets)
    storages.set(kind, s3Storage(buckets.bucket('files/a/b'), temporary))
  }
})

afterAll(async () => {
  await Promise.all(opened.map(buckets => buckets.close()))
  rmSync(folder, { recursive: true })
})

const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const each of all) {
    found.push(each)
  }
  return found
}

describe.each(kinds)('storage in a %s', kind => {
  it('reads what was stored, whole and in part', async () => {
    const storage = storageOf(kind)
    await storage.put(one, keyOf(1), { bytes: Buffer.from('0123456789') })
    const read = async (range?: { start: number; end: number }) =>
      String(await buffer(defined(await storage.read(one, keyOf(1), range))))
    expect(await read()).toBe('0123456789')
    expect(await read({ start: 2, end: 4 })).toBe('234')
    expect(await storage.describe(one, keyOf(1))).toMatchObject({ size: 10, modified: expect.any(Date) })
    expect(await storage.withPath(one, keyOf(1), path => readFile(path, 'utf8'))).toBe('0123456789')
  })

  it('moves a file into the store, or copies it with isKept', async () => {
    const storage = storageOf(kind)
    const path = join(folder, `${kind}.bin`)
    writeFileSync(path, 'x'.repeat(20_000_000))
    await storage.put(one, keyOf(2), { path, isKept: true })
    expect(existsSync(path)).toBe(true)
    await storage.put(one, keyOf(3), { path })
    expect(existsSync(path)).toBe(false)
    expect(await storage.describe(one, keyOf(3))).toMatchObject({ size: 20_000_000 })
  })

  it('finds no missing file, and none of another company', async () => {
    const storage = storageOf(kind)
    for (const ownerId of [one, asId(2)]) {
      expect(await storage.read(ownerId, keyOf(9))).toBeUndefined()
      expect(await storage.describe(ownerId, keyOf(9))).toBeUndefined()
    }
    expect(await storage.read(asId(2), keyOf(1))).toBeUndefined()
    await expect(storage.withPath(one, keyOf(9), path => readFile(path))).rejects.toThrow()
  })

  it('lists and removes', async () => {
    const storage = storageOf(kind)
    await storage.put(asId(3), keyOf(4), { bytes: Buffer.from('4') })
    expect((await collect(storage.keys(one))).toSorted()).toEqual([keyOf(1), keyOf(2), keyOf(3)])
    expect(new Set(await storage.owners())).toEqual(new Set([1, 3]))
    await storage.remove(one, keyOf(1))
    await storage.remove(one, keyOf(1))
    expect(await collect(storage.keys(one))).toHaveLength(2)
  })
})

it('leaves no copy behind', () => {
  expect(readdirSync(temporary)).toEqual([])
})

it.each(s3Kinds)('puts nothing outside its prefix: %s', async kind => {
  const buckets = await openTestBuckets(kind, 2)
  const storage = s3Storage(buckets.bucket('files/a/b'), temporary)
  await storage.put(one, keyOf(1), { bytes: Buffer.from('1') })
  expect(await s3Storage(buckets.bucket('files/a/b'), temporary).owners()).toEqual([1])
  expect(await s3Storage(buckets.bucket('files/a'), temporary).owners()).toEqual([])
  await buckets.close()
})

const callsOf = (storage: FileStorage): Record<string, () => Promise<unknown>> => ({
  put: () => storage.put(one, keyOf(2), { bytes: Buffer.from('2') }),
  read: () => storage.read(one, keyOf(2)),
  withPath: () => storage.withPath(one, keyOf(2), path => readFile(path)),
  describe: () => storage.describe(one, keyOf(2)),
  remove: () => storage.remove(one, keyOf(2)),
  keys: () => collect(storage.keys(one)),
  owners: () => storage.owners(),
})

it('an object store that is unavailable is reported as unavailable, never the database, never an empty answer', async () => {
  const buckets = await openTestBuckets('s3 in memory', 2)
  const bucket = buckets.bucket('files')
  buckets.setBroken(true)
  const broken = callsOf(s3Storage(bucket, temporary))
  await Promise.all(
    Object.entries(broken).map(([name, run]) => expect(run(), name).rejects.toThrow(FileStoreUnavailable)),
  )
  await buckets.close()
  const http = openHttp()
  http.get('/file', () => s3Storage(bucket, temporary).read(one, keyOf(2)))
  const response = await http.inject('/file')
  expect([response.statusCode, response.json().Message]).toEqual([503, '文件存储暂时不可用，请稍后重试'])
  expect(response.headers['retry-after']).toBe('3')
})

it('a request to an object store that stops answering is aborted', async () => {
  const buckets = await openTestBuckets('s3 in memory', 2)
  const storage = s3Storage(buckets.bucket('files', 200), temporary)
  buckets.setStalled(true)
  await Promise.all(
    Object.entries(callsOf(storage)).map(([name, run]) =>
      expect(run(), name).rejects.toThrow(FileStoreUnavailable),
    ),
  )
  buckets.setStalled(false)
  await storage.put(one, keyOf(5), { bytes: Buffer.from('5') })
  buckets.setStalled('after the head')
  await expect(storage.read(one, keyOf(5))).rejects.toThrow(FileStoreUnavailable)
  buckets.setStalled(false)
  await buckets.close()
}, 10_000)

it('says why a bucket cannot be used', async () => {
  for (const kind of s3Kinds) {
    const buckets = await openTestBuckets(kind, 2)
    expect(await findBucketFault(buckets.bucket('files'))).toBeUndefined()
    await buckets.close()
  }
  const buckets = await openTestBuckets('s3 in memory', 2)
  expect(await findBucketFault(buckets.bucket('no-such-bucket'))).toMatch(/没有名为 no-such-bucket 的桶/)
  await buckets.close()
  expect(await findBucketFault(buckets.bucket('files'))).toMatch(/无法连接对象存储/)
})

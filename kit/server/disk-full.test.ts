import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { asId } from '#kit/domain/id.ts'
import { writeDiskFile } from './disk-file.ts'
import { folderStorage } from './file-storage.ts'
import { DiskFullError, diskFullMessage, isDiskFullError } from './disk-space.ts'
import { createProbeTables, openProbe, type Probe } from './fixtures/probe.ts'
import { createTestFolder } from './fixtures/test-database.ts'
import { toRefused } from './handler.ts'
import { openCluster, type Cluster } from './postgres/cluster.ts'
import { migrate } from './postgres/migrate.ts'
import { stagedPath } from './upload-store.ts'

const folder = createTestFolder()
const disk = join(folder, 'disk')
mkdirSync(disk)
/** A file system of its own, small enough to be filled: only where this process may mount one. */
const hasDisk =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status === 0

let cluster: Cluster
let p: Probe
let boss = ''

beforeAll(async () => {
  if (!hasDisk) return
  chmodSync(disk, 0o711)
  cluster = await openCluster({ dataDir: disk, tuning: 'test' })
  await migrate(cluster.url)
  p = await openProbe(cluster.url, { dataDir: disk })
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
})

afterAll(async () => {
  await p?.close()
  await cluster?.close()
  if (hasDisk) {
    spawnSync('umount', ['-l', disk])
  }
  rmSync(folder, { recursive: true, force: true })
})

const filler = join(disk, 'filler')

/** Leaves so many bytes of the disk. */
function fillDisk(leave: number): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave)))
}

/** Leaves nothing, though PostgreSQL writes as well while the file grows. */
function fillWholeDisk(name: string): void {
  const file = openSync(join(disk, name), 'w')
  let size = statfsSync(disk).bavail * statfsSync(disk).bsize
  while (size >= 4096) {
    try {
      writeSync(file, Buffer.alloc(size))
      size = statfsSync(disk).bavail * statfsSync(disk).bsize
    } catch (error) {
      if (!isDiskFullError(error)) throw error
      size = Math.floor(size / 2)
    }
  }
  closeSync(file)
}

const sendUpload = () =>
  p.inject('POST', '/api/Probe/Upload', {
    token: boss,
    body: '--x\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })

let count = 0
const addThing = () =>
  p.inject('POST', '/api/Probe/Post', {
    token: boss,
    body: { Data: { ProjectCode: 'P1', Code: `D${++count}`, Thingname: 'x', Tags: ['x'.repeat(40)] } },
  })

it('a full disk, of the files or of the database, is reported with a message', () => {
  for (const error of [
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('quota'), { code: 'EDQUOT' }),
    Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' }),
  ]) {
    expect(isDiskFullError(error)).toBe(true)
    expect(toRefused(error)?.message).toBe(diskFullMessage)
  }
  expect(isDiskFullError(Object.assign(new Error('too many clients'), { code: '53300' }))).toBe(false)
})

it.skipIf(!hasDisk)(
  'a full disk refuses uploads and writes with a message, turns readiness, and all recovers automatically',
  async () => {
    expect((await sendUpload()).envelope().Code).toBe(resultCode.ok)
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    fillDisk(20 * 2 ** 20)
    // The last room is the database's.
    expect((await sendUpload()).json()).toMatchObject({ Code: resultCode.refused, Message: diskFullMessage })
    expect((await p.inject('GET', '/readyz')).json()).toEqual({ ok: false, why: 'disk' })
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    fillWholeDisk('filler2')
    // A table's last page takes a few more rows; then it has to grow.
    let answer = await addThing()
    for (let tries = 0; tries < 2000 && answer.envelope().Code === resultCode.ok; tries++) {
      answer = await addThing()
    }
    expect(answer.json()).toMatchObject({ Code: resultCode.refused, Message: diskFullMessage })
    expect((await p.inject('GET', '/api/Probe/Get', { token: boss })).envelope().Code).toBe(resultCode.ok)
    rmSync(filler)
    rmSync(join(disk, 'filler2'))
    await expect.poll(async () => (await p.inject('GET', '/readyz')).status, { timeout: 20_000 }).toBe(200)
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    expect((await sendUpload()).envelope().Code).toBe(resultCode.ok)
  },
  120_000,
)

const megabyte = 2 ** 20
/** The last space is the database's. */
const reserved = 64 * megabyte

const tus = (method: string, url: string, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(new URL(url, p.http.listeningOrigin), {
    method,
    headers: { token: boss, 'tus-resumable': '1.0.0', ...headers },
    ...(body && { body }),
  })

const begin = (size: number) =>
  tus('POST', '/api/upload', {
    'upload-length': String(size),
    'upload-metadata': `filename ${btoa('a.bin')},purpose ${btoa('probe')},projectCode ${btoa('P1')}`,
  })

const sendBytes = (url: string, size: number) =>
  tus(
    'PATCH',
    url,
    { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    Buffer.alloc(size, 1),
  )

const freeBytes = (): number => statfsSync(disk).bavail * statfsSync(disk).bsize
const refusal = { Code: resultCode.refused, Message: diskFullMessage }

it.skipIf(!hasDisk)(
  'a large upload never takes the last space, and giving it up frees its bytes on a full disk',
  async () => {
    await p.http.listen({ port: 0, host: '127.0.0.1' })
    fillDisk(reserved + 80 * megabyte)
    // What would not fit is not started, beside what others were promised neither.
    expect(await (await begin(90 * megabyte)).json()).toMatchObject(refusal)
    const url = (await begin(70 * megabyte)).headers.get('location') ?? ''
    expect(await (await begin(20 * megabyte)).json()).toMatchObject(refusal)
    // Another process fills the disk: the upload stops at the limit.
    writeFileSync(join(disk, 'filler2'), Buffer.alloc(50 * megabyte))
    const stopped = await sendBytes(url, 70 * megabyte)
    expect([stopped.status, await stopped.json()]).toMatchObject([400, refusal])
    expect(freeBytes()).toBeGreaterThan(reserved - 4 * megabyte)
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    fillWholeDisk('filler3')
    expect(freeBytes()).toBe(0)
    const staged = stagedPath(disk, url.split('/').at(-1) ?? '')
    expect(existsSync(staged)).toBe(true)
    expect((await tus('DELETE', url)).status).toBe(204)
    expect(existsSync(staged)).toBe(false)
    expect(freeBytes()).toBeGreaterThan(20 * megabyte)
    expect((await tus('HEAD', url)).status).toBe(404)
    for (const name of ['filler', 'filler2', 'filler3']) {
      rmSync(join(disk, name))
    }
  },
  120_000,
)

it.skipIf(!hasDisk)(
  'what is written as a stream stops before the last space, whatever writes it',
  async () => {
    fillDisk(reserved + 10 * megabyte)
    const path = join(disk, 'export')
    const rows = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(megabyte)))
    await expect(pipeline(rows, writeDiskFile(path))).rejects.toThrow(DiskFullError)
    expect(freeBytes()).toBeGreaterThan(reserved - 2 * megabyte)
    const storage = folderStorage(disk)
    const key = 'a'.repeat(40)
    await expect(storage.put(asId(1), key, { bytes: Buffer.alloc(20 * megabyte) })).rejects.toThrow(
      DiskFullError,
    )
    expect(await storage.describe(asId(1), key)).toBeUndefined()
    rmSync(path)
    rmSync(filler)
  },
)

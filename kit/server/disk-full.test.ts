import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { diskFullMessage, isDiskFullError } from './disk-space.ts'
import { createProbeTables, openProbe, type Probe } from './fixtures/probe.ts'
import { createTestFolder } from './fixtures/test-database.ts'
import { toRefused } from './handler.ts'
import { openCluster, type Cluster } from './postgres/cluster.ts'
import { migrate } from './postgres/migrate.ts'

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

it('a full disk, ours or the database’s, is reported with a message', () => {
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
  'a full disk refuses uploads and writes in words, turns readiness, and all recovers by itself',
  async () => {
    expect((await sendUpload()).envelope().Code).toBe(resultCode.ok)
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    fillDisk(20 * 2 ** 20)
    // The last room is the database's.
    expect((await sendUpload()).json()).toMatchObject({ Code: resultCode.refused, Message: diskFullMessage })
    expect((await p.inject('GET', '/readyz')).json()).toEqual({ ok: false, why: 'disk' })
    expect((await addThing()).envelope().Code).toBe(resultCode.ok)
    writeFileSync(join(disk, 'filler2'), Buffer.alloc(statfsSync(disk).bavail * statfsSync(disk).bsize))
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

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { code } from '#kit/contract/wire.ts'
import { sql } from './db.ts'
import { taskState } from './jobs.ts'
import { callers, layProbe, men, openProbe, type Probe } from './ground/probe.ts'
import { freshDatabase, testFolder, type FreshDatabase } from './ground/testing.ts'

let fresh: FreshDatabase
let p: Probe
let boss = ''
let dataDir = ''

beforeAll(async () => {
  fresh = await freshDatabase()
  dataDir = testFolder()
  p = await openProbe(fresh.url, { dataDir })
  await layProbe(p.world.store)
  boss = await p.token('boss')
})

const others: ChildProcess[] = []

afterAll(async () => {
  for (const c of others) {
    c.kill('SIGKILL')
  }
  await p?.close()
  await fresh?.drop()
})

interface Task {
  state: number
  done: number
  total?: number
  success: number
  fail: number
  message?: string
  summary?: object
  runAttempt: number
  operatorName: string
}

const begin = async (Data: object, token = boss): Promise<number> =>
  (await p.inject('POST', '/api/Probe/Work', { token, body: { Data } })).json().Data

const task = (id: number): Promise<Task> =>
  p.world.store.reader(1).one<Task>(sql`select * from task_center where id = ${id}`) as Promise<Task>

const steps = async (id: number): Promise<number[]> =>
  (
    await p.world.store
      .reader(1)
      .rows<{ step: number }>(sql`select step from probe_step where task = ${id} order by step`)
  ).map(r => r.step)

const ends = (id: number, state: number, timeout = 10_000) =>
  expect.poll(async () => (await task(id)).state, { timeout }).toBe(state)

it('does its steps, counts them, and ends as it should', async () => {
  const [fine, partly, refused, broken] = [
    await begin({ Steps: 3 }),
    await begin({ Steps: 2, Then: 'partly' }),
    await begin({ Steps: 1, Then: 'refuse' }),
    await begin({ Steps: 1, Then: 'break' }),
  ]
  await ends(fine, taskState.done)
  await ends(partly, taskState.partly)
  await ends(refused, taskState.failed)
  await ends(broken, taskState.failed)
  expect(await steps(fine)).toEqual([0, 1, 2])
  expect(await task(partly)).toMatchObject({ success: 2, fail: 2, summary: [{ reason: '缺面积', count: 2 }] })
  expect(await task(refused)).toMatchObject({
    message: '没有可处理的数据，请先导入',
    operatorName: '操作员1',
  })
  expect((await task(broken)).message).toMatch(/^系统错误（编号 [\w-]{13}）/)
})

it('is begun only if the call that begins it commits, and once for one uuid', async () => {
  const before = await p.world.store.reader(1).rows(sql`select id from task_center`)
  await p.world.store
    .tx(1, async tx => {
      await p.world.jobs.start(
        tx,
        { ...men.boss, projectCode: '', ip: '', requestId: '' },
        'probe-work',
        '不会有',
        { steps: 1 },
      )
      throw new Error('undone')
    })
    .catch(() => {})
  expect(await p.world.store.reader(1).rows(sql`select id from task_center`)).toHaveLength(before.length)
  const twice = await Promise.all(
    [1, 2].map(() =>
      p.inject('POST', '/api/Probe/Work', { token: boss, body: { Data: { Steps: 1 }, uuid: 'once' } }),
    ),
  )
  expect(twice[0]!.json().Data).toBe(twice[1]!.json().Data)
})

it('stops where it runs, keeps what it has done, and goes on from there when tried again', async () => {
  const id = await begin({ Steps: 20, Ms: 100 })
  await expect.poll(async () => (await steps(id)).length).toBeGreaterThan(1)
  await p.world.store.tx(1, tx => p.world.jobs.cancel(tx, 1, id))
  await ends(id, taskState.stopped)
  const did = await steps(id)
  expect(did.length).toBeLessThan(20)
  await expect(p.world.store.tx(1, tx => p.world.jobs.cancel(tx, 1, id))).rejects.toMatchObject({
    code: code.refused,
  })
  await p.world.store.tx(1, tx => p.world.jobs.retry(tx, 1, id))
  await ends(id, taskState.done)
  expect(await steps(id)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect((await task(id)).runAttempt).toBe(2)
  await expect(p.world.store.tx(1, tx => p.world.jobs.retry(tx, 1, id))).rejects.toMatchObject({
    code: code.refused,
  })
})

it('stops at once what has not begun, and does nothing for who may not work any more', async () => {
  const blockers = [await begin({ Steps: 30, Ms: 100 }), await begin({ Steps: 30, Ms: 100 })]
  await expect
    .poll(async () => (await Promise.all(blockers.map(task))).every(t => t.state === taskState.running))
    .toBe(true)
  const waits = await begin({ Steps: 1 })
  await p.world.store.tx(1, tx => p.world.jobs.cancel(tx, 1, waits))
  expect((await task(waits)).state).toBe(taskState.stopped)
  const looker = callers.get('1:2')!
  const gone = await begin({ Steps: 1 }, await p.token('looker'))
  callers.delete('1:2')
  for (const b of blockers) {
    await p.world.store.tx(1, tx => p.world.jobs.cancel(tx, 1, b))
  }
  await ends(gone, taskState.failed)
  callers.set('1:2', looker)
  expect((await task(gone)).message).toContain('账号已停用')
  expect(await steps(waits)).toEqual([])
})

it('does what is brief beside the long work of its company, also when it is tried again', async () => {
  const blockers = [await begin({ Steps: 60, Ms: 100 }), await begin({ Steps: 60, Ms: 100 })]
  await expect
    .poll(async () => (await Promise.all(blockers.map(task))).every(t => t.state === taskState.running))
    .toBe(true)
  const waits = await begin({ Steps: 1 })
  const brief = await p.world.store.tx(1, tx =>
    p.world.jobs.start(tx, { ...men.boss, projectCode: '', ip: '', requestId: '' }, 'probe-brief', '很快', {
      steps: 1,
    }),
  )
  await ends(brief, taskState.done, 3000)
  await p.world.store.tx(1, tx =>
    tx.run(sql`update task_center set state = ${taskState.stopped} where owner_id = 1 and id = ${brief}`),
  )
  await p.world.store.tx(1, tx => p.world.jobs.retry(tx, 1, brief))
  await ends(brief, taskState.done, 3000)
  expect((await task(waits)).state).toBe(taskState.waiting)
  for (const b of [waits, ...blockers]) {
    await p.world.store.tx(1, tx => p.world.jobs.cancel(tx, 1, b))
  }
  for (const b of blockers) {
    await ends(b, taskState.stopped)
  }
})

it('goes on in another process when its own is killed, nothing double and nothing missing', async () => {
  // Tasks go to the other process alone: this one only takes them down.
  await p.close()
  p = await openProbe(fresh.url, { dataDir, works: false })
  const file = fileURLToPath(new URL('./ground/probe-process.ts', import.meta.url))
  const start = async (): Promise<ChildProcess> => {
    const c = spawn(process.execPath, [file, fresh.url, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    others.push(c)
    await new Promise(done => c.stdout!.once('data', done))
    return c
  }
  const first = await start()
  const token = await p.token('boss')
  const id = await begin({ Steps: 40, Ms: 50 }, token)
  await expect.poll(async () => (await steps(id)).length, { timeout: 10_000 }).toBeGreaterThan(3)
  first.kill('SIGKILL')
  const second = await start()
  const at = await steps(id)
  expect(at.length).toBeLessThan(40)
  await ends(id, taskState.done, 60_000)
  expect(await steps(id)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  expect((await task(id)).runAttempt).toBe(2)
  // Ended in order, a process hands its task on without waiting for its heartbeat.
  const next = await begin({ Steps: 60, Ms: 50 }, token)
  await expect.poll(async () => (await steps(next)).length, { timeout: 10_000 }).toBeGreaterThan(3)
  second.kill('SIGTERM')
  await new Promise(done => second.once('exit', done))
  expect([(await task(next)).state, (await steps(next)).length < 60]).toEqual([taskState.waiting, true])
  await start()
  await ends(next, taskState.done, 20_000)
  expect(await steps(next)).toHaveLength(60)
}, 150_000)

import { idOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from './db.ts'
import { taskState } from './jobs.ts'
import { callersById, createProbeTables, operators, openProbe, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, createTestFolder, type TestDatabase } from './fixtures/test-database.ts'

let testDatabase: TestDatabase
let p: Probe
let boss = ''
let dataDir = ''

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  dataDir = createTestFolder()
  p = await openProbe(testDatabase.url, { dataDir })
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
})

const otherProcesses: ChildProcess[] = []

afterAll(async () => {
  for (const c of otherProcesses) {
    c.kill('SIGKILL')
  }
  await p?.close()
  await testDatabase?.drop()
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

const beginTask = async (Data: object, token = boss): Promise<Id> =>
  idOf((await p.inject('POST', '/api/Probe/Work', { token, body: { Data } })).envelope().Data)

const readTask = async (id: Id): Promise<Task> =>
  defined(await p.app.database.reader(1).one<Task>(sql`select * from task_center where id = ${id}`))

const readSteps = async (id: Id): Promise<number[]> =>
  (
    await p.app.database
      .reader(1)
      .rows<{ step: number }>(sql`select step from probe_step where task = ${id} order by step`)
  ).map(r => r.step)

const expectState = (id: Id, state: number, timeout = 10_000) =>
  expect.poll(async () => (await readTask(id)).state, { timeout }).toBe(state)

it('does its steps, counts them, and ends as it should', async () => {
  const [fine, partly, refused, broken] = [
    await beginTask({ Steps: 3 }),
    await beginTask({ Steps: 2, Then: 'partly' }),
    await beginTask({ Steps: 1, Then: 'refuse' }),
    await beginTask({ Steps: 1, Then: 'break' }),
  ]
  await expectState(fine, taskState.done)
  await expectState(partly, taskState.partial)
  await expectState(refused, taskState.failed)
  await expectState(broken, taskState.failed)
  expect(await readSteps(fine)).toEqual([0, 1, 2])
  expect(await readTask(partly)).toMatchObject({
    success: 2,
    fail: 2,
    summary: [{ reason: '缺面积', count: 2 }],
  })
  expect(await readTask(refused)).toMatchObject({
    message: '没有可处理的数据，请先导入',
    operatorName: '操作员1',
  })
  expect((await readTask(broken)).message).toMatch(/^系统错误（编号 [\w-]{13}）/)
})

it('is started only if the call that begins it commits, and once for one uuid', async () => {
  const before = await p.app.database.reader(1).rows(sql`select id from task_center`)
  await p.app.database
    .tx(1, async tx => {
      await p.app.jobs.start(
        tx,
        { ...operators.boss, projectCode: '', ip: '', requestId: '', time: '2026-11-21T01:00:00.000Z' },
        'probe-work',
        '不会有',
        { steps: 1 },
      )
      throw new Error('undone')
    })
    .catch(() => {})
  expect(await p.app.database.reader(1).rows(sql`select id from task_center`)).toHaveLength(before.length)
  const twice = await Promise.all(
    [1, 2].map(() =>
      p.inject('POST', '/api/Probe/Work', { token: boss, body: { Data: { Steps: 1 }, uuid: 'once' } }),
    ),
  )
  expect(defined(twice[0]).envelope().Data).toBe(defined(twice[1]).envelope().Data)
})

it('stops where it runs, keeps what it has done, and goes on from there when tried again', async () => {
  const id = await beginTask({ Steps: 20, Ms: 100 })
  await expect.poll(async () => (await readSteps(id)).length).toBeGreaterThan(1)
  await p.app.database.tx(1, tx => p.app.jobs.cancel(tx, asId(1), id))
  await expectState(id, taskState.stopped)
  const did = await readSteps(id)
  expect(did.length).toBeLessThan(20)
  await expect(p.app.database.tx(1, tx => p.app.jobs.cancel(tx, asId(1), id))).rejects.toMatchObject({
    code: resultCode.refused,
  })
  await p.app.database.tx(1, tx => p.app.jobs.retry(tx, asId(1), id))
  await expectState(id, taskState.done)
  expect(await readSteps(id)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect((await readTask(id)).runAttempt).toBe(2)
  await expect(p.app.database.tx(1, tx => p.app.jobs.retry(tx, asId(1), id))).rejects.toMatchObject({
    code: resultCode.refused,
  })
})

it('stops at once what has not started, and does nothing for somebody who may not work any more', async () => {
  const blockers = [await beginTask({ Steps: 30, Ms: 100 }), await beginTask({ Steps: 30, Ms: 100 })]
  await expect
    .poll(async () => (await Promise.all(blockers.map(readTask))).every(t => t.state === taskState.running))
    .toBe(true)
  const waits = await beginTask({ Steps: 1 })
  await p.app.database.tx(1, tx => p.app.jobs.cancel(tx, asId(1), waits))
  expect((await readTask(waits)).state).toBe(taskState.stopped)
  const viewer = defined(callersById.get('1:2'))
  const taskId = await beginTask({ Steps: 1 }, await p.token('looker'))
  callersById.delete('1:2')
  for (const b of blockers) {
    await p.app.database.tx(1, tx => p.app.jobs.cancel(tx, asId(1), b))
  }
  await expectState(taskId, taskState.failed)
  callersById.set('1:2', viewer)
  expect((await readTask(taskId)).message).toContain('账号已停用')
  expect(await readSteps(waits)).toEqual([])
})

it('does what is brief beside the long work of its company, also when it is tried again', async () => {
  const blockers = [await beginTask({ Steps: 60, Ms: 100 }), await beginTask({ Steps: 60, Ms: 100 })]
  await expect
    .poll(async () => (await Promise.all(blockers.map(readTask))).every(t => t.state === taskState.running))
    .toBe(true)
  const waits = await beginTask({ Steps: 1 })
  const brief = await p.app.database.tx(1, tx =>
    p.app.jobs.start(
      tx,
      { ...operators.boss, projectCode: '', ip: '', requestId: '', time: '2026-11-21T01:00:00.000Z' },
      'probe-brief',
      '很快',
      {
        steps: 1,
      },
    ),
  )
  await expectState(brief, taskState.done, 3000)
  await p.app.database.tx(1, tx =>
    tx.execute(sql`
      update task_center
      set state = ${taskState.stopped}
      where owner_id = 1
        and id = ${brief}
    `),
  )
  await p.app.database.tx(1, tx => p.app.jobs.retry(tx, asId(1), brief))
  await expectState(brief, taskState.done, 3000)
  expect((await readTask(waits)).state).toBe(taskState.waiting)
  for (const b of [waits, ...blockers]) {
    await p.app.database.tx(1, tx => p.app.jobs.cancel(tx, asId(1), b))
  }
  for (const b of blockers) {
    await expectState(b, taskState.stopped)
  }
})

it('goes on in another process when its own is killed, nothing double and nothing missing', async () => {
  // Tasks go to the other process alone: this one only takes them down.
  await p.close()
  p = await openProbe(testDatabase.url, { dataDir, runsJobs: false })
  const file = fileURLToPath(new URL('./fixtures/probe-process.ts', import.meta.url))
  const start = async (): Promise<ChildProcess> => {
    const c = spawn(process.execPath, [file, testDatabase.url, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    otherProcesses.push(c)
    await new Promise(done => c.stdout.once('data', done))
    return c
  }
  const first = await start()
  const token = await p.token('boss')
  const id = await beginTask({ Steps: 40, Ms: 50 }, token)
  await expect.poll(async () => (await readSteps(id)).length, { timeout: 10_000 }).toBeGreaterThan(3)
  first.kill('SIGKILL')
  const second = await start()
  const at = await readSteps(id)
  expect(at.length).toBeLessThan(40)
  await expectState(id, taskState.done, 60_000)
  expect(await readSteps(id)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  expect((await readTask(id)).runAttempt).toBe(2)
  // Ended in order, a process hands its task on without waiting for its heartbeat.
  const next = await beginTask({ Steps: 60, Ms: 50 }, token)
  await expect.poll(async () => (await readSteps(next)).length, { timeout: 10_000 }).toBeGreaterThan(3)
  second.kill('SIGTERM')
  await new Promise(done => second.once('exit', done))
  expect([(await readTask(next)).state, (await readSteps(next)).length < 60]).toEqual([
    taskState.waiting,
    true,
  ])
  await start()
  await expectState(next, taskState.done, 20_000)
  expect(await readSteps(next)).toHaveLength(60)
}, 150_000)

import { defined } from '#kit/domain/defined.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from './db.ts'
import { createProbeTables, openProbe, type Probe } from './fixtures/probe.ts'
import { createTestFolder } from './fixtures/test-database.ts'
import { taskState } from './jobs.ts'
import { openCluster, type Cluster } from './postgres/cluster.ts'
import { migrate } from './postgres/migrate.ts'
import { findRunningServer } from './postgres/postmaster.ts'

let dataDir = ''
let cluster: Cluster
let p: Probe
let boss = ''

beforeAll(async () => {
  dataDir = createTestFolder()
  // As in operation: a 'test' cluster may lose commits when it is killed.
  cluster = await openCluster({ dataDir, tuning: 'store' })
  await migrate(cluster.url)
  p = await openProbe(cluster.url)
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
})

afterAll(async () => {
  await p?.close()
  await cluster?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('PostgreSQL killed: calls get Retry-After, are then answered, and a running job is finished', async () => {
  const list = () => p.inject('GET', '/api/Probe/Get', { token: boss })
  const steps = 40
  const task = (
    await p.inject('POST', '/api/Probe/Work', { token: boss, body: { Data: { Steps: steps, Ms: 50 } } })
  ).envelope().Data
  const countSteps = async (): Promise<number> =>
    defined(
      await p.app.database
        .reader(1)
        .one<{ n: number }>(
          sql`select count(*)::int as n from probe_step where owner_id = 1 and task = ${task}`,
        ),
    ).n
  await expect.poll(countSteps, { timeout: 15_000 }).toBeGreaterThan(2)
  process.kill(defined(findRunningServer(join(dataDir, 'postgres'))).pid, 'SIGKILL')
  let answer = await list()
  const statuses = new Set<number>()
  for (let asked = 0; asked < 2000 && !(statuses.has(503) && answer.status === 200); asked++) {
    statuses.add(answer.status)
    if (answer.status === 503) {
      expect([answer.headers['retry-after'], answer.envelope().Message]).toEqual([
        '3',
        '数据库暂时不可用，请稍后重试',
      ])
    }
    answer = await list()
  }
  expect([...statuses].filter(status => status !== 200)).toEqual([503])
  expect(answer.envelope().Code).toBe(resultCode.ok)
  await expect
    .poll(
      () =>
        p.app.database
          .reader(1)
          .one(sql`select state, success from task_center where owner_id = 1 and id = ${task}`),
      { timeout: 60_000 },
    )
    .toEqual({ state: taskState.done, success: steps })
  expect(await countSteps()).toBe(steps)
}, 120_000)

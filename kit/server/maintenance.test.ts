import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { writeFileSync, existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { maintenanceCrons } from './maintenance.ts'
import { sql, type RawBuilder } from './db.ts'
import { createProbeTables, operators, openProbe, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { TooManyRequests, openRateLimiter } from './rate-limit.ts'

let testDatabase: TestDatabase
let p: Probe

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  p = await openProbe(testDatabase.url, { maxConcurrent: 2 })
  await createProbeTables(p.app.database)
})

afterAll(async () => {
  await p?.close()
  await testDatabase?.drop()
})

const runCron = (name: string): Promise<void> =>
  defined(maintenanceCrons(p.jobs).find(c => c.name === name)).run(p.app, new AbortController().signal)

const readAll = <T>(q: RawBuilder<T>): Promise<T[]> => p.app.database.reader('*').rows<T>(q)
const runStatement = (q: ReturnType<typeof sql>): Promise<number> =>
  p.app.database.tx('*', tx => tx.execute(q))

it('makes the months of the logs ahead, and moves over what came before its month', async () => {
  await runStatement(
    sql`
      insert into audit_log (owner_id, create_time, operator_id, operator_name, action, entity)
      values (1, now() + interval '8 months', 1, 'x', 'insert', 'early')
    `,
  )
  expect(await readAll(sql`select count(*) as n from audit_log_rest`)).toEqual([{ n: 1 }])
  await runStatement(sql`call make_months('audit_log', current_date, 12)`)
  await runStatement(sql`call make_months('audit_log', current_date, 12)`)
  expect(await readAll(sql`select count(*) as n from audit_log_rest`)).toEqual([{ n: 0 }])
  expect(await readAll(sql`select count(*) as n from audit_log where entity = 'early'`)).toEqual([{ n: 1 }])
  await runCron('log-months')
})

it('forgets spent keys after a day, sessions after a month, results after a week', async () => {
  const { database, files, dataDir } = p.app
  await runStatement(
    sql`
      insert into idempotent_request (owner_id, operator_id, call, uuid, ${sql.id('said')}, create_time)
      values (1, 1, 'x', 'old', '', now() - interval '25 hours'), (1, 1, 'x', 'new', '', now())
    `,
  )
  const ended = await p.token('looker')
  const kept = await p.token('boss')
  await runStatement(
    sql`
      update session_token
      set end_time = now() - interval '31 days'
      where operator_id = ${operators.looker.operatorId}
    `,
  )
  await runCron('spent-rows')
  expect(await readAll(sql`select uuid from idempotent_request`)).toEqual([{ uuid: 'new' }])
  expect([await p.app.sessions.find(ended), (await p.app.sessions.find(kept))?.caller.name]).toEqual([
    undefined,
    '操作员1',
  ])
  const key = await files.save(
    asId(1),
    asId(1),
    { name: 'a', type: 'text/plain', bytes: Buffer.from('a') },
    7,
  )
  const at = await defined(await files.find(asId(1), key)).withPath(async path => path)
  await runStatement(
    sql`
      insert into task_center (
        owner_id, title, kind, operator_id, operator_name, run_input, state, result_file, expire_time
      )
      values (1, 't', 'k', 1, 'x', '{}', 30, ${key}, now() - interval '1 second')
    `,
  )
  await runStatement(sql`
    update file_store
    set expire_time = now() - interval '1 second'
    where key = ${key}
  `)
  const stray = join(dataDir, 'tmp', 'stray')
  mkdirSync(join(dataDir, 'tmp'), { recursive: true })
  writeFileSync(stray, 'x')
  utimesSync(stray, 1, 1)
  await runCron('spent-files')
  expect([existsSync(at), existsSync(stray)]).toEqual([false, false])
  expect(
    await database.reader(1).rows(sql`
      select result_file
      from task_center
      where title = 't'
    `),
  ).toEqual([{}])
})

it('wakes tasks that nobody has moved for ten minutes, and gives up after twenty attempts', async () => {
  const put = async (attempt: number): Promise<Id> =>
    defined(
      await p.app.database.tx(1, tx =>
        tx.one<{ id: Id }>(
          sql`
          insert into task_center (
            owner_id, title, kind, operator_id, operator_name, run_input, state, run_attempt, update_time
          )
          values (
            1, 's', 'probe-work', 1, 'x', '{"steps":1}', 20, ${attempt}, now() - interval '11 minutes'
          )
          returning id
        `,
        ),
      ),
    ).id
  const [again, tired] = [await put(1), await put(20)]
  await runCron('silent-tasks')
  const state = async (id: Id): Promise<number> =>
    defined(
      (
        await readAll<{ state: number }>(sql`
          select state
          from task_center
          where id = ${id}
        `)
      )[0],
    ).state
  await expect.poll(() => state(again), { timeout: 10_000 }).toBe(30)
  expect(await state(tired)).toBe(40)
})

it("does its set work by Shanghai's clock, once for the installation", async () => {
  const due = await readAll<{ name: string; timezone: string; cron: string }>(
    sql`select name, timezone, cron from pgboss.schedule order by name`,
  )
  expect(due.map(d => d.name)).toEqual([
    'cron-log-months',
    'cron-silent-tasks',
    'cron-spent-files',
    'cron-spent-rows',
  ])
  expect(new Set(due.map(d => d.timezone))).toEqual(new Set(['Asia/Shanghai']))
})

it('answers 503 with Retry-After above the limit, and serves again below it', async () => {
  const token = await p.token('boss')
  const slow = () => p.inject('GET', '/api/Probe/Slow?data.Seconds=1', { token })
  const results = await Promise.all([slow(), slow(), slow(), slow()])
  expect(results.map(r => r.status).toSorted((a, b) => a - b)).toEqual([200, 200, 503, 503])
  expect(results.find(r => r.status === 503)).toMatchObject({ headers: { 'retry-after': '2' } })
  expect((await p.inject('GET', '/api/Probe/Get', { token })).envelope().Code).toBe(resultCode.ok)
})

it('rate-limits only the address that exceeds the limit, until it slows down', () => {
  let now = 0
  const { throttle } = openRateLimiter(p.app.database, () => now)
  const { boss, looker } = operators
  for (let i = 0; i < 1500; i++) {
    throttle(boss, '10.0.0.1')
  }
  expect(() => throttle(boss, '10.0.0.1')).toThrow(TooManyRequests)
  expect(() => throttle(looker, '10.0.0.1')).not.toThrow()
  expect(() => throttle(undefined, '10.0.0.1')).not.toThrow()
  now += 1000
  for (let i = 0; i < 50; i++) {
    throttle(boss, '10.0.0.1')
  }
  expect(() => throttle(boss, '10.0.0.1')).toThrow(TooManyRequests)
})

import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { portOf } from '#kit/server/fixtures/port.ts'
import type { Method } from '#kit/contract/call.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from './db.ts'
import { createProbeTables, openProbe, operators, thing, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { readBatches } from './row-batches.ts'
import { insertAll, selectStatement } from './table.ts'

/** A wire to the database that can be cut. */
async function openCuttableProxy(
  url: string,
): Promise<{ url: string; cut(): void; mend(): Promise<void>; close(): void }> {
  const to = new URL(url)
  const open = new Set<Socket>()
  const server = createServer(s => {
    const far = connect(Number(to.port), to.hostname)
    for (const x of [s, far]) {
      open.add(x)
      x.on('error', () => {})
      x.on('close', () => {
        open.delete(x)
        s.destroy()
        far.destroy()
      })
    }
    s.pipe(far).pipe(s)
  })
  const listen = (port: number): Promise<void> => new Promise(done => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const port = portOf(server)
  const through = new URL(url)
  through.port = String(port)
  return {
    url: through.href,
    cut: () => {
      server.close()
      for (const s of open) {
        s.destroy()
      }
    },
    mend: () => listen(port),
    close: () => {
      server.close()
      for (const s of open) {
        s.destroy()
      }
    },
  }
}

let testDatabase: TestDatabase
let p: Probe
let proxy: Awaited<ReturnType<typeof openCuttableProxy>>
let boss = ''

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  proxy = await openCuttableProxy(testDatabase.url)
  p = await openProbe(proxy.url)
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
})

afterAll(async () => {
  await p?.close()
  proxy?.close()
  await testDatabase?.drop()
})

it('a lost database is reported with a message, and served again when it is back, without a restart', async () => {
  const list = () => p.inject('GET', '/api/Probe/Get', { token: boss })
  const add = (Code: string) =>
    p.inject('POST', '/api/Probe/Post', {
      token: boss,
      body: { Data: { ProjectCode: 'P1', Code, Thingname: 'x' }, uuid: Code },
    })
  expect((await list()).envelope().Code).toBe(resultCode.ok)
  proxy.cut()
  const r = await list()
  expect([r.status, r.headers['retry-after'], r.envelope().Message]).toEqual([
    503,
    '3',
    '数据库暂时不可用，请稍后重试',
  ])
  expect((await add('A1')).status).toBe(503)
  expect((await p.inject('GET', '/api/Probe/Get', { token: 'b'.repeat(43) })).status).toBe(503)
  expect((await p.inject('GET', '/readyz')).status).toBe(503)
  expect((await p.inject('GET', '/healthz')).status).toBe(200)
  await proxy.mend()
  await expect.poll(async () => (await list()).status).toBe(200)
  expect((await add('A1')).envelope().Code).toBe(resultCode.ok)
  expect((await p.inject('GET', '/readyz')).status).toBe(200)
  // Messages between processes arrive again too: a session ended elsewhere ends here.
  const other = await p.token('looker')
  const find = async () => (await p.inject('GET', '/api/Probe/Get', { token: other })).status
  expect(await find()).toBe(200)
  await expect
    .poll(
      async () => {
        await p.app.database.tx('*', tx =>
          tx.execute(
            sql`update session_token set end_time = now() - interval '1 second' where operator_id = 2`,
          ),
        )
        await p.app.database.tx('*', tx =>
          tx.execute(sql`select pg_notify('session', '{"ownerId":1,"operator":2}')`),
        )
        return find()
      },
      { timeout: 8000 },
    )
    .toBe(401)
})

it('a connection cut in the middle of a write leaves all or nothing, and the same uuid may be tried again', async () => {
  const body = { Data: { ProjectCode: 'P1', Code: 'CUT', Thingname: 'x' }, uuid: 'cut' }
  const send = () => p.inject('POST', '/api/Probe/Post', { token: boss, body })
  for (let i = 0; i < 6; i++) {
    const asking = send()
    for (let k = 0; k < i; k++) {
      await new Promise(setImmediate)
    }
    proxy.cut()
    await asking
    await proxy.mend()
  }
  await expect.poll(async () => (await send()).status).toBe(200)
  expect((await send()).envelope().Code).toBe(resultCode.ok)
  expect(
    await p.app.database.reader(1).rows(sql`select count(*) as n from probe_thing where code = 'CUT'`),
  ).toEqual([{ n: 1 }])
  expect(
    await p.app.database.reader(1).rows(sql`
      select count(*) as n
      from audit_log
      where entity = 'probeThing'
        and after->>'code' = 'CUT'
    `),
  ).toEqual([{ n: 1 }])
})

it('no cut connection ends the process: reads, writes, exports and jobs fail, and nothing is left unwaited', async () => {
  const unwaited: unknown[] = []
  const note = (error: unknown): void => {
    unwaited.push(error)
  }
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  const caller = {
    ...operators.boss,
    projectCode: '',
    ip: '',
    requestId: '',
    time: '2026-11-21T01:00:00.000Z',
  }
  const { database } = p.app
  await expect
    .poll(() =>
      database.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await database.tx(1, tx =>
    insertAll(
      tx,
      thing,
      caller,
      Array.from({ length: 50 }, (_, i) => ({
        code: `X${i}`,
        name: 'x',
        projectCode: 'P1',
        mood: 'glad',
        live: true,
      })),
    ),
  )
  const readSlowly = (onPage: () => void = () => {}): Promise<unknown> =>
    database.bulk(1, async c => {
      for await (const rows of readBatches(
        c,
        thing,
        ['code'],
        selectStatement(thing, caller, {}, { keys: ['code'] }),
        2,
      )) {
        expect(rows.length).toBeLessThan(3)
        onPage()
        await new Promise(done => setTimeout(done, 2))
      }
    })
  const request = (method: Method, path: string, body?: object): Promise<unknown> =>
    p.inject(method, `/api/Probe/${path}`, { token: boss, ...(body ? { body } : {}) })
  try {
    for (let round = 0; round < 8; round++) {
      const work = [
        request('GET', 'Get'),
        request('POST', 'Post', {
          Data: { ProjectCode: 'P1', Code: `R${round}`, Thingname: 'x' },
          uuid: `r${round}`,
        }),
        request('POST', 'Work', { Data: { Steps: 3 }, uuid: `s${round}` }),
        database.reader(1).all(sql`select 1`, sql`select pg_sleep(0.05)`, sql`select 2`),
        database.tx(1, async tx => {
          tx.defer(sql`select 1`)
          await tx.all(sql`select pg_sleep(0.02)`, sql`select 2`)
        }),
        readSlowly(),
        readSlowly(),
      ]
      const settled = Promise.allSettled(work)
      await new Promise(done => setTimeout(done, round * 3))
      proxy.cut()
      await settled
      await proxy.mend()
      await expect
        .poll(() =>
          database.ping().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
    }
    // The page ahead fails while nobody waits for it: the reader is busy with the one before.
    await expect(readSlowly(() => proxy.cut())).rejects.toThrow()
    await proxy.mend()
    await new Promise(done => setTimeout(done, 50))
  } finally {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  }
  expect(unwaited).toEqual([])
  await expect.poll(() => readSlowly(), { timeout: 10_000 }).toBeUndefined()
}, 60_000)

import { portOf } from '#kit/server/fixtures/port.ts'
import { objectOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { sql } from './db.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createProbeTables, operators, openProbe, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

interface HeardMessage {
  kind: string
  data?: Record<string, unknown>
}

interface TestListener {
  heard: HeardMessage[]
  closed: Promise<number>
  say(word: unknown): void
  close(): void
}

let testDatabase: TestDatabase
let a: Probe
let b: Probe

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  // Two server processes on one database, but for the process: they share nothing else.
  ;[a, b] = [await openProbe(testDatabase.url), await openProbe(testDatabase.url)]
  await createProbeTables(a.app.database)
  for (const p of [a, b]) {
    await p.http.listen({ port: 0, host: '127.0.0.1' })
  }
})

afterAll(async () => {
  await a?.close()
  await b?.close()
  await testDatabase?.drop()
})

function readMessage(json: string): HeardMessage {
  const { kind, data } = objectOf(JSON.parse(json))
  return { kind: textOf(kind), ...(data === undefined ? {} : { data: objectOf(data) }) }
}

async function listen(p: Probe, token?: string): Promise<TestListener> {
  const s = new WebSocket(`ws://127.0.0.1:${portOf(p.http.server)}/api/live`)
  const heard: HeardMessage[] = []
  s.addEventListener('message', e => heard.push(readMessage(String(e.data))))
  const closed = new Promise<number>(done => s.addEventListener('close', e => done(e.code)))
  await new Promise(done => s.addEventListener('open', done, { once: true }))
  const ear: TestListener = {
    heard,
    closed,
    say: w => s.send(typeof w === 'string' ? w : JSON.stringify(w)),
    close: () => s.close(),
  }
  if (token) {
    ear.say({ token })
    await expect.poll(() => heard.some(w => w.kind === 'ready')).toBe(true)
  }
  return ear
}

const kindsOf = (e: TestListener): string[] => e.heard.map(w => w.kind).filter(k => k !== 'ready')

it('delivers a message to its recipients on every process, and to nobody else', async () => {
  const [boss, looker, other] = [
    await listen(a, await a.token('boss')),
    await listen(b, await a.token('looker')),
    await listen(b, await b.token('other')),
  ]
  a.app.live.publish(asId(1), [operators.looker.operatorId], 'one', { id: 7 })
  b.app.live.publish(asId(1), 'all', 'all')
  await expect.poll(() => [kindsOf(boss), kindsOf(looker).toSorted()]).toEqual([['all'], ['all', 'one']])
  expect(looker.heard.find(w => w.kind === 'one')).toEqual({ kind: 'one', data: { id: 7 } })
  expect(kindsOf(other)).toEqual([])
  for (const e of [boss, looker, other]) {
    e.close()
  }
})

it('carries topics to those who subscribed, from the first message on', async () => {
  const e = await listen(a)
  e.say({ token: await a.token('boss') })
  e.say({ subscribe: ['board:P1', 'bad topic!', 7] })
  await expect.poll(() => e.heard.length).toBe(1)
  b.app.live.publish(asId(1), { topic: 'board:P1' }, 'board', { id: 1 })
  b.app.live.publish(asId(2), { topic: 'board:P1' }, 'theirs')
  await expect.poll(() => kindsOf(e)).toEqual(['board'])
  e.say({ unsubscribe: ['board:P1'] })
  a.app.live.publish(asId(1), [asId(1)], 'mark')
  await expect.poll(() => kindsOf(e)).toEqual(['board', 'mark'])
  b.app.live.publish(asId(1), { topic: 'board:P1' }, 'board')
  a.app.live.publish(asId(1), [asId(1)], 'mark')
  await expect.poll(() => kindsOf(e)).toEqual(['board', 'mark', 'mark'])
  e.close()
})

it('publishes after commit only; long recipient lists are split, and long data gets through', async () => {
  const e = await listen(b, await b.token('boss'))
  const { database, live } = a.app
  await database
    .tx(1, async tx => {
      live.publishOnCommit(tx, asId(1), [asId(1)], 'undone')
      throw new Error('no')
    })
    .catch(() => {})
  await database.tx(1, async tx => {
    live.publishOnCommit(tx, asId(1), [asId(1)], 'done')
  })
  live.publish(asId(1), [...Array.from({ length: 5000 }, (_, i) => asId(i + 1000)), asId(1)], 'many', {
    id: 1,
  })
  live.publish(asId(1), [asId(1)], 'long', { text: '长'.repeat(9000) })
  await expect.poll(() => kindsOf(e)).toEqual(['done', 'many', 'long'])
  expect(e.heard.at(-1)).toEqual({ kind: 'long' })
  e.close()
})

it('ends with its session, on every process, and lets nobody in without one', async () => {
  const token = await a.token('looker')
  const e = await listen(b, token)
  await a.app.sessions.end(token)
  expect(await e.closed).toBe(4401)
  expect(kindsOf(e)).toEqual(['ended'])
  const bad = await listen(a)
  bad.say({ token: 'x'.repeat(43) })
  expect(await bad.closed).toBe(4401)
  const rude = await listen(a)
  rude.say({ subscribe: ['x'] })
  expect(await rude.closed).toBe(4401)
  const mad = await listen(a)
  mad.say('{')
  expect(await mad.closed).toBe(4400)
  expect((await a.inject('GET', '/api/live')).status).toBe(404)
})

it('goes on with a renewed token', async () => {
  const token = await a.token('boss')
  const e = await listen(a, token)
  const next = await a.app.sessions.renew(token)
  e.say({ token: next })
  await expect.poll(() => e.heard.filter(w => w.kind === 'ready').length).toBe(2)
  await a.app.sessions.end(token)
  a.app.live.publish(asId(1), [asId(1)], 'still')
  await expect.poll(() => kindsOf(e)).toEqual(['still'])
  e.close()
})

it('tells the operator how a task gets on, and says no more of it than numbers', async () => {
  const token = await b.token('boss')
  const e = await listen(b, token)
  const id = (
    await a.inject('POST', '/api/Probe/Work', { token, body: { Data: { Steps: 12, Ms: 150 } } })
  ).envelope().Data
  const words = (): HeardMessage[] => e.heard.filter(w => w.kind === 'task')
  await expect.poll(() => words().at(-1)?.data, { timeout: 10_000 }).toEqual({ id, state: 30 })
  expect(defined(words()[0]).data).toEqual({ id, state: 10 })
  // Once a second at most, however fast the steps.
  const onTheWay = words().filter(w => defined(w.data).done !== undefined)
  expect(onTheWay.length).toBeGreaterThan(0)
  expect(onTheWay.length).toBeLessThan(12)
  expect(defined(onTheWay[0]).data).toMatchObject({ id, state: 20, total: 12 })
  e.close()
})

it('a task and the message about it are one commit, so that none arrives before an older one', async () => {
  const token = await b.token('boss')
  const e = await listen(b, token)
  const states = (): unknown[] => e.heard.filter(w => w.kind === 'task').map(w => defined(w.data).state)
  // A process that is too busy to send what waits to be published.
  const busy = [a, b].map(p => vi.spyOn(p.app.live, 'publish').mockReturnValue())
  const body = { Data: { Steps: 1, Ms: 1 } }
  const { Data: id } = (await a.inject('POST', '/api/Probe/Work', { token, body })).envelope()
  await expect.poll(() => states().at(-1), { timeout: 10_000 }).toBe(30)
  expect(states()).toEqual([10, 20, 30])
  for (const spy of busy) {
    spy.mockRestore()
  }
  await a.app.database.tx(1, async tx => {
    await tx.execute(sql`update task_center set state = 40 where owner_id = 1 and id = ${asId(Number(id))}`)
    await a.app.jobs.retry(tx, asId(1), asId(Number(id)))
  })
  await expect.poll(() => states().length, { timeout: 10_000 }).toBe(6)
  expect(states().slice(3)).toEqual([10, 20, 30])
  e.close()
})

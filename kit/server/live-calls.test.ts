import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { objectOf } from '#kit/contract/fixtures.ts'
import { asId } from '#kit/domain/id.ts'
import { createProbeTables, openProbe, operators, probe, addThing, type Probe } from './fixtures/probe.ts'
import { portOf } from './fixtures/port.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import type { InstalledModule } from './handler.ts'

const maxConnections = 3
let ticks = 0

/** The probe with an echo for machines, a call over the live connection, long data and repeated work. */
const extended: InstalledModule = {
  ...probe,
  server: {
    ...probe.server,
    sockets: [
      {
        path: '/api/machine',
        maxMessageBytes: 100,
        maxConnections,
        perAddress: 2,
        accept: (socket, { ip }) => {
          socket.send(ip)
          socket.onMessage(text => socket.send(`heard ${text}`))
        },
      },
    ],
    liveCalls: [
      {
        call: addThing,
        matches: message => message.thing !== undefined,
        toRequest: (message, session) => ({ uuid: `${session}:${String(message.no)}`, Data: message.thing }),
        answerKind: 'THING',
        echo: ['no'],
      },
    ],
    liveLoaders: [
      {
        kind: 'long',
        load: (_, ownerId) => Promise.resolve({ ownerId, text: 'x'.repeat(20_000) }),
      },
    ],
    intervals: [
      {
        name: 'tick',
        everyMs: 20,
        run: async () => {
          ticks++
          await pause(50)
        },
      },
    ],
  },
}

let fresh: TestDatabase
let p: Probe

beforeAll(async () => {
  fresh = await openTestDatabase()
  p = await openProbe(fresh.url, { installed: [extended] })
  await createProbeTables(p.app.database)
  await p.http.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await p?.close()
  await fresh?.drop()
})

interface Line {
  readonly heard: string[]
  readonly closed: Promise<number>
  say(text: string): void
  waitFor(fits: (text: string) => boolean): Promise<string>
}

async function connect(path: string): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${portOf(p.http.server)}${path}`)
  const heard: string[] = []
  socket.addEventListener('message', event => heard.push(String(event.data)))
  socket.addEventListener('error', () => {})
  const closed = new Promise<number>(done => socket.addEventListener('close', event => done(event.code)))
  await new Promise(done => socket.addEventListener('open', done, { once: true }))
  return {
    heard,
    closed,
    say: text => socket.send(text),
    waitFor: async fits => {
      for (let i = 0; i < 500; i++) {
        const found = heard.find(fits)
        if (found !== undefined) return found
        await pause(10)
      }
      throw new Error(`not heard: ${JSON.stringify(heard).slice(0, 300)}`)
    },
  }
}

async function liveOf(operatorName: keyof typeof operators): Promise<Line> {
  const line = await connect('/api/live')
  line.say(JSON.stringify({ token: await p.token(operatorName) }))
  await line.waitFor(text => text.includes('ready'))
  return line
}

const thingOf = (code: string): object => ({ ProjectCode: 'P1', Code: code, Thingname: code, Mood: 10 })

const answerOf = async (line: Line, no: number): Promise<Readonly<Record<string, unknown>>> =>
  objectOf(objectOf(JSON.parse(await line.waitFor(text => text.includes(`"no":${no},`)))).data)

it('a module’s socket receives and replies, within its limits of size and number', async () => {
  const first = await connect('/api/machine')
  expect(await first.waitFor(text => text.includes('127.0.0.1'))).toBe('127.0.0.1')
  first.say('hello')
  await first.waitFor(text => text === 'heard hello')
  const second = await connect('/api/machine')
  const third = await connect('/api/machine')
  expect(await third.closed).toBe(4429)
  second.say('y'.repeat(101))
  expect(await second.closed).toBe(1009)
  const next = await connect('/api/machine')
  await next.waitFor(text => text.includes('127.0.0.1'))
})

it('a call over the live connection has the permissions, errors and results of one by HTTP', async () => {
  const boss = await liveOf('boss')
  boss.say(JSON.stringify({ no: 1, thing: thingOf('LIVE1') }))
  expect(await answerOf(boss, 1)).toMatchObject({ no: 1, Code: 10000 })
  boss.say(JSON.stringify({ no: 2, thing: {} }))
  expect(await answerOf(boss, 2)).toMatchObject({ Code: 10001 })
  const viewer = await liveOf('looker')
  viewer.say(JSON.stringify({ no: 3, thing: thingOf('LIVE3') }))
  expect(await answerOf(viewer, 3)).toMatchObject({ Code: 10003 })
})

it('a message that comes twice is one call; too many at once end the connection', async () => {
  const boss = await liveOf('boss')
  const message = JSON.stringify({ no: 4, thing: thingOf('LIVE4') })
  boss.say(message)
  boss.say(message)
  await expect.poll(() => boss.heard.filter(text => text.includes('"no":4,')).length).toBe(2)
  expect(new Set(boss.heard.filter(text => text.includes('"no":4,'))).size).toBe(1)
  for (let i = 0; i < 200; i++) {
    boss.say(JSON.stringify({ no: 100 + i, thing: thingOf(`F${i}`) }))
  }
  expect(await boss.closed).toBe(4429)
})

it('data too long for a notification is loaded by the process that holds the browser', async () => {
  const [boss, other] = [await liveOf('boss'), await liveOf('other')]
  p.app.live.publish(asId(1), [operators.boss.operatorId], 'long', {})
  const message = await boss.waitFor(text => text.includes('"long"'))
  expect(message.length).toBeGreaterThan(20_000)
  expect(other.heard.some(text => text.includes('"long"'))).toBe(false)
})

it('repeated work never runs twice at once', async () => {
  const before = ticks
  await pause(400)
  expect(ticks - before).toBeGreaterThan(1)
  expect(ticks - before).toBeLessThan(9)
})

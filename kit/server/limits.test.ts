import { portOf } from '#kit/server/fixtures/port.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { openCallSlots } from './call-slots.ts'
import { sql } from './db.ts'
import { createProbeTables, openProbe, operators, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { ServerBusy } from './http-errors.ts'
import { RefusalLog, refusalLogOf } from './refusal-log.ts'
import { systemReadScope } from './scope.ts'

const connectionsPerAddress = 6
const livePerAddress = 3

let testDatabase: TestDatabase
let p: Probe
let boss = ''
let port = 0

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  p = await openProbe(testDatabase.url, {
    // Nobody on this machine is a proxy here: its connections are counted.
    trustProxy: '192.0.2.1',
    connectionsPerAddress,
    livePerAddress,
    bodyStallMs: 600,
  })
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
  await p.http.listen({ port: 0, host: '127.0.0.1' })
  port = portOf(p.http.server)
})

afterAll(async () => {
  await p?.close()
  await testDatabase?.drop()
})

/** A connection that sends a text. Returns what came back, once the other end has closed it. */
function sendRaw(text: string): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<string>(done => {
    let received = ''
    socket.on('data', (part: Buffer) => {
      received += part.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => done(received))
  })
  socket.write(text)
  return { socket, answer }
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const envelopeOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

it('multipart without a boundary is 400, with a message', async () => {
  for (const type of ['multipart/form-data', 'multipart/form-data; charset=utf-8']) {
    const r = await p.inject('POST', '/api/Probe/Upload', {
      token: boss,
      body: 'x',
      headers: { 'content-type': type },
    })
    expect([r.status, r.json()]).toEqual([
      400,
      {
        Code: resultCode.invalidInput,
        Message: '上传的内容没有分隔标记，无法读取，请重新上传',
        Data: null,
      },
    ])
  }
})

it('headers that are too long, and what is no HTTP, are answered in the envelope', async () => {
  const long = await sendRaw(
    `GET /api/Probe/Get HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(80_000)}\r\n\r\n`,
  ).answer
  expect(statusOf(long)).toBe(431)
  expect(envelopeOf(long)).toEqual({
    Code: resultCode.invalidInput,
    Message: '请求的地址或请求头过长，请减少内容后重试',
    Data: null,
  })
  const strange = await sendRaw('HELO there\r\n\r\n').answer
  expect([statusOf(strange), envelopeOf(strange).Message]).toEqual([400, '请求无法读取'])
})

it('a body that stands still is given up; one that goes on slowly is not', async () => {
  const head =
    `POST /api/Probe/Post HTTP/1.1\r\nhost: x\r\ntoken: ${boss}\r\n` +
    'content-type: application/json\r\ncontent-length: 100\r\n\r\n'
  const stalled = await sendRaw(`${head}{`).answer
  expect([statusOf(stalled), envelopeOf(stalled).Message]).toEqual([
    408,
    '内容未传输完成，已停止等待，请检查网络后重试',
  ])
  const upload =
    `POST /api/Probe/Upload HTTP/1.1\r\nhost: x\r\ntoken: ${boss}\r\n` +
    'content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n--x\r\n'
  expect(statusOf(await sendRaw(upload).answer)).toBe(408)
  const slow = sendRaw(head)
  for (const letter of '{"a":1}'.padEnd(100)) {
    slow.socket.write(letter)
    await pause(15)
  }
  slow.socket.end()
  expect(statusOf(await slow.answer)).toBe(200)
})

it('one address holds no more connections than it may', async () => {
  const sockets = Array.from({ length: connectionsPerAddress + 3 }, () => sendRaw(''))
  const closed = new Set<Socket>()
  for (const { socket } of sockets) {
    socket.once('close', () => closed.add(socket))
  }
  await expect.poll(() => closed.size).toBe(3)
  for (const { socket } of sockets) {
    socket.destroy()
  }
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        r => r.status,
        () => 0,
      ),
    )
    .toBe(200)
})

/** A live connection. Returns the code that it was closed with. */
function openLiveSocket(): { readonly socket: WebSocket; readonly closed: Promise<number> } {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live`)
  const closed = new Promise<number>(done => socket.addEventListener('close', e => done(e.code)))
  return { socket, closed }
}

it('live connections without a token end after three seconds, and one address has so many of them', async () => {
  const startedAt = Date.now()
  const sockets = Array.from({ length: livePerAddress + 1 }, openLiveSocket)
  const codes = await Promise.all(sockets.map(s => s.closed))
  expect(codes.toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: livePerAddress }, () => 4401),
    4429,
  ])
  expect(Date.now() - startedAt).toBeLessThan(6_000)
})

it('a session that must first change its password gets nothing live, and no description of the calls (PERM-9)', async () => {
  const token = await p.token('fresh')
  const { socket, closed } = openLiveSocket()
  const heard: unknown[] = []
  socket.addEventListener('message', e => heard.push(e.data))
  socket.addEventListener('open', () => socket.send(JSON.stringify({ token })))
  expect(await closed).toBe(4403)
  p.app.live.publish(asId(1), 'all', 'secret')
  await pause(50)
  expect(heard).toEqual([])
  expect((await p.inject('GET', '/api/openapi.json', { token })).json()).toMatchObject({
    Code: resultCode.forbidden,
    Message: '首次登录或密码已被重置，请先修改密码',
  })
})

it("a refused step is dated by the app's clock (PERM-6)", async () => {
  const time = Date.parse('2026-02-28T23:59:30+08:00')
  const { database, log } = p.app
  const refusals = new RefusalLog({ database, log, clock: () => time })
  const scope = { ...systemReadScope(asId(1)), operatorId: asId(77) }
  await refusals.record(scope, 'GET Probe/Get', new Refused(resultCode.forbidden, '无权访问该项目'))
  await refusals.close()
  const row = await database
    .reader(1)
    .one<{ at: string }>(
      sql`select create_time::text as at from audit_log where owner_id = 1 and operator_id = 77`,
    )
  expect(Date.parse(row?.at ?? '')).toBe(time)
})

it('refused steps leave one row for each call and minute, with how often (PERM-6)', async () => {
  const token = await p.token('ofP1')
  const tryOften = (times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, i) =>
        p.inject('GET', `/api/Probe/Get?ProjectCode=P${i + 2}`, { token }),
      ),
    )
  const readRows = () =>
    p.app.database
      .reader(1)
      .rows<{ operatorId: Id; entity: string; reason: string; times: number; count: number }>(
        sql`
        select operator_id, entity, reason, sum((after->>'times')::int)::int as times, count(*)::int as count
        from audit_log
        where owner_id = 1 and action = 'refused' and operator_id = ${operators.ofP1.operatorId}
        group by operator_id, entity, reason
      `,
      )
  await tryOften(1)
  // The first is there at once.
  expect(await readRows()).toEqual([
    { operatorId: 3, entity: 'GET Probe/Get', reason: '无权访问该项目', times: 1, count: 1 },
  ])
  await tryOften(60)
  await tryOften(60)
  await refusalLogOf(p.app).flush()
  const [row] = await readRows()
  expect(row?.times).toBe(121)
  // Two where the minute ended in between.
  expect(row?.count).toBeLessThan(3)
})

it('calls beyond the slots wait in turn, and not for ever', async () => {
  const takeSlot = openCallSlots(2, 80)
  const [first, second] = [await takeSlot(), await takeSlot()]
  await expect(takeSlot()).rejects.toThrow(ServerBusy)
  const third = takeSlot()
  first()
  first()
  const releaseThird = await third
  await expect(takeSlot()).rejects.toThrow(ServerBusy)
  second()
  releaseThird()
  const again = await Promise.all([takeSlot(), takeSlot()])
  expect(again).toHaveLength(2)
})

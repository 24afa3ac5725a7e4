import { isObject } from '#kit/contract/wire/members.ts'
import { envelopeOf, numberOf } from '#kit/contract/fixtures.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { defined } from '#kit/domain/defined.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import { decodeResponse, encodeRequest, resultCode, type Envelope } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { taskState, type Cron } from '#kit/server/jobs.ts'
import { maintenanceCrons } from '#kit/server/maintenance.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { getSignInPage } from '#modules/accounts/contract/company.ts'
import { getCaptcha, login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { generateBills } from '#modules/bills/contract/run.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { exportRooms, importRooms } from '#modules/rooms/contract/import-export.ts'
import { getFile, uploadFile } from '#modules/system/contract/file.ts'
import { golden, password } from './golden-data.ts'

let testDatabase: TestDatabase
let server: Server
let crons: readonly Cron[]
let killer: pg.Client
let token = ''
let room = ''
let sheet: Blob
let storedFile = ''
const folder = mkdtempSync(join(tmpdir(), 'connection-loss-'))
const projectCode = 'GOLD0001'

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  const installed = await loadInstalledModules()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: folder,
    installed,
    loadCaller: createCallerLoader,
    version: 'test',
    disableThrottle: true,
  })
  await server.http.listen({ port: 0, host: '127.0.0.1' })
  crons = [...maintenanceCrons(server.jobs), ...installed.flatMap(module => module.server.crons ?? [])]
  killer = new pg.Client(testDatabase.url)
  await killer.connect()
  token = (await answerOf(login, { loginCode: golden.first.owner, password })).token
  room = defined(
    await server.app.database
      .reader('*')
      .one<{ code: string }>(
        sql`select code from room where project_code = ${projectCode} order by id limit 1`,
      ),
  ).code
  const body = new PassThrough()
  void writeWorkbook(
    ['楼栋', '单元', '楼层', '房号', '房屋类型', '建筑面积（㎡）', '房态'].map(heading => ({ heading })),
    [[['1栋', '1', '3', '3901', '住宅', 88.5, '空置']]],
    body,
  )
  sheet = new Blob([new Uint8Array(await buffer(body))])
  storedFile = (await answerOf(uploadFile, {}, undefined, sheet)).key
})

afterAll(async () => {
  await server?.close()
  await killer?.end()
  await testDatabase?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const port = (): number => portOf(server.http.server)

async function send<I, O>(
  call: Call<I, O>,
  input: I,
  uuid?: string,
  file?: Blob,
): Promise<{ status: number; envelope: Envelope | undefined }> {
  const request = encodeRequest(call, input, { projectCode, ...(uuid ? { uuid } : {}) })
  const form = new FormData()
  if (file) {
    for (const [name, value] of new URLSearchParams(request.body ?? '')) {
      form.append(name, value)
    }
    form.append('file', file, 'rooms.xlsx')
  }
  const response = await fetch(
    `http://127.0.0.1:${port()}/api/${request.path}${request.query ? `?${request.query}` : ''}`,
    {
      method: request.method,
      headers: {
        token,
        ...(file
          ? {}
          : {
              'content-type':
                request.method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
            }),
      },
      ...(file ? { body: form } : request.body === undefined ? {} : { body: request.body }),
    },
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, envelope: isJson ? envelopeOf(JSON.parse(text)) : undefined }
}

async function answerOf<I, O>(call: Call<I, O>, input: I, uuid?: string, file?: Blob): Promise<O> {
  const { envelope } = await send(call, input, uuid, file)
  expect(envelope).toMatchObject({ Code: resultCode.ok })
  return decodeResponse(call, defined(envelope))
}

/** A live connection: signs in, and tells when it has been let in. */
function openLive(): { ready: Promise<boolean>; close: () => void } {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}/api/live`)
  socket.addEventListener('open', () => socket.send(JSON.stringify({ token, subscribe: ['board:P1'] })))
  const ready = new Promise<boolean>(resolve => {
    socket.addEventListener('message', () => resolve(true))
    socket.addEventListener('close', () => resolve(false))
    socket.addEventListener('error', () => resolve(false))
  })
  return { ready, close: () => socket.close() }
}

const wallet = (uuid: string): Promise<{ status: number; envelope: Envelope | undefined }> =>
  send(
    topUp,
    { projectCode, ownerKind: 'room', ownerCode: room, methods: [{ method: 'cash', amount: asFen(100) }] },
    uuid,
  )

/** An address outside the envelope: another system's message, a page, what monitoring asks. */
const askPlain = async (path: string, body?: string): Promise<{ status: number }> => {
  const response = await fetch(
    `http://127.0.0.1:${port()}${path}`,
    body === undefined ? {} : { method: 'POST', body },
  )
  await response.arrayBuffer()
  // An unsigned message is turned away: an answer like any other.
  return { status: response.status < 500 ? 200 : response.status }
}

/** Every kind of work of the server at once. */
const everyKindOfWork = (round: number): Promise<unknown>[] => {
  const live = openLive()
  return [
    send(getSignInPage, undefined),
    send(getCaptcha, undefined),
    send(login, { loginCode: golden.first.owner, password }),
    send(uploadFile, {}, undefined, new Blob(['%PDF-1.4'], { type: 'application/pdf' })),
    send(getFile, { key: storedFile }),
    askPlain('/api/invoice/notify/1/1', '{}'),
    askPlain('/api/pay/notify/wechat/1', '{}'),
    askPlain('/api/pay/h5?o=1'),
    askPlain('/readyz'),
    askPlain('/healthz'),
    askPlain('/api/openapi.json'),
    send(listBills, { projectCode, size: 10 }),
    wallet(`loss-${round}`),
    send(exportRooms.get, { projectCode }),
    send(exportRooms.start, { projectCode }),
    send(importRooms.post, { projectCode }, undefined, sheet),
    send(generateBills, { projectCode, month: '2026-11', isPreview: true }),
    live.ready.finally(live.close),
    ...crons.map(cron => cron.run(server.app, new AbortController().signal)),
  ]
}

/** Cuts every connection of the server, again and again, until the work has ended. */
async function cutUntil(ended: Promise<unknown>, firstMs: number): Promise<number> {
  const over = new AbortController()
  void ended.then(() => over.abort())
  let cuts = 0
  await pause(firstMs)
  for (let wait = 15; !over.signal.aborted; wait *= 1.6) {
    const { rowCount } = await killer.query(`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
    `)
    cuts += rowCount ?? 0
    await pause(wait)
  }
  return cuts
}

it('works after its connections were cut under every kind of work', async () => {
  const unowned: unknown[] = []
  const note = (error: unknown): void => {
    unowned.push(error)
  }
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  try {
    for (const [round, firstMs] of [0, 10, 40].entries()) {
      const settled = Promise.allSettled(everyKindOfWork(round))
      expect(await cutUntil(settled, firstMs)).toBeGreaterThan(0)
      const statuses = (await settled).flatMap(result =>
        result.status === 'fulfilled' && isObject(result.value) ? [numberOf(result.value.status)] : [],
      )
      expect(statuses.filter(status => ![200, 503].includes(status))).toEqual([])
      await expect
        .poll(async () => (await send(listBills, { projectCode, size: 10 })).status, { timeout: 5000 })
        .toBe(200)
    }
    // The same payments once more: each is booked exactly once, whatever became of its first answer.
    for (const round of [0, 1, 2]) {
      expect((await wallet(`loss-${round}`)).envelope).toMatchObject({ Code: resultCode.ok })
    }
    const live = openLive()
    expect(await live.ready).toBe(true)
    live.close()
    const task = await answerOf(exportRooms.start, { projectCode })
    await expect
      .poll(
        async () =>
          defined(
            await server.app.database
              .reader('*')
              .one<{ state: number }>(sql`select state::int as state from task_center where id = ${task}`),
          ).state,
        { timeout: 8000 },
      )
      .toBe(taskState.done)
    expect((await send(importRooms.post, { projectCode }, undefined, sheet)).status).toBe(200)
  } finally {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  }
  expect(unowned).toEqual([])
}, 40_000)

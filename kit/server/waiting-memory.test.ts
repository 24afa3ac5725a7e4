import { defined } from '#kit/domain/defined.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProbeTables, openProbe, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { sql } from './db.ts'

let testDatabase: TestDatabase
let p: Probe
let child: ChildProcess
let address = ''

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  p = await openProbe(testDatabase.url)
  await createProbeTables(p.app.database)
  await p.app.database.tx(1, tx =>
    tx.execute(sql`
      insert into probe_thing (owner_id, project_code, code, name, mood, live, tags)
      select 1, 'P1', 'W' || n, repeat('房', 40), 10, true, array[repeat('标', 40), repeat('签', 40)]
      from generate_series(1, 2000) as n
    `),
  )
  await p.app.database.tx(1, tx => tx.execute(sql`analyze probe_thing`))
  child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./fixtures/probe-process.ts', import.meta.url)), testDatabase.url, p.app.dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(defined(child.stdout), 'data')
  address = defined(String(line).trim().split(' ')[1])
})

afterAll(async () => {
  child?.kill('SIGKILL')
  await p?.close()
  await testDatabase?.drop()
})

const agent = new Agent({ maxSockets: 600 })

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly bytes: number
  readonly code: number
}

const list = (token: string): Promise<Answer> =>
  new Promise((done, fail) => {
    get(`${address}/api/Probe/Get?PageSize=2000&PageIndex=1`, { agent, headers: { token } }, response => {
      let bytes = 0
      let head = ''
      response.on('data', (part: Buffer) => {
        bytes += part.length
        head ||= part.subarray(0, 20).toString()
      })
      response.on('end', () =>
        done({
          status: defined(response.statusCode),
          retryAfter: response.headers['retry-after'],
          bytes,
          code: Number(/"Code":(\d+)/.exec(head)?.[1]),
        }),
      )
      response.on('error', fail)
    }).on('error', fail)
  })

it.skipIf(!existsSync('/proc/self/status'))(
  'five hundred lists at once: answered, or told to come back, within 500 MB',
  async () => {
    const token = await p.token('boss')
    const answers = await Promise.all(Array.from({ length: 500 }, () => list(token)))
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
    console.log(
      `peak ${Math.round(peak)} MB, ${answers.filter(a => a.status === 200).length} answered, ${answers[0]?.bytes} bytes`,
    )
    const answered = answers.filter(a => a.status === 200)
    const refused = answers.filter(a => a.status === 503)
    expect(answered.length + refused.length).toBe(500)
    expect(answered.every(a => a.code === 10000 && a.bytes > 400_000)).toBe(true)
    expect(refused.every(a => ['2', '3'].includes(a.retryAfter ?? ''))).toBe(true)
    expect(peak).toBeLessThan(500)
  },
  120_000,
)

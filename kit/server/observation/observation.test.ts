import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toError } from '#kit/domain/to-error.ts'
import { objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import type { RawObject } from '#kit/contract/wire/members.ts'
import { readSource } from '#tools/source-files.ts'
import { createProbeTables, openProbe, type Probe } from '../fixtures/probe.ts'
import { portOf } from '../fixtures/port.ts'
import { openTestDatabase, type TestDatabase } from '../fixtures/test-database.ts'
import { sql } from '../db.ts'
import { taskState } from '../jobs.ts'
import { parseTraceparent } from './traceparent.ts'
import { closeTracing, openTracing } from './tracing.ts'

let fresh: TestDatabase
let p: Probe
let collector: Server
let address = ''
const spans: RawObject[] = []
const lines: RawObject[] = []

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`

/** A collector of OTLP over HTTP: what the SDK sends there is what any collector gets. */
const openCollector = async (): Promise<Server> => {
  const server = createServer((req, res) => {
    const keep = async (): Promise<void> => {
      for (const resource of objectsOf(objectOf(await json(req)).resourceSpans)) {
        for (const scope of objectsOf(resource.scopeSpans)) {
          spans.push(...objectsOf(scope.spans))
        }
      }
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    keep().catch((error: unknown) => res.destroy(toError(error)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  collector = await openCollector()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${portOf(collector)}`
  process.env.SLOW_STATEMENT_MS = '50'
  await openTracing('test')
  fresh = await openTestDatabase()
  p = await openProbe(fresh.url, {
    logging: {
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    },
  })
  await createProbeTables(p.app.database)
  await p.http.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${portOf(p.http.server)}`
})

afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  delete process.env.SLOW_STATEMENT_MS
  await p?.close()
  await closeTracing()
  collector?.close()
  await fresh?.drop()
})

const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${address}${path}`, { headers: { token: await p.token('boss'), ...headers } })

const metrics = async (): Promise<string> => (await fetch(`${address}/metrics`)).text()

it('an ended session counts as 401 and leaves a line with the number that the answer carries', async () => {
  const answer = await get('/api/Probe/Get', { token: 'ended', traceparent })
  expect(answer.status).toBe(401)
  const id = textOf(answer.headers.get('x-request-id'))
  expect(lines.find(line => line.reqId === id)).toMatchObject({ call: 'GET Probe/Get', code: 401, trace })
  const text = await metrics()
  expect(text).toContain('call_answers_total{call="GET Probe/Get",code="401"} 1')
  expect(text).not.toContain('code="10500"')
})

it('a slow statement is logged by the call that sent it', async () => {
  const answer = await get('/api/Probe/Slow?data.Seconds=1')
  const id = answer.headers.get('x-request-id')
  await expect
    .poll(() => lines.filter(line => line.msg === 'slow statement'))
    .toEqual([expect.objectContaining({ reqId: id, operation: 'GET Probe/Slow' })])
  expect(textOf(lines.find(line => line.msg === 'slow statement')?.statement)).toContain('pg_sleep')
})

it('a trace goes on from the caller through the request and its statements to the job', async () => {
  const answer = await fetch(`${address}/api/Probe/Work`, {
    method: 'POST',
    headers: { token: await p.token('boss'), traceparent, 'content-type': 'application/json' },
    body: JSON.stringify({ Data: { Steps: 1 } }),
  })
  expect(await answer.json()).toMatchObject({ Code: 10000 })
  await expect
    .poll(
      async () =>
        (await p.app.database
          .reader('*')
          .one(sql`select 1 from task_center where state = ${taskState.done}`)) !== undefined,
      { timeout: 15_000 },
    )
    .toBe(true)
  await closeTracing()
  const own = spans.filter(span => span.traceId === trace)
  const request = own.find(span => span.name === 'POST Probe/Work')
  const job = own.find(span => span.name === 'job probe-work')
  expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7' })
  expect(job).toMatchObject({ parentSpanId: request?.spanId })
  const statements = own.filter(span => span.parentSpanId === request?.spanId).map(span => span.name)
  expect(statements).toContain('insert task_center')
  const steps = own.filter(span => span.parentSpanId === job?.spanId).map(span => span.name)
  expect(steps).toContain('insert probe_step')
})

it.each([
  undefined,
  '',
  'nonsense',
  `ff-${trace}-00f067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
])('a malformed traceparent is ignored: %s', text => expect(parseTraceparent(text)).toBeUndefined())

const own = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+)/gm)]
    .map(match => match[1] ?? '')
    .filter(name => !/^(nodejs|process)_/.test(name))

it('docs/operation.md names every metric, and the board shows none that does not exist', async () => {
  const names = own(await metrics())
  const page = readSource('docs/operation.md')
  expect(names.filter(name => !page.includes(`\`${name}\``))).toEqual([])
  const board = readSource('docs/grafana-board.json')
  const shown = [...board.matchAll(/\b((?:call|database|live|tasks|sign_in)_[a-z_]+)/g)].map(match =>
    (match[1] ?? '').replace(/_(bucket|sum|count)$/, ''),
  )
  expect(shown.length).toBeGreaterThan(8)
  expect(shown.filter(name => !names.includes(name) && name !== 'sign_in_total')).toEqual([])
})

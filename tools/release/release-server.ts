import { setImmediate as turn } from 'node:timers/promises'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { fillDemo } from '#db/golden/demo.ts'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { decodeResponse, encodeRequest, resultCode, type Envelope } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { entityOf, exampleInput, readKnownRows, type KnownRows } from '../every-call/examples.ts'

/*
 * A released server under test, run from the sources of its release: `fork(release-server.ts, [databaseUrl,
 * dataDir])`. It does what its parent asks and answers once for each question. What it imports is what the
 * release has under these names; it is kept with the release for that reason.
 */

export type ReleaseQuestion =
  /** The schema of the release and its demo. */
  | 'seed'
  /** Opens the server on what is there. */
  | 'open'
  /** Every call that reads, once. */
  | 'reads'
  /** Every call that writes, once, as far as an example of its input reaches. */
  | 'writes'
  /** Payments at the counter. */
  | 'payments'
  /** Reads of the lively company and writes of the small one, until `stop`. */
  | 'traffic'
  | 'stop'

export interface CallResult {
  readonly route: string
  readonly status: number
  readonly code: number
  readonly message: string
}

export type ReleaseAnswer =
  | {
      readonly question: ReleaseQuestion
      readonly results: readonly CallResult[]
      readonly failure?: string
    }
  /** How many calls the traffic has made. */
  | { readonly made: number }

interface Company {
  readonly ownerId: Id
  readonly managerId: Id
  readonly project: string
  readonly rows: KnownRows
}

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const installed = await loadInstalledModules()
const calls = installed.flatMap(module => [...module.contract.calls])
const isRead = (call: Call): boolean => methodOf(call) === 'GET' && !call.upload
// Ends the session of everybody, or waits for a person.
const apart = /logout|captcha|WebSocket/i

const reply = (response: ReleaseAnswer): void => void process.send?.(response)

let server: Server | undefined
let main: Company | undefined
let small: Company | undefined
let traffic = new AbortController()

async function findCompany(loginCode: string): Promise<Company> {
  const { database } = defined(server).app
  const manager = defined(
    await database.reader('*').one<{ ownerId: Id; id: Id }>(sql`
      select owner_id, id from manager where login_code = ${loginCode}
    `),
  )
  const { project } = defined(
    await database.reader('*').one<{ project: string }>(sql`
      select project_code as project from estate where owner_id = ${manager.ownerId} order by id limit 1
    `),
  )
  return {
    ownerId: manager.ownerId,
    managerId: manager.id,
    project,
    rows: await readKnownRows(database, manager.ownerId, project),
  }
}

async function open(): Promise<void> {
  server = await openServer({
    databaseUrl,
    dataDir,
    installed,
    version: 'release',
    pool: 8,
    runsJobs: false,
    disableThrottle: true,
    loadCaller: createCallerLoader,
  })
  main = await findCompany('demo')
  small = await findCompany('demo2')
}

async function ask(
  company: Company,
  call: Call,
  input: unknown,
): Promise<{ result: CallResult; envelope: Envelope }> {
  const { app, http } = defined(server)
  // One for each call: a call may end its session.
  const token = await app.sessions.create(company.ownerId, company.managerId, {
    ip: '10.0.0.1',
    agent: 'release',
  })
  const { method, path, query, body } = encodeRequest(call, input, { projectCode: company.project })
  const type = method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded'
  const response = await http.inject({
    method,
    url: `/api/${path}${query ? `?${query}` : ''}`,
    headers: { token, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { payload: body }),
  })
  const isJson = String(response.headers['content-type'] ?? '').includes('json')
  const envelope: Envelope = isJson ? response.json() : { Code: resultCode.ok, Message: '', Data: null }
  const result = {
    route: call.route,
    status: response.statusCode,
    code: Number(envelope.Code),
    message: envelope.Message,
  }
  return { result, envelope }
}

const example = (company: Company, call: Call, which: 'all' | 'needed'): unknown =>
  exampleInput(call, { rows: company.rows, project: company.project, of: entityOf(call) }, which)

async function sendAll(
  company: Company,
  of: readonly Call[],
  onResult: () => void = () => {},
): Promise<CallResult[]> {
  const results: CallResult[] = []
  for (const call of of.filter(each => !apart.test(each.route) && !each.upload)) {
    if (traffic.signal.aborted) break
    results.push((await ask(company, call, example(company, call, 'needed'))).result)
    onResult()
  }
  return results
}

/** Bills of the first page, each for what the list says is owed. */
async function payAtCounter(company: Company): Promise<CallResult[]> {
  const filter = { projectCode: company.project, payState: ['unpaid' as const] }
  const { rows } = decodeResponse(listBills, (await ask(company, listBills, filter)).envelope)
  const results: CallResult[] = []
  for (const { id, unpaid } of rows.slice(0, 5)) {
    const methods = [{ method: 'cash' as const, amount: unpaid }]
    const input = { projectCode: company.project, billIds: [id], expectAmount: unpaid, methods }
    results.push((await ask(company, payBills, input)).result)
  }
  return results
}

async function runTraffic(): Promise<CallResult[]> {
  const results: CallResult[] = []
  let made = 0
  const onResult = (): void => {
    reply({ made: ++made })
  }
  const loop = async (company: Company, of: readonly Call[]): Promise<void> => {
    while (!traffic.signal.aborted) {
      results.push(...(await sendAll(company, of, onResult)))
      await turn()
    }
  }
  await Promise.all([
    loop(defined(main), calls.filter(isRead)),
    loop(
      defined(small),
      calls.filter(call => !isRead(call)),
    ),
  ])
  traffic = new AbortController()
  return results
}

async function answerOf(question: ReleaseQuestion): Promise<readonly CallResult[]> {
  switch (question) {
    case 'seed':
      await migrate(databaseUrl)
      await fillDemo(databaseUrl, { dataDir, alone: true })
      return []
    case 'open':
      await open()
      return []
    case 'reads':
      return await sendAll(defined(main), calls.filter(isRead))
    case 'writes':
      return await sendAll(
        defined(main),
        calls.filter(call => !isRead(call)),
      )
    case 'payments':
      return await payAtCounter(defined(main))
    case 'traffic':
      return await runTraffic()
    case 'stop':
      traffic.abort()
      return []
  }
}

process.on('message', (question: ReleaseQuestion) => {
  answerOf(question).then(
    results => reply({ question, results }),
    (error: unknown) =>
      reply({ question, results: [], failure: error instanceof Error ? String(error.stack) : String(error) }),
  )
})

process.once('disconnect', () => process.exit(0))

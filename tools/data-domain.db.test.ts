import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import type { Field } from '#kit/contract/field.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { encodeRequest, resultCode, wireNameOf, type Envelope } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { allEntities } from '#kit/server/registry.ts'
import type { Caller, DataDomain } from '#kit/server/scope.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { tenantFilter } from '#kit/server/table/filter.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { openDemoDatabase, type DemoDatabase } from './demo.fixtures.ts'
import { entityOf, exampleInput, readKnownRows, type KnownRows } from './every-call/examples.ts'
import { untilPlanned } from './until-planned.ts'

/**
 * PERM-6 of every call that only reads, asked by somebody who has one building of one project: no answer
 * holds a row or a name of another building, and none changes when all rows of the other buildings go.
 */
const installed = await loadInstalledModules()
const calls: readonly Call[] = installed.flatMap(m => [...m.contract.calls])
const modeOf = new Map(installed.flatMap(m => m.server.handlers.map(h => [h.call, h.mode] as const)))
const reading = calls.filter(c => methodOf(c) === 'GET' && modeOf.get(c) === 'reads')
const project = 'JXHY0001'
const building = 'JX01'
const domain: DataDomain = { all: false, projects: new Map([[project, new Set([building])]]) }

const isBounded = (e: Entity): boolean =>
  Object.values<Field>(e.fields).some(f => f.dataDomain === 'building')
/** The clock is paused: no answer changes by it. */
const now = Date.now()
const bounded = (): Entity[] => allEntities().filter(e => e.tenancy === 'project' && isBounded(e))
const outsideCondition = (e: Entity, ownerId: Id) =>
  sql`t.owner_id = ${ownerId} and t.delete_tag = 0 and not coalesce((${tenantFilter(e, { ownerId, domain })}), false)`

/** Calls whose answers may name other buildings, and why. */
const showsOthers: Readonly<Record<string, string>> = {
  'GET Parkplace/Get': "the car park is the whole project's; a place names the room that it belongs to",
  'GET Parkplace/GetExport': 'the same',
  'GET Parkplace/GetOne': 'the same',
  'GET Car/get': "a car goes through the whole project's gates; it names the room that it belongs to",
  'GET Car/GetExport': 'the same',
  'GET Car/GetOne': 'the same',
  'GET Feebill/GetRuns': 'a run is work on the whole project; it keeps what it was asked for',
  'GET InvoiceTitle/Get': "titles are the company's; a payer has one for all projects",
  'GET InvoiceRecord/GetEntries': 'its rows are parts of invoices, and have ids of their own',
  'GET workorder/v1/OrderType/GetListForBackEnd': 'a price list names what lines of costs are named after',
  'GET Gateway/Get': 'a gateway serves the whole project',
  'GET PropertyElevator/Get': 'a lift names its controller, which is in no building',
  'GET PropertyElevator/GetOne': 'the same',
  'GET PropertyElevator/GetExport': 'the same',
  'GET door/v1/Own/Staff': 'the doors that the employee opens, whatever the account sees (ACS-2)',
}

/** Calls whose figures are of the whole project or company, and why. */
const countsOthers: Readonly<Record<string, string>> = {
  'GET Parkplace/Get': 'names rooms, see above',
  'GET Parkplace/GetExport': 'the same',
  'GET Parkplace/GetOne': 'the same',
  'GET Car/get': 'names rooms, see above',
  'GET Car/GetExport': 'the same',
  'GET Car/GetOne': 'the same',
  'GET ParkMonthOrder/GetRefund': "what is paid by the bill of a car, in the building of its owner's home",
  'GET Park/GetParkingCode': 'the next code of a counter',
  'GET door/v1/Own/Staff': 'what the employee opens, see above',
  'GET PropertyElevator/Get': 'what its controller holds, see above',
  'GET PropertyElevator/GetOne': 'the same',
  'GET finance/v1/FeeStandard/Get': 'how many relations a standard has decides whether it may change',
  'GET finance/v1/FeeStandard/GetOne': 'the same',
  'GET PropertyFeestandard/GetByScene': 'the same',
  'GET finance/v1/FeeStandard/GetVersions': 'the same',
  'GET PropertyMeterPlan/Get': 'a reading plan is work on the whole project',
  'GET PropertyMeterPlan/GetOne': 'the same',
  'GET Feebill/GetRun': 'a run is work on the whole project',
  'GET finance/v1/DayClose/GetCheck': 'a day is closed for the whole project',
  'GET finance/v1/CashierHandover/GetPreview': 'a cashier hands over all that they took',
  'GET workorder/v1/OrderType/GetReceivOrderPerson': 'how busy somebody is, by all of their orders',
}

/** Figures of the whole in an answer that is bounded otherwise. */
const countsOthersIn: Readonly<Record<string, RegExp>> = {
  // How busy the handler is, by all of their orders.
  'GET workorder/v1/WorkOrder/GetOne': /"(OpenCount|LateCount|MonthScore|MonthRated)":[^,}]+/g,
}

/** What the product itself says of any device or order: titles of faults, reasons of reminders. */
const wordsOfProduct = ['设备离线', '响应超时', '完成超时'] as const

let testDatabase: DemoDatabase
let server: Server
let token: string
let ownerId: Id
let insideRows: KnownRows
const answers = new Map<Call, Answer>()
const outsideIds = new Map<string, ReadonlySet<string>>()
const outsideNames = new Set<string>()

beforeAll(async () => {
  testDatabase = await openDemoDatabase()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: testDatabase.dataDir,
    installed,
    version: 'test',
    clock: () => now,
    pool: 4,
    runsJobs: false,
    disableThrottle: true,
    loadCaller: () => (o, p) =>
      Promise.resolve<Caller>({
        ownerId: o,
        operatorId: p,
        name: 'limited',
        isOwner: true,
        permissions: new Set(),
        domain,
        canSeePersonalData: true,
      }),
  })
  const { database, sessions } = server.app
  const manager = defined(
    await database.reader('*').one<{ ownerId: Id; id: Id }>(sql`
      select owner_id, id from manager where login_code = 'demo'
    `),
  )
  ownerId = manager.ownerId
  token = await sessions.create(ownerId, manager.id, { ip: '10.0.0.1', agent: 'test' })
  await untilPlanned(database)
  insideRows = await readInsideRows()
  await readOutside()
  for (const c of reading) {
    answers.set(c, await ask(c, inputOf(c)))
  }
}, 400_000)

afterAll(async () => {
  await server?.close()
  await testDatabase?.drop()
})

const rowsOf = (e: Entity, condition: ReturnType<typeof sql>, columns: readonly string[]) =>
  server.app.database.reader('*').rows<Record<string, unknown>>(sql`
    select ${sql.join(columns.map(c => sql`${sql.ref(`t.${c}`)}::text as ${sql.id(c)}`))}
    from ${sql.table(e.table)} t
    where ${condition}
  `)

const ownTexts = (e: Entity): (readonly [string, Field])[] =>
  Object.entries<Field>(e.fields).filter(
    ([, f]) => !f.lookup && !f.derived && (f.kind === 'text' || f.target === 'room'),
  )

/** What tells one record from another: its title, its own searchable texts, and the room it is of. */
const nameColumns = (e: Entity): string[] =>
  ownTexts(e)
    .filter(([key, f]) => key === e.title || f.searchable || f.target === 'room')
    .map(([key]) => columnOf(key))

async function readInsideRows(): Promise<KnownRows> {
  const known = new Map(await readKnownRows(server.app.database, ownerId, project))
  for (const e of bounded()) {
    const key = e.key ? columnOf(e.key) : 'id'
    const [row] = await rowsOf(e, sql`${tenantFilter(e, { ownerId, domain })}`, ['id', key])
    if (row) {
      known.set(e.name, { id: parseId(row.id), key: e.key ? String(row[key]) : undefined })
    } else {
      known.delete(e.name)
    }
  }
  return known
}

async function readOutside(): Promise<void> {
  const insideNames = new Set<string>()
  for (const e of allEntities().filter(x => x.tenancy !== 'platform')) {
    const columns = ['id', ...ownTexts(e).map(([key]) => columnOf(key))]
    const isOne = e.tenancy === 'project' && isBounded(e)
    const inside = isOne ? sql`${tenantFilter(e, { ownerId, domain })}` : sql`t.owner_id = ${ownerId}`
    for (const { id: _id, ...names } of await rowsOf(e, inside, columns)) {
      Object.values(names).forEach(name => insideNames.add(String(name)))
    }
    if (!isOne) continue
    const outside = await rowsOf(e, outsideCondition(e, ownerId), ['id', ...nameColumns(e)])
    outsideIds.set(e.name, new Set(outside.map(row => String(row.id))))
    for (const { id: _id, ...names } of outside) {
      Object.values(names).forEach(name => {
        if (typeof name === 'string' && name.length > 3 && !/^[\d.]+$|^[a-z]+$/.test(name)) {
          outsideNames.add(name)
        }
      })
    }
  }
  insideNames.forEach(name => outsideNames.delete(name))
  wordsOfProduct.forEach(name => outsideNames.delete(name))
}

interface Answer {
  readonly envelope: Envelope | undefined
  /** Of a workbook its cells, else the body. */
  readonly text: string
}

async function ask(c: Call, input: unknown): Promise<Answer> {
  const r = encodeRequest(c, input, {})
  const answer = await server.http.inject({
    method: r.method,
    url: `/api/${r.path}${r.query ? `?${r.query}` : ''}`,
    headers: { token },
  })
  const type = String(answer.headers['content-type'] ?? '')
  if (type.includes('json')) return { envelope: answer.json<Envelope>(), text: answer.body }
  if (!type.includes('sheet')) return { envelope: undefined, text: '' }
  const { sheets } = await readXlsx(answer.rawPayload)
  return { envelope: undefined, text: JSON.stringify(sheets.map(s => s.rows)) }
}

const inputOf = (c: Call): unknown => {
  const input = exampleInput(c, { rows: insideRows, project, of: entityOf(c) }, 'needed')
  return isObject(input) && c.output.form === 'page' && c.input.fields.size ? { ...input, size: 2000 } : input
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  return isObject(value) ? Object.values(value).flatMap(strings) : []
}

function findLeaks(c: Call, { envelope, text }: Answer): string[] {
  if (!text) return []
  const names = [...new Set(strings(JSON.parse(text)))].filter(name => outsideNames.has(name))
  const outside = outsideIds.get(c.output.entity ?? '')
  const id = c.output.fields.id && wireNameOf('id', c.output.fields.id, c.output)
  const rows: readonly unknown[] = Array.isArray(envelope?.Data) ? envelope.Data : []
  const ids = rows.filter(row => isObject(row) && id && outside?.has(String(row[id])))
  return [
    ...(names.length ? [`${c.route} names ${names.slice(0, 5).join(', ')} (${names.length})`] : []),
    ...(ids.length ? [`${c.route} shows ${ids.length} of ${rows.length} rows of other buildings`] : []),
  ]
}

it('no answer holds rows or names of other buildings', async () => {
  const faults: string[] = []
  for (const c of reading.filter(x => !(x.route in showsOthers))) {
    faults.push(...findLeaks(c, defined(answers.get(c))))
  }
  expect(faults).toEqual([])
}, 240_000)

it('a filter by a record of another building finds nothing', async () => {
  const faults: string[] = []
  let tried = 0
  for (const c of reading.filter(x => x.output.form === 'page' || x.output.form === 'blob')) {
    for (const [key, f] of Object.entries<Field>(c.input.fields)) {
      const [id] = outsideIds.get(f.target ?? '') ?? []
      if (f.targetBy === 'key' || id === undefined) continue
      tried += 1
      const input = inputOf(c)
      const value = f.kind === 'list' ? [id] : parseId(id)
      const answer = await ask(c, { ...(isObject(input) ? input : {}), [key]: value })
      const rows = answer.envelope?.Data
      if (answer.envelope?.Code === resultCode.ok && Array.isArray(rows) && rows.length) {
        faults.push(`${c.route} answers ${rows.length} rows for ${key} of another building`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(10)
}, 240_000)

const refusals: readonly unknown[] = [resultCode.forbidden, resultCode.notFound]

/** A refusal is a refusal. */
const comparable = (c: Call, { envelope, text }: Answer): string =>
  refusals.includes(envelope?.Code) ? 'refused' : text.replaceAll(countsOthersIn[c.route] ?? /$^/g, '')

/** Own messages: one that comes in between, of a work that took long, is none of the other buildings'. */
const isOwnNotification = (c: Call): boolean => c.route.startsWith('GET Notification/')

async function loadLastNotification(): Promise<Id> {
  const found = await server.app.database
    .reader('*')
    .one<{ id: Id }>(sql`select coalesce(max(id), 0) as id from notification`)
  return defined(found).id
}

/** Asks for own messages; returns the last message at that time. */
async function askOwnNotifications(): Promise<Id> {
  for (;;) {
    const last = await loadLastNotification()
    for (const c of reading.filter(isOwnNotification)) {
      answers.set(c, await ask(c, inputOf(c)))
    }
    // Another that came in between may stand in some of the answers.
    if ((await loadLastNotification()) === last) return last
  }
}

it('no answer changes when the rows of other buildings go', async () => {
  const last = await askOwnNotifications()
  const conditions = bounded().map(e => [e, outsideCondition(e, ownerId)] as const)
  const deleted: { readonly e: Entity; readonly ids: readonly string[] }[] = []
  for (const [e, condition] of conditions) {
    deleted.push({ e, ids: (await rowsOf(e, condition, ['id'])).map(row => String(row.id)) })
  }
  await server.app.database.tx(ownerId, async tx => {
    for (const { e, ids } of deleted) {
      await tx.execute(sql`
        update ${sql.table(e.table)} set delete_tag = id where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
      `)
    }
    await tx.execute(sql`delete from notification where owner_id = ${ownerId} and id > ${last}`)
  })
  const faults: string[] = []
  const compared = reading.filter(x => !(x.route in countsOthers))
  for (const c of compared.toSorted((a, b) => Number(isOwnNotification(b)) - Number(isOwnNotification(a)))) {
    const [was, is] = [comparable(c, defined(answers.get(c))), comparable(c, await ask(c, inputOf(c)))]
    if (was !== is) {
      const at = [...was].findIndex((letter, i) => letter !== is[i])
      faults.push(
        `${c.route}: ${was.slice(Math.max(0, at - 60), at + 60)} / ${is.slice(Math.max(0, at - 60), at + 60)}`,
      )
    }
  }
  expect(faults).toEqual([])
}, 240_000)

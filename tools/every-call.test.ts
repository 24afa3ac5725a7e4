import { objectOf, objectsOf } from '#kit/contract/fixtures.ts'
import type { RawObject } from '#kit/contract/wire/members.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { mkdtempSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicAccess, methodOf, pathOf, routesOf, type Call, type Method } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import { resultCode, encodeRequest, wireNameOf, type Envelope, type Sender } from '#kit/contract/wire.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { openTestDatabase, createTestFolder, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { unrestrictedDomain, type Caller } from '#kit/server/scope.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden, goldenRoles } from '#db/golden/golden-data.ts'
import { seededRandom } from '#db/golden/random.ts'
import { untilPlanned } from './until-planned.ts'
import {
  findAnswerFaults,
  entityOf,
  exampleValue,
  exampleFields,
  exampleInput,
  readKnownRows,
  hasRecordId,
  type KnownRows,
} from './every-call/examples.ts'
import { hostileRequests, isRefusedByDecoding } from './every-call/hostile-requests.ts'

/**
 * Every declared call, known or yet to come, under the same questions: who asks, where, about whose records,
 * and with what.
 */
const all = await loadInstalledModules()
const calls = all.flatMap(m => [...m.contract.calls])
const modeOf = new Map(all.flatMap(m => m.server.handlers.map(h => [h.call, h.mode] as const)))
const [first, second] = golden.estates as readonly [string, string]

let testDatabase: TestDatabase
let server: Server
let ownRows: KnownRows
let otherProjectRows: KnownRows
let foreignRows: KnownRows
let ownerId: Id = 0
let foreignOwnerId: Id = 0
const tokens = new Map<string, string>()
const callers = new Map<string, Caller>()

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: mkdtempSync(`${createTestFolder()}/data-`),
    installed: all,
    version: 'test',
    pool: 4,
    runsJobs: false,
    disableThrottle: true,
    loadCaller: database => {
      const real = createCallerLoader(database)
      return async (o, p) => callers.get(`${o}:${p}`) ?? real(o, p)
    },
  })
  const { database, sessions } = server.app
  const people = await database
    .reader('*')
    .rows<{ ownerId: Id; id: Id; loginCode: string }>(sql`select owner_id, id, login_code from manager`)
  const personOf = (login: string) => defined(people.find(p => p.loginCode === login))
  ownerId = personOf(golden.first.owner).ownerId
  foreignOwnerId = personOf(golden.second.owner).ownerId
  const men: readonly (readonly [string, Id, Partial<Caller>])[] = [
    // Fixed whatever the calls do to their accounts.
    ['owner', personOf(golden.first.owner).id, { isOwner: true }],
    ['bare', asId(990_001), {}],
    [
      'estate',
      personOf(golden.first.estateOnly).id,
      { isOwner: true, domain: { all: false, projects: new Map([[first, null]]) } },
    ],
    [
      'house',
      personOf(golden.first.buildingOnly).id,
      { isOwner: true, domain: { all: false, projects: new Map([[first, new Set(['B1'])]]) } },
    ],
  ]
  for (const [name, operatorId, overrides] of men) {
    callers.set(`${ownerId}:${operatorId}`, {
      ownerId,
      operatorId,
      name,
      isOwner: false,
      permissions: new Set(),
      domain: unrestrictedDomain,
      canSeePersonalData: true,
      ...overrides,
    })
    tokens.set(name, await sessions.create(ownerId, operatorId, { ip: '10.0.0.1', agent: 'test' }))
  }
  for (const r of goldenRoles) {
    const { id } = personOf(golden.first.ofRole(r.key))
    const is = defined(await createCallerLoader(database)(ownerId, id))
    callers.set(`${ownerId}:${id}`, { ...is, name: r.key })
    tokens.set(r.key, await sessions.create(ownerId, id, { ip: '10.0.0.1', agent: 'test' }))
  }
  ownRows = await readKnownRows(database, ownerId, first)
  otherProjectRows = await readKnownRows(database, ownerId, second)
  foreignRows = await readKnownRows(database, foreignOwnerId, first)
  await untilPlanned(database)
})

afterAll(async () => {
  await server?.close()
  await testDatabase?.drop()
})

interface CallAnswer {
  status: number
  code: number
  text: string
  envelope: Envelope | undefined
}

async function inject(
  method: Method,
  url: string,
  token: string | undefined,
  body?: string,
  type = 'application/json',
): Promise<CallAnswer> {
  const r = await server.http.inject({
    method,
    url,
    headers: { ...(token ? { token } : {}), ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { payload: body }),
  })
  const json = String(r.headers['content-type'] ?? '').includes('json')
  const envelope = json ? r.json<Envelope>() : undefined
  return {
    status: r.statusCode,
    code: envelope ? Number(envelope.Code) : resultCode.ok,
    text: r.body.slice(0, 200),
    envelope,
  }
}

/** A token again when a call has ended it. */
async function tokenOf(login: string): Promise<string> {
  const t = defined(tokens.get(login))
  const { sessions } = server.app
  if (await sessions.find(t, true)) return t
  const [, operatorId] = defined([...callers.entries()].find(([, c]) => c.name === login))[0].split(':')
  const again = await sessions.create(ownerId, asId(Number(operatorId)), { ip: '10.0.0.1', agent: 'test' })
  tokens.set(login, again)
  return again
}

const multipart = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([k, v]) => `--x\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`)
    .join(
      '',
    )}--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n项目,名称\r\n1,2\r\n\r\n--x--\r\n`

async function callAs(
  c: Call,
  input: unknown,
  login: string | undefined,
  sender: Sender = {},
): Promise<CallAnswer> {
  const r = encodeRequest(c, input, sender)
  const token = login && (await tokenOf(login))
  if (c.upload && r.body !== undefined)
    return inject(
      r.method,
      `/api/${r.path}`,
      token,
      multipart(Object.fromEntries(new URLSearchParams(r.body))),
      'multipart/form-data; boundary=x',
    )
  return inject(
    r.method,
    `/api/${r.path}${r.query ? `?${r.query}` : ''}`,
    token,
    r.body,
    methodOf(c) === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
  )
}

const goodInput = (c: Call, which: 'all' | 'needed', rows = ownRows, project = first): unknown =>
  exampleInput(c, { rows, project, of: entityOf(c) }, which)

const isHandled = (s: CallAnswer): boolean => s.status < 500 && s.code !== resultCode.internalError

/** Reads what the other company has. Without a parameter: the many parts are planned once. */
async function createDigestStatement(): Promise<Statement<{ t: string; d: string }>> {
  const tables = await server.app.database.reader('*').rows<{ name: string }>(
    sql`
        select c.relname as name
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by 1
      `,
  )
  const parts = tables.map(
    t =>
      sql`
        select ${sql.lit(t.name)} as t,
          count(*)::text || md5(coalesce(string_agg(x::text, '|' order by x::text), '')) as d
        from ${sql.table(t.name)} x
        where owner_id = ${sql.lit(foreignOwnerId)}
      `,
  )
  return sql<{ t: string; d: string }>`${sql.join(parts, sql` union all `)}`
}

let digestStatement: Statement<{ t: string; d: string }> | undefined

/** What the other company has, table by table, to the letter. */
async function digest(): Promise<ReadonlyMap<string, string>> {
  digestStatement ??= await createDigestStatement()
  const rows = await server.app.database.reader('*').rows(digestStatement)
  return new Map(rows.map(({ t, d }) => [t, d]))
}

/** As the last question of every call left it: nothing else writes between two of them. */
let lastDigest: ReadonlyMap<string, string> | undefined

/** Asks of every call; whatever came of it, the other company is as it was. */
async function ofEvery(
  of: readonly Call[],
  findFaults: (c: Call) => Promise<readonly string[]>,
): Promise<void> {
  const faults: string[] = []
  const before = lastDigest ?? (await digest())
  for (const c of of) {
    faults.push(...(await findFaults(c)))
  }
  lastDigest = await digest()
  for (const [table, rows] of lastDigest) {
    if (rows !== before.get(table)) {
      faults.push(`the other company has changed: ${table}`)
    }
  }
  expect(faults).toEqual([])
}

const describeFailure = (c: Call, s: CallAnswer, why: string): string[] => [
  `${c.route} ${why}: ${s.status} ${s.text}`,
]

it('there are calls to ask of', () => expect(calls.length).toBeGreaterThan(100))

it('without a token: 401, and nothing else', () =>
  ofEvery(
    calls.filter(c => c.needs !== publicAccess),
    async c => {
      for (const login of [undefined, 'x'.repeat(43)]) {
        const r = encodeRequest(c, goodInput(c, 'needed'), {})
        const s = await inject(
          r.method,
          `/api/${r.path}?${r.query}`,
          login,
          r.body,
          'application/x-www-form-urlencoded',
        )
        if (s.status !== 401) return describeFailure(c, s, 'without a token')
      }
      return []
    },
  ))

it('without its permission: 10003, before anything is read', () =>
  ofEvery(
    calls.filter(c => typeof c.needs === 'object'),
    async c => {
      for (const input of [goodInput(c, 'needed'), undefined]) {
        const s = await callAs(c, input, 'bare')
        if (s.status !== 200 || s.code !== resultCode.forbidden)
          return describeFailure(c, s, 'without its permission')
      }
      return []
    },
  ))

it('outside the data domain: 10003, by the envelope and by what it is about', () =>
  ofEvery(
    calls.filter(c => modeOf.get(c) !== 'anonymous' && !c.upload),
    async c => {
      const s = await callAs(
        c,
        c.input.form === 'none' ? undefined : goodInput(c, 'needed', ownRows, first),
        'estate',
        {
          projectCode: second,
        },
      )
      // A project that the input itself names is the one that counts; it is asked for below.
      const named = Object.values(c.input.fields).some(f => f.dataDomain === 'project' && f.required)
      if (!named && s.code !== resultCode.forbidden && s.code !== resultCode.invalidInput)
        return describeFailure(c, s, 'in a foreign project')
      if (!named) return []
      const t = await callAs(c, goodInput(c, 'needed', otherProjectRows, second), 'estate')
      return t.code === resultCode.forbidden || t.code === resultCode.invalidInput
        ? []
        : describeFailure(c, t, 'about a foreign project')
    },
  ))

/** What is for several buildings, or for all of its project where it names none, is for each of them. */
const isForBuilding = (value: unknown, field: Field, building: string): boolean =>
  field.kind === 'list'
    ? !value || [value].flat().some(codes => String(codes).split(',').includes(building))
    : value === building

it('lists, trees and pages show only what is in the data domain', () =>
  ofEvery(
    calls.filter(c => methodOf(c) === 'GET' && (c.output.form === 'page' || c.output.form === 'many')),
    async c => {
      const { fields } = c.output
      const project = fields.projectCode && wireNameOf('projectCode', fields.projectCode, c.output)
      const of = Object.entries<Field>(fields).find(([, f]) => f.dataDomain === 'building')
      const building = of && wireNameOf(of[0], of[1], c.output)
      const rows = async (login: string): Promise<readonly RawObject[]> => {
        const s = await callAs(c, goodInput(c, 'needed'), login)
        return s.code === resultCode.ok && Array.isArray(s.envelope?.Data) ? objectsOf(s.envelope.Data) : []
      }
      const [asOwner, asEstate, asHouse] = [await rows('owner'), await rows('estate'), await rows('house')]
      callsWithRows.push(...asOwner.map(() => c.route))
      return [
        ...asEstate
          .filter(r => project && r[project] !== first)
          .map(
            r => `${c.route} shows ${JSON.stringify(r).slice(0, 100)} to a caller that has ${first} alone`,
          ),
        ...asHouse
          .filter(
            r => (project && r[project] !== first) || (building && !isForBuilding(r[building], of[1], 'B1')),
          )
          .map(r => `${c.route} shows ${JSON.stringify(r).slice(0, 100)} to a caller that has B1 alone`),
      ]
    },
  ))

const callsWithRows: string[] = []

it('about a record outside the data domain: 10003, and it stays as it is', () =>
  ofEvery(
    calls.filter(
      c =>
        modeOf.get(c) !== 'anonymous' &&
        hasRecordId(c) &&
        entityOf(c)?.tenancy === 'project' &&
        otherProjectRows.has(defined(entityOf(c)).name),
    ),
    async c => {
      const s = await callAs(
        c,
        { ...objectOf(goodInput(c, 'needed')), ...idsOf(c, otherProjectRows) },
        'estate',
      )
      const refusals: readonly number[] = [resultCode.forbidden, resultCode.invalidInput]
      return refusals.includes(s.code) ? [] : describeFailure(c, s, 'a record of a foreign project')
    },
  ))

it("about another company's record: as if it were not there", () =>
  ofEvery(
    calls.filter(
      c =>
        modeOf.get(c) !== 'anonymous' &&
        hasRecordId(c) &&
        entityOf(c) &&
        foreignRows.has(defined(entityOf(c)).name),
    ),
    async c => {
      const s = await callAs(c, { ...objectOf(goodInput(c, 'needed')), ...idsOf(c, foreignRows) }, 'owner')
      const never = await callAs(
        c,
        {
          ...objectOf(goodInput(c, 'needed')),
          ...idsOf(c, new Map([[defined(entityOf(c)).name, { id: asId(900_000_001) }]])),
        },
        'owner',
      )
      if (s.code === resultCode.ok && c.output.form !== 'page' && c.output.form !== 'many')
        return describeFailure(c, s, "another company's record")
      return s.code === never.code && s.envelope?.Message === never.envelope?.Message
        ? []
        : [`${c.route} tells another company's record from none: ${s.text} / ${never.text}`]
    },
  ))

const idsOf = (c: Call, rows: KnownRows): object => {
  const of = defined(entityOf(c))
  const at = { rows, project: first, of }
  return Object.fromEntries(
    (['id', 'ids'] as const)
      .filter(k => c.input.fields[k])
      .map(k => [k, exampleValue(k, defined(c.input.fields[k]), at)]),
  )
}

const answered = new Map<Call, number>()

it(
  'with an example of its input: its declared answer, or a refusal with a message',
  () =>
    ofEvery(calls, async c => {
      const faults: string[] = []
      for (const which of ['needed', 'all'] as const) {
        const s = await callAs(c, goodInput(c, which), c.needs === publicAccess ? undefined : 'owner', {
          projectCode: first,
        })
        if (!isHandled(s)) {
          faults.push(...describeFailure(c, s, `with ${which}`))
        } else if (s.envelope && s.code === resultCode.ok && s.status === 200) {
          faults.push(...findAnswerFaults(c, s.envelope))
        } else if (s.envelope && !s.envelope.Message) {
          faults.push(...describeFailure(c, s, 'refuses without a word'))
        }
        if (s.status === 200) {
          answered.set(c, Math.min(answered.get(c) ?? Infinity, s.code))
        }
      }
      return faults
    }),
  180_000,
)

it.each([
  ['GET estate/getestatelist', ['Manager', 'ManagerPhone', 'AlarmPhone']],
  ['GET room/get', ['MainOwnerName', 'PayerName', 'CompanyName']],
  ['GET Manager/GetManagerUser', ['Logincode']],
] as const)(
  '%s returns names only to callers without the permission to see the records (PERM-3)',
  async (route, names) => {
    const list = defined(calls.find(c => c.route === route))
    const valuesFor = async (login: string): Promise<unknown[]> => {
      const rows = objectsOf((await callAs(list, {}, login)).envelope?.Data)
      expect(rows.length).toBeGreaterThan(0)
      return rows.flatMap(row => names.map(name => row[name])).filter(Boolean)
    }
    expect((await valuesFor('owner')).length).toBeGreaterThan(0)
    expect(await valuesFor('bare')).toEqual([])
  },
)

it('and there was something to show', () => expect(new Set(callsWithRows).size).toBeGreaterThan(10))

it('most of what only reads answers its examples', () => {
  const reading = calls.filter(c => methodOf(c) === 'GET' && c.output.form !== 'blob')
  const fine = reading.filter(c => answered.get(c) === resultCode.ok)
  expect(
    fine.length / reading.length,
    reading
      .filter(c => !fine.includes(c))
      .map(c => c.route)
      .join(', '),
  ).toBeGreaterThan(0.6)
})

it.each(goldenRoles.map(r => [r.name, r.key] as const))(
  'as %s: what the role grants, and of the rest which right is missing and who grants it',
  (_, key) => {
    const is = defined([...callers.values()].find(c => c.name === key))
    return ofEvery(
      calls.filter(c => c.needs !== publicAccess),
      async c => {
        const right = typeof c.needs === 'object' ? c.needs : undefined
        const lacks = right !== undefined && !is.permissions.has(right.key)
        const s = await callAs(c, goodInput(c, 'needed'), key, { projectCode: first })
        const message = s.envelope?.Message ?? ''
        if (!isHandled(s)) return describeFailure(c, s, `as ${key}`)
        if (lacks)
          return s.code === resultCode.forbidden &&
            message.includes(`「${right.label}」`) &&
            message.includes('超级管理员')
            ? []
            : describeFailure(c, s, `lets ${key} do what the role does not grant`)
        if (right && s.code === resultCode.forbidden && message.includes(`「${right.label}」`))
          return describeFailure(c, s, `keeps ${key} from what the role grants`)
        return s.status === 200 && s.envelope && s.code === resultCode.ok
          ? findAnswerFaults(c, s.envelope)
          : []
      },
    )
  },
  60_000,
)

/** Nothing else must be stated than which records, and why. */
const isAboutRecordsAlone = (c: Call): boolean =>
  hasRecordId(c) &&
  Object.entries<Field>(c.input.fields).every(
    ([key, f]) => !f.required || ['id', 'ids', 'reason'].includes(key),
  )

it('by DELETE with ID or Ids alone: never refused for what the old wire cannot state (G-10)', () =>
  ofEvery(calls.filter(isAboutRecordsAlone), async c => {
    const paths = routesOf(c).flatMap(route => (/^DELETE (.+)/.exec(route) ?? []).slice(1))
    const queries = ['ID=900000001', 'Ids=900000001']
    const faults: string[] = []
    for (const url of paths.flatMap(path => queries.map(query => `/api/${path}?${query}`))) {
      const s = await inject('DELETE', url, await tokenOf('owner'))
      if (s.status !== 200 || s.code === resultCode.invalidInput) {
        faults.push(`DELETE ${url}: ${s.status} ${s.text}`)
      }
    }
    return faults
  }))

it('with hostile input: a refusal or a harmless answer, never a defect, and the other company untouched', () => {
  const roll = seededRandom(20261121)
  // What decoding refuses the server answers alike, by what is wrong with it: the first of each is sent.
  const refused = new Set<string>()
  return ofEvery(calls, async c => {
    const faults: string[] = []
    const base = c.input.form === 'one' ? encodeExample(c) : {}
    const path = `/api/${pathOf(c)}`
    for (const h of hostileRequests(c, base, roll)) {
      if (h.fault !== undefined && isRefusedByDecoding(c, h)) {
        if (refused.has(h.fault)) continue
        refused.add(h.fault)
      }
      const s = await inject(
        methodOf(c),
        `${path}${h.query === undefined ? '' : `?${h.query}`}`,
        c.needs === publicAccess ? undefined : await tokenOf('owner'),
        h.body === undefined ? undefined : typeof h.body === 'string' ? h.body : JSON.stringify(h.body),
      )
      if (!isHandled(s)) {
        faults.push(`${c.route} ${h.title}: ${s.status} ${s.text}`)
      }
    }
    return faults
  })
}, 180_000)

/** The example in its wire form, to make one member invalid. */
const encodeExample = (c: Call): RawObject => {
  const example = exampleFields(c.input.fields, { rows: ownRows, project: first, of: entityOf(c) }, 'needed')
  return objectOf(
    JSON.parse(defined(encodeRequest({ ...c, route: `PUT ${pathOf(c)}`, flat: false }, example, {}).body)),
  )
}

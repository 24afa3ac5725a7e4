import { mkdtempSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methodOf, publicAccess, type Call } from '#kit/contract/call.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { encodeRequest } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { allEntities } from '#kit/server/registry.ts'
import { unrestrictedDomain, type Caller } from '#kit/server/scope.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { golden } from '#db/golden/golden-data.ts'
import { entityOf, exampleInput, exampleValue, readKnownRows, type KnownRows } from './every-call/examples.ts'

/**
 * G-13 of every call that writes: whatever is named that is not there is not stored. Each reference of each
 * call, also in its lines, is asked once with a number of its own; at the end no record holds one of them.
 */
const installed = await loadInstalledModules()
const calls: readonly Call[] = installed
  .flatMap(m => [...m.contract.calls])
  .filter(c => !c.upload && c.needs !== publicAccess && methodOf(c) !== 'GET')
const [project] = golden.estates as readonly [string, ...string[]]

type Path = readonly string[]
const firstUnknown = 900_000_000_001
const unknownKey = (n: number): string => `ZZ${n}`

let testDatabase: TestDatabase
let server: Server
let token: string
let rows: KnownRows
let rowsOfOthers: KnownRows

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: mkdtempSync(`${createTestFolder()}/data-`),
    installed,
    version: 'test',
    pool: 4,
    runsJobs: false,
    disableThrottle: true,
    loadCaller: () => (ownerId, operatorId) =>
      Promise.resolve<Caller>({
        ownerId,
        operatorId,
        name: 'owner',
        isOwner: true,
        permissions: new Set(),
        domain: unrestrictedDomain,
        canSeePersonalData: true,
      }),
  })
  const { database, sessions } = server.app
  const accountOf = async (login: string): Promise<{ readonly ownerId: Id; readonly id: Id }> =>
    defined(
      await database.reader('*').one<{ ownerId: Id; id: Id }>(sql`
        select owner_id, id from manager where login_code = ${login}
      `),
    )
  const owner = await accountOf(golden.first.owner)
  token = await sessions.create(owner.ownerId, owner.id, { ip: '10.0.0.1', agent: 'test' })
  rows = await readKnownRows(database, owner.ownerId, project)
  rowsOfOthers = await readKnownRows(database, (await accountOf(golden.second.owner)).ownerId, undefined)
})

afterAll(async () => {
  await server?.close()
  await testDatabase?.drop()
})

const entityNamed = (name: string | undefined): Entity | undefined => allEntities().find(e => e.name === name)

const isReference = (f: Field): boolean => f.target !== undefined && f.dataDomain !== 'project'

/** Where the input of a call names records, with the way there. */
function referencePaths(fields: Fields, depth = 0): (readonly [Path, Field])[] {
  return Object.entries<Field>(fields)
    .filter(([, f]) => !f.derived)
    .flatMap(([key, f]): (readonly [Path, Field])[] => {
      if (isReference(f)) return [[[key], f]]
      if (depth > 2 || (f.kind !== 'lines' && f.kind !== 'part')) return []
      return referencePaths(nestedFieldsOf(f), depth + 1).map(([path, of]) => [[key, ...path], of])
    })
}

/** The input with this value at the end of the path; lines are changed in their first. */
function withValue(input: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(input)) return input.map((line, i) => (i ? line : withValue(line, [key, ...rest], value)))
  if (!isObject(input)) return input
  return { ...input, [key]: withValue(input[key], rest, value) }
}

const unknownValue = (f: Field, n: number): unknown => {
  const one = f.targetBy === 'key' ? unknownKey(n) : n
  return f.kind === 'list' ? [String(one)] : one
}

/** The call with all that it takes, with what it needs, as a new record and as the edit of one member. */
function inputsOf(c: Call, path: Path, value: unknown): unknown[] {
  const context = { rows, project, of: entityOf(c) }
  const [first = ''] = path
  const needed = exampleInput(c, context, 'needed')
  const field = c.input.fields[first]
  const neededWith =
    isObject(needed) && field ? { ...needed, [first]: exampleValue(first, field, context) } : needed
  const whole = exampleInput(c, context, 'all')
  const withoutId = isObject(whole)
    ? Object.fromEntries(Object.entries(whole).filter(([k]) => k !== 'id'))
    : whole
  const edit = isObject(whole) && field && 'id' in whole ? { id: whole.id, [first]: whole[first] } : whole
  return [whole, withoutId, neededWith, edit].map(input => withValue(input, path, value))
}

async function ask(c: Call, input: unknown): Promise<void> {
  const r = encodeRequest(c, input, { projectCode: project })
  await server.http.inject({
    method: r.method,
    url: `/api/${r.path}${r.query ? `?${r.query}` : ''}`,
    headers: {
      token,
      ...(r.body === undefined
        ? {}
        : {
            'content-type': methodOf(c) === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
          }),
    },
    ...(r.body === undefined ? {} : { payload: r.body }),
  })
}

/** The numbers that are in records, with those tables. */
async function storedUnknowns(): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const { table } of allEntities()) {
    const hits = await server.app.database.reader('*').rows<{ n: string }>(sql`
      select distinct (regexp_matches(x::text, '(9000000[0-9]{5})', 'g'))[1] as n from ${sql.table(table)} x
    `)
    hits.forEach(({ n }) => found.set(Number(n), table))
  }
  return found
}

/** Columns that hold the id of a record of another company, by the rows that they are in. */
async function storedForeign(): Promise<string[]> {
  const found: string[] = []
  for (const e of allEntities().filter(x => x.tenancy !== 'platform')) {
    for (const key of storedKeys(e)) {
      const field: Field = defined(e.fields[key])
      const target = field.kind === 'ref' && field.targetBy !== 'key' ? entityNamed(field.target) : undefined
      if (!target || target.tenancy === 'platform') continue
      const [hit] = await server.app.database.reader('*').rows(sql`
        select t.id
        from ${sql.table(e.table)} t
        join ${sql.table(target.table)} o on o.id = t.${sql.id(columnOf(key))} and o.owner_id <> t.owner_id
        limit 1
      `)
      if (hit) {
        found.push(`${e.name}.${key}`)
      }
    }
  }
  return found
}

it('stores no reference to a record of another company (G-13)', async () => {
  let count = 0
  for (const c of calls) {
    for (const [path, field] of referencePaths(c.input.fields)) {
      const id = rowsOfOthers.get(field.target ?? '')?.id
      if (id === undefined || field.targetBy === 'key') continue
      for (const input of inputsOf(c, path, field.kind === 'list' ? [String(id)] : id)) {
        await ask(c, input)
      }
      count += 1
    }
  }
  expect(count).toBeGreaterThan(50)
  expect(await storedForeign()).toEqual([])
}, 400_000)

it('stores no reference to a record that is not there (G-13)', async () => {
  const asked = new Map<number, string>()
  let next = firstUnknown
  for (const c of calls) {
    for (const [path, field] of referencePaths(c.input.fields)) {
      for (const input of inputsOf(c, path, unknownValue(field, next))) {
        await ask(c, input)
      }
      asked.set(next, `${c.route} ${path.join('.')}`)
      next += 1
    }
  }
  expect(asked.size).toBeGreaterThan(100)
  const faults = [...(await storedUnknowns())].map(([n, table]) => `${asked.get(n) ?? n} in ${table}`)
  expect(faults.toSorted()).toEqual([])
}, 400_000)

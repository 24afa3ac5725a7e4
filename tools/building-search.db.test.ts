import { mkdtempSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { encodeRequest, resultCode, type Envelope } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { createTestFolder, openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden } from '#db/golden/golden-data.ts'
import { entityOf, exampleInput, readKnownRows, type KnownRows } from './every-call/examples.ts'

/** Every list with a keyword box finds what is in a building by the building's name alone. */
const installed = await loadInstalledModules()
const project = golden.estates[0]
const lists: readonly Call[] = installed
  .flatMap(m => [...m.contract.calls])
  .filter(
    c => methodOf(c) === 'GET' && c.output.form === 'page' && c.input.fields.keyword?.label === '关键字',
  )

let testDatabase: TestDatabase
let server: Server
let token: string
let known: KnownRows
let projectName: string

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
    loadCaller: createCallerLoader,
  })
  const { database, sessions } = server.app
  const { ownerId, id } = defined(
    await database.reader('*').one<{ ownerId: Id; id: Id }>(sql`
      select owner_id, id from manager where login_code = ${golden.first.owner}
    `),
  )
  token = await sessions.create(ownerId, id, { ip: '10.0.0.1', agent: 'test' })
  const estate = await database
    .reader(ownerId)
    .one<{ name: string }>(
      sql`select name from estate where owner_id = ${ownerId} and project_code = ${project}`,
    )
  projectName = defined(estate).name
  known = await readKnownRows(database, ownerId, project)
}, 120_000)

afterAll(async () => {
  await server?.close()
  await testDatabase?.drop()
})

interface Row {
  readonly key: string
  readonly row: Readonly<Record<string, unknown>>
}

async function rowsOf(c: Call, keyword?: string): Promise<readonly Row[] | undefined> {
  const input = exampleInput(c, { rows: known, project, of: entityOf(c) }, 'needed')
  const paged = c.input.fields.size ? { size: 2000 } : {}
  const r = encodeRequest(
    c,
    { ...(isObject(input) ? input : {}), ...paged, ...(keyword ? { keyword } : {}) },
    {},
  )
  const response = await server.http.inject({
    method: r.method,
    url: `/api/${r.path}${r.query ? `?${r.query}` : ''}`,
    headers: { token, projectcode: project },
  })
  const { Code: code, Data: rows } = response.json<Envelope>()
  if (code !== resultCode.ok || !Array.isArray(rows)) return undefined
  return rows.filter(isObject).map(row => ({ key: String(row.ID ?? JSON.stringify(row)), row }))
}

/** A row of the building: by its code, or by the path of a room there. */
const isIn = ({ row }: Row, name: string, code: string): boolean =>
  Object.entries(row).some(
    ([key, value]) =>
      (key.toLowerCase() === 'buildcode' && value === code) ||
      (typeof value === 'string' && value.startsWith(`${name.replace('栋', '')}-`)),
  )

/** Of the lists that show what is in a building, those whose rows a spelling of its name does not find. */
async function findMissing(name: string, code: string, spellings: readonly string[]) {
  const faults: string[] = []
  let tried = 0
  for (const c of lists) {
    const inside = (await rowsOf(c))?.filter(row => isIn(row, name, code)) ?? []
    if (!inside.length) continue
    tried += 1
    for (const spelling of spellings) {
      const foundKeys = new Set((await rowsOf(c, spelling))?.map(row => row.key))
      const missing = inside.filter(row => !foundKeys.has(row.key))
      if (missing.length) {
        faults.push(`${c.route}: ${missing.length} of ${inside.length} missing by ${spelling}`)
      }
    }
  }
  return { faults, tried }
}

it.each([
  ['商业街', 'B3'],
  ['2栋', 'B2'],
])(
  'lists find what is in the building by its name, also half typed or behind its project: %s',
  async (name, code) => {
    const spellings = [name, `${name}-`, `${name} `, `${projectName} ${name}`, `${projectName}-${name}`]
    const { faults, tried } = await findMissing(name, code, spellings)
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(7)
  },
  240_000,
)

/** The path of a room that a row shows: 商业街-1-101. */
const pathIn = ({ row }: Row, building: string): string | undefined =>
  Object.values(row)
    .filter(value => typeof value === 'string')
    .find(value => value.startsWith(`${building}-`) && /^[^-、，\s]+(-[0-9a-z]+)+$/i.test(value))

it('lists find a room by its parts apart by spaces, and behind its project', async () => {
  const faults: string[] = []
  let tried = 0
  for (const c of lists) {
    const shown = (await rowsOf(c)) ?? []
    const path = shown.map(row => pathIn(row, '商业街') ?? pathIn(row, '2')).find(Boolean)
    if (path === undefined) continue
    tried += 1
    const expected = (await rowsOf(c, path)) ?? []
    for (const spelling of [path.replaceAll('-', ' '), `${projectName} ${path}`, `${path} `]) {
      const foundKeys = new Set((await rowsOf(c, spelling))?.map(row => row.key))
      const missing = expected.filter(row => !foundKeys.has(row.key))
      if (missing.length || !expected.length) {
        faults.push(`${c.route}: ${missing.length} of ${expected.length} missing by ${spelling}`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(7)
}, 240_000)

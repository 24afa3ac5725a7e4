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

/** Every list with a keyword box finds what lies in a building by the building's name alone. */
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
  const answer = await server.http.inject({
    method: r.method,
    url: `/api/${r.path}${r.query ? `?${r.query}` : ''}`,
    headers: { token, projectcode: project },
  })
  const { Code: code, Data: rows } = answer.json<Envelope>()
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

it.each([
  ['商业街', 'B3'],
  ['2栋', 'B2'],
])(
  'lists find what lies in the building by its name: %s',
  async (name, code) => {
    const faults: string[] = []
    let tried = 0
    for (const c of lists) {
      const inside = (await rowsOf(c))?.filter(row => isIn(row, name, code)) ?? []
      if (!inside.length) continue
      tried += 1
      const found = await rowsOf(c, name)
      const foundKeys = new Set(found?.map(row => row.key))
      const missing = inside.filter(row => !foundKeys.has(row.key))
      if (missing.length) {
        faults.push(`${c.route}: ${missing.length} of ${inside.length} missing`)
      }
    }
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(7)
  },
  240_000,
)

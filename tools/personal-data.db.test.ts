import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { readCompanyTables } from '#kit/server/company-data/catalogue.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import {
  declaredPersonalTables,
  erasureBlockers,
  isTransient,
  notPersonalColumns,
  personalTables,
  personKinds,
  retentionRules,
} from '#kit/server/personal-data/registry.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const installed = await loadInstalledModules()
const entities = installed.flatMap(m => m.contract.entities)
let testDatabase: TestDatabase
/** Every column of a company's table with its type, as `table.column`. */
let columns: Map<string, string>

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  const { migrate } = await import('#kit/server/postgres/migrate.ts')
  await migrate(testDatabase.url)
  const client = new pg.Client(testDatabase.url)
  await client.connect()
  columns = new Map(
    (await readCompanyTables(client)).flatMap(table =>
      table.columns.map(({ name, type }) => [`${table.name}.${name}`, type] as const),
    ),
  )
  await client.end()
})

afterAll(() => testDatabase?.drop())

/** What is called so holds something of a person, or may: a name, a way to reach one, a face, a free text. */
const personalName =
  /(^|_)(mobile|phone\d?|tel|email|mail|address|wechat|open_id|cert_no|id_card|birthday|nation|education|work_unit|photo|photos|face|head|head_image|signature|template|fingerprint|plate|ip|agent|contact_name|legal_person|(real|user|payer|owner|person|reporter|evaluator|visitor|operator|cashier|handler|registrar|dispatcher|apply|audit|confirm|close|open|reply|sharer|uploader|applicant|emergency|display|from|to|buyer)_name|remark|reason|content|body|note|reply|before|after|input|run_input|output|message|old_value|new_value|detail|answer)$/
const textType = /^(text|text\[\]|jsonb?|bytea)$/

const declaredColumns = (): Set<string> =>
  new Set([
    ...personalTables().flatMap(([name, table]) =>
      Object.keys(table.columns).map(column => `${name}.${column}`),
    ),
    ...notPersonalColumns(),
  ])

const isOfTransient = (column: string): boolean => {
  const table = declaredPersonalTables().get(column.slice(0, column.indexOf('.')))
  return table !== undefined && isTransient(table)
}

it('every field that is masked as a telephone or a document is declared by its module', () => {
  const declared = declaredColumns()
  const masked = entities.flatMap(entity =>
    storedKeys(entity).flatMap(key => {
      const kind = entity.fields[key]?.masked
      return kind === 'mobile' || kind === 'idCard' ? [`${entity.table}.${columnOf(key)}`] : []
    }),
  )
  expect(masked.length).toBeGreaterThan(15)
  expect(masked.filter(column => columns.has(column) && !declared.has(column))).toEqual([])
})

it('every column that is called like personal data is declared, or named as holding none', () => {
  const declared = declaredColumns()
  const undeclared = [...columns].filter(
    ([column, type]) =>
      textType.test(type) &&
      personalName.test(column.slice(column.indexOf('.') + 1)) &&
      !declared.has(column) &&
      !isOfTransient(column),
  )
  expect(undeclared.map(([column]) => column)).toEqual([])
})

it('what is declared exists, once, and everything that it names does', () => {
  const stored = [...columns.keys()]
  const tables = new Set(stored.map(column => column.slice(0, column.indexOf('.'))))
  expect([...declaredColumns()].filter(column => !columns.has(column))).toEqual([])
  expect([...declaredPersonalTables().keys()].filter(name => !tables.has(name))).toEqual([])
  const kinds = new Set(personKinds().map(kind => kind.entity))
  const rules = new Set(retentionRules().map(rule => rule.key))
  expect(rules.size).toBe(retentionRules().length)
  for (const [name, table] of personalTables()) {
    expect(
      Object.keys(table.people ?? {}).filter(kind => !kinds.has(kind)),
      name,
    ).toEqual([])
    expect(table.retention === undefined || rules.has(table.retention), name).toBe(true)
    const named = [...(table.ownBy ?? []), ...Object.values(table.searchText ?? {}).flat()]
    expect(
      named.filter(column => !columns.has(`${name}.${column}`)),
      name,
    ).toEqual([])
  }
  expect(
    erasureBlockers().flatMap(({ counts }) => Object.keys(counts).filter(kind => !kinds.has(kind))),
  ).toEqual([])
  for (const { key, steps, initial, min, max } of retentionRules()) {
    expect(min <= initial && initial <= max, key).toBe(true)
    for (const { table, clears } of steps) {
      const declared = personalTables().find(([name]) => name === table)?.[1]
      expect(declared, `${key}: ${table}`).toBeDefined()
      expect(
        (clears ?? []).filter(column => !(column in (declared?.columns ?? {}))),
        key,
      ).toEqual([])
    }
  }
})

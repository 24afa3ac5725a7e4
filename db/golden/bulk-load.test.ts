import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { keptIndexes, withoutIndexes } from './bulk-load.ts'

let testDatabase: TestDatabase
let store: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  store = openDatabase(testDatabase.url, { pool: 2, bulk: 1 })
})

afterAll(async () => {
  await store?.close()
  await testDatabase?.drop()
})

const indexes = async (): Promise<string[]> =>
  (
    await store
      .reader('*')
      .rows<{ def: string }>(
        sql`select indexdef as def from pg_indexes where schemaname = 'public' order by 1`,
      )
  ).map(i => i.def)

const named = (defs: readonly string[], name: string): boolean =>
  defs.some(d => d.includes(` ${name} on `) || d.includes(` ${name} ON `))

it('every index exists again afterwards; unique and queried indexes stay throughout', async () => {
  const before = await indexes()
  let meanwhile: string[] = []
  await withoutIndexes(store, async () => {
    meanwhile = await indexes()
  })
  expect(await indexes()).toEqual(before)
  for (const name of [...keptIndexes, 'bill_pkey', 'bill_relation_once', 'bill_overlap', 'room_pkey']) {
    expect([name, named(meanwhile, name)]).toEqual([name, true])
  }
  for (const name of ['bill_owed', 'bill_payer', 'pay_record_time', 'fc_summary_day']) {
    expect([name, named(before, name), named(meanwhile, name)]).toEqual([name, true, false])
  }
})

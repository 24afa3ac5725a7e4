import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, sql, type Store } from '#kit/server/db.ts'
import { freshDatabase, type FreshDatabase } from '#kit/server/ground/testing.ts'
import { asked, inBulk } from './bulk.ts'

let fresh: FreshDatabase
let store: Store

beforeAll(async () => {
  fresh = await freshDatabase()
  store = openStore(fresh.url, { pool: 2, bulk: 1 })
})

afterAll(async () => {
  await store?.close()
  await fresh?.drop()
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

it('every index is there again afterwards; meanwhile those that refuse or are asked stay', async () => {
  const before = await indexes()
  let meanwhile: string[] = []
  await inBulk(store, async () => {
    meanwhile = await indexes()
  })
  expect(await indexes()).toEqual(before)
  for (const name of [...asked, 'bill_pkey', 'bill_relation_once', 'bill_overlap', 'room_pkey']) {
    expect([name, named(meanwhile, name)]).toEqual([name, true])
  }
  for (const name of ['bill_owed', 'bill_payer', 'pay_record_time', 'fc_summary_day']) {
    expect([name, named(before, name), named(meanwhile, name)]).toEqual([name, true, false])
  }
})

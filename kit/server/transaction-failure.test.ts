import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRetriable } from './database-error.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  database = openDatabase(testDatabase.url, { pool: 2, bulk: 1 })
})

afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

it('the first failure is reported, even when a later statement of the same round trip fails earlier', async () => {
  const failure = await database
    .tx(1, async tx => {
      const early = tx.one(sql`select 1 / ${0}::int`)
      early.catch(() => {})
      await tx.one(sql`select 2`)
      await early
    })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: '22012' })
})

it('a failure that nobody awaited is reported when the transaction cannot be committed', async () => {
  await expect(
    database.tx(1, async tx => {
      tx.one(sql`select 1 / ${0}::int`).catch(() => {})
    }),
  ).rejects.toMatchObject({ code: '22012' })
})

it('a deadlock that is reported that way is retried', async () => {
  let tries = 0
  const work = database.tx(1, async tx => {
    tries++
    if (tries > 1) return 'done'
    const early = tx.execute(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
    early.catch(() => {})
    await tx.one(sql`select 2`)
    return 'never'
  })
  expect(await work.catch((error: unknown) => isRetriable(error))).toBe('done')
})

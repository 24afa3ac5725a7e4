import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRetriable } from './database-error.ts'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

let fresh: TestDatabase
let database: Database

beforeAll(async () => {
  fresh = await openTestDatabase({ from: 'nothing' })
  database = openDatabase(fresh.url, { pool: 2, bulk: 1 })
})

afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

it('what failed first is what is said, also when a later statement of the same trip is heard first', async () => {
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

it('a failure that nobody heard is told when the transaction cannot be committed', async () => {
  await expect(
    database.tx(1, async tx => {
      tx.one(sql`select 1 / ${0}::int`).catch(() => {})
    }),
  ).rejects.toMatchObject({ code: '22012' })
})

it('a deadlock heard that way is tried again', async () => {
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

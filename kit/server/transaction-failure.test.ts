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

it('what is deferred by a function is made once all work is done, and undoes it when it fails', async () => {
  await database.tx(1, tx => tx.execute(sql`create table deferred_word (words text)`))
  const words: string[] = []
  await database.tx(1, async tx => {
    tx.defer(() => sql`insert into deferred_word values (${words.join(' ')})`)
    words.push('early')
    await tx.one(sql`select 1`)
    words.push('late')
  })
  const failing = database.tx(1, async tx => {
    await tx.execute(sql`insert into deferred_word values ('undone')`)
    tx.defer(() => {
      throw new Error('no statement')
    })
  })
  await expect(failing).rejects.toThrow('no statement')
  // Over the connection that was given back: nothing of the failed transaction is open there.
  expect(await database.reader(1).rows(sql`select words from deferred_word`)).toEqual([
    { words: 'early late' },
  ])
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

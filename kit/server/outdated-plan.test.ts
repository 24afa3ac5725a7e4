import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

/** A migration changes the type of a column while a server holds statements that it prepared before. */

let testDatabase: TestDatabase
let database: Database
let migrating: pg.Client
let type = 'integer'

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  migrating = new pg.Client(testDatabase.url)
  await migrating.connect()
  await migrating.query('create table height (m integer); insert into height values (170)')
  database = openDatabase(testDatabase.url, { pool: 3, bulk: 1 })
})

afterAll(async () => {
  await migrating?.end()
  await database?.close()
  await testDatabase?.drop()
})

const read = () => database.reader(1).rows(sql`select m from height`)
const readInTransaction = () => database.tx(1, tx => tx.one(sql`select m from height`))
const together = <T>(run: () => Promise<T>): Promise<T[]> => Promise.all([run(), run(), run()])

/** On every connection of the pool. */
beforeEach(async () => {
  await together(read)
  await together(readInTransaction)
  type = type === 'integer' ? 'bigint' : 'integer'
  await migrating.query(`alter table height alter column m type ${type}`)
})

it('reads are answered, on each connection', async () => {
  expect(await together(read)).toEqual(Array.from({ length: 3 }, () => [{ m: 170 }]))
})

it('a transaction is run once more, on each connection', async () => {
  expect(await together(readInTransaction)).toEqual(Array.from({ length: 3 }, () => ({ m: 170 })))
})

it('other refusals of the kind are reported', async () => {
  await expect(database.tx(1, tx => tx.execute(sql`prepare transaction 'x'`))).rejects.toThrow()
})

import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, sql, type Database } from './db.ts'
import { addEntry, findEntry, forEachCompany, forEachDueCompany } from './directory.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  database = openDatabase(testDatabase.url, { pool: 2, bulk: 1 })
})

afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

const threeCompanies = sql<{ ownerId: Id }>`
  select n::int as owner_id from generate_series(7001, 7003) n order by n
`

it('gives each due company a transaction of its own: a failure undoes and stops no other', async () => {
  const seen: unknown[] = []
  await expect(
    forEachDueCompany(database, threeCompanies, async (tx, ownerId) => {
      seen.push([ownerId, tx.ownerId])
      await addEntry(tx, 'app_key', `key ${ownerId}`, { ownerId, refId: asId(1) })
      if (ownerId === 7002) throw new Error('the second fails')
    }),
  ).rejects.toThrow('the second fails')
  expect(seen).toEqual([
    [7001, 7001],
    [7002, 7002],
    [7003, 7003],
  ])
  const found = [7001, 7002, 7003].map(id => findEntry(database.reader('*'), 'app_key', `key ${id}`))
  expect((await Promise.all(found)).map(entry => entry?.ownerId)).toEqual([7001, undefined, 7003])
})

it('returns the results of all companies in order', async () => {
  expect(await forEachDueCompany(database, threeCompanies, async (_, ownerId) => ownerId * 2)).toEqual([
    14002, 14004, 14006,
  ])
})

it('throws all failures together, and stops between two companies on request', async () => {
  const fail = async (ownerId: Id): Promise<never> => {
    throw new Error(`failed for ${ownerId}`)
  }
  await expect(forEachCompany([asId(1), asId(2)], fail)).rejects.toMatchObject({
    message: 'work failed for 2 companies',
    errors: [{ message: 'failed for 1' }, { message: 'failed for 2' }],
  })
  const stop = new AbortController()
  const worked: number[] = []
  await expect(
    forEachCompany(
      [asId(1), asId(2), asId(3)],
      async ownerId => {
        worked.push(ownerId)
        if (ownerId === 2) {
          stop.abort(new Error('stopped'))
        }
      },
      stop.signal,
    ),
  ).rejects.toThrow('stopped')
  expect(worked).toEqual([1, 2])
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, sql, type Database } from './db.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { installationSecretOf, loadInstallationSecret } from './installation-secret.ts'

const size = 2
let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  database = openDatabase(testDatabase.url, { pool: size, bulk: 1 })
})

afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

it('is loaded within transactions that have every connection of the pool', async () => {
  let begun = 0
  let release = (): void => {}
  const allBegun = new Promise<void>(resolve => {
    release = resolve
  })
  const found = await Promise.all(
    Array.from({ length: size }, () =>
      database.tx(7001, async tx => {
        await tx.rows(sql`select 1 as x`)
        begun += 1
        if (begun === size) {
          release()
        }
        await allBegun
        return installationSecretOf(database, 'first use')
      }),
    ),
  )
  expect(new Set(found).size).toBe(1)
})

it('is the same for every process, and stays as it was created', async () => {
  const other = openDatabase(testDatabase.url, { pool: 1, bulk: 1 })
  try {
    const both = await Promise.all([
      loadInstallationSecret(database, 'shared'),
      loadInstallationSecret(other, 'shared'),
    ])
    expect(both[0]).toBe(both[1])
    expect(await loadInstallationSecret(database, 'shared', () => 'late')).toBe(both[0])
  } finally {
    await other.close()
  }
})

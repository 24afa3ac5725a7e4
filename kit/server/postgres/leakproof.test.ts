import pg from 'pg'
import { expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../fixtures/test-database.ts'
import { missingLeakproof } from './leakproof.ts'

async function missingIn(database: TestDatabase): Promise<string[]> {
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    return await missingLeakproof(client)
  } finally {
    await client.end()
    await database.drop()
  }
}

it('our own database searches by its index, for one that was made elsewhere the statements to run are logged', async () => {
  expect(await missingIn(await openTestDatabase())).toEqual([])
  // A copy of template0, as PostgreSQL is installed.
  expect(await missingIn(await openTestDatabase({ from: 'nothing' }))).toEqual([
    'alter function pg_catalog.textlike(text, text) leakproof;',
    'alter function pg_catalog.texticlike(text, text) leakproof;',
  ])
})

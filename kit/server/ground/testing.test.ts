import pg from 'pg'
import { expect, it } from 'vitest'
import { freshDatabase } from './testing.ts'

it('gives every caller a database of its own and takes it away with its users', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()])
  const client = new pg.Client(one.url)
  client.on('error', () => {})
  await client.connect()
  await client.query('create table only_here (id int)')
  const other = new pg.Client(two.url)
  await other.connect()
  expect((await other.query(`select to_regclass('only_here') as found`)).rows[0].found).toBeNull()
  // Both carry the migrated schema.
  expect(
    (await other.query('select count(*)::int as n from schema_migration')).rows[0].n,
  ).toBeGreaterThanOrEqual(0)
  await other.end()
  await Promise.all([one.drop(), two.drop()])
  await expect(client.query('select 1')).rejects.toThrow()
  await expect(new pg.Client(one.url).connect()).rejects.toThrow('does not exist')
})

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { migrate, MIGRATIONS, readMigrations } from '#kit/server/postgres/migrate.ts'

const migration = '20261128-2110-saved-view-filters.sql'
let database: TestDatabase
let client: pg.Client

const settings = (filter: object): string => JSON.stringify({ columns: {}, views: [{ id: 'own', filter }] })

beforeAll(async () => {
  database = await openTestDatabase({ from: 'nothing' })
  client = new pg.Client(database.url)
  await client.connect()
  const before = readMigrations(MIGRATIONS)
    .map(({ name }) => name)
    .filter(name => name < migration)
  await migrate(client, { upTo: new Set(before) })
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

it('views that people saved keep their conditions under the new keys of filters', async () => {
  await client.query(`begin; ${companyScopeSql('*')}`)
  for (const [key, value] of [
    ['list/fees/relations', settings({ live: true, priced: true })],
    ['list/meters', settings({ loose: true, meterNo: 'live' })],
    ['favourites', '{"live":true}'],
  ]) {
    const insert = 'insert into user_setup (owner_id, operator_id, key, value) values (1, 1, $1, $2)'
    await client.query(insert, [key, value])
  }
  await client.query('commit')
  await migrate(client)
  await client.query(`begin; ${companyScopeSql('*')}`)
  const { rows } = await client.query<{ value: string }>('select value::text from user_setup order by key')
  expect(rows.map(row => row.value)).toEqual([
    '{"live":true}',
    settings({ onlyCurrent: true, hasPriceOverride: true }),
    settings({ withoutStandard: true, meterNo: 'live' }),
  ])
})

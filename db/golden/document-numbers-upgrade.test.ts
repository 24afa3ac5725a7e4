import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Day } from '#kit/domain/day.ts'
import { openDatabase } from '#kit/server/db.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { MIGRATIONS, migrate, readMigrations } from '#kit/server/postgres/migrate.ts'

let testDatabase: TestDatabase
const upgrade = '20261123-0930-document-numbers.sql'

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'nothing' })
  const before = readMigrations(MIGRATIONS).filter(({ name }) => name < upgrade)
  await migrate(testDatabase.url, { upTo: new Set(before.map(({ name }) => name)) })
})

afterAll(() => testDatabase?.drop())

/** What the version before has numbered, today and long ago. */
async function leaveOldNumbers(): Promise<Day> {
  const client = new pg.Client(testDatabase.url)
  await client.connect()
  try {
    await client.query(`set app.owner_id = '*'`)
    const { rows } = await client.query<{ day: Day }>(`select current_date::text as day`)
    const { day } = defined(rows[0])
    const compact = day.replaceAll('-', '')
    await client.query(
      `insert into bill_counter (owner_id, prefix, day, last) values (1, 'ZD', $1, 42), (1, 'ZD', '2026-01-01', 7)`,
      [day],
    )
    await client.query(
      `insert into pay_order (
         owner_id, project_code, order_no, order_type, amount, order_obj, order_body, order_main, expire_time, state
       )
       values (1, 'P', $1, 10, 1, 'o', 'b', 'm', $2, 10), (1, 'P', 'DD001002', 10, 1, 'o', 'b', 'm', $2, 10)`,
      [`DD${compact}001234`, day],
    )
    return day
  } finally {
    await client.end()
  }
}

it('numbers go on behind those of the version before, whose servers still run for a while (G-14)', async () => {
  const day = await leaveOldNumbers()
  await migrate(testDatabase.url)
  const database = openDatabase(testDatabase.url, { pool: 1, bulk: 1 })
  try {
    const sequence = async (prefix: string, on: Day): Promise<number> =>
      Number((await database.numbers.next(asId(1), prefix, on)).slice(10))
    expect(await sequence('ZD', day)).toBe(100_043)
    expect(await sequence('DD', day)).toBe(101_235)
    expect(await sequence('ZD', '2026-01-01')).toBe(8)
    expect(await sequence('SK', day)).toBe(1)
  } finally {
    await database.close()
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { MIGRATIONS } from '#kit/server/postgres/migrate.ts'
import { splitStatements } from '#kit/server/postgres/sql-split.ts'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'

let client: pg.Client
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** In a transaction that sees all companies. */
async function withAll<T>(work: () => Promise<T>): Promise<T> {
  await client.query(`begin; ${companyScopeSql('*')}`)
  const result = await work()
  await client.query('commit')
  return result
}

/** Numbers of records as the database has them, after some of the first were given others. */
async function numbersAfter(table: string, records: readonly Readonly<Record<string, unknown>>[]) {
  const ids = await withAll(async () => {
    const { rows } = await client.query<{ id: string }>(
      `select id from ${table} where delete_tag = 0 order by id limit ${records.length}`,
    )
    for (const [i, record] of records.entries()) {
      const columns = Object.keys(record)
      const set = columns.map((column, at) => `${column} = $${at + 2}`).join(', ')
      const values = [defined(rows[i]).id, ...Object.values(record)]
      await client.query(`update ${table} set ${set} where id = $1`, values)
    }
    return rows.map(({ id }) => id)
  })
  for (const statement of splitStatements(
    readFileSync(join(MIGRATIONS, '20261129-1920-codes-of-old-records.sql'), 'utf8'),
  )) {
    await client.query(statement)
  }
  return withAll(async () => {
    const { rows } = await client.query<{ no: string }>(
      `select card_no as no from ${table} where id = any($1::bigint[]) order by id`,
      [ids],
    )
    return rows.map(({ no }) => no)
  })
}

it('old records of doors keep what the screen shows of a code, and the numbers of cards (ACS-1)', async () => {
  const card = { open_method: 1, person_kind: 10 }
  const numbers = await numbersAfter('access_record', [
    { ...card, card_no: '76693219', item_key: 'qr:76693219' },
    { ...card, card_no: '9127642031205858', item_key: 'pass:9127642031205858' },
    { ...card, card_no: '76693219', item_key: 'card:76693219' },
    { ...card, card_no: '76693219', item_key: 'card:76693219', person_kind: 90 },
    { ...card, card_no: 'A1B2C3', item_key: 'card:A1B2C3', person_kind: 90 },
    { ...card, card_no: '1234', item_key: null, open_method: 4 },
    { ...card, card_no: '******19', item_key: 'qr:76693219' },
  ])
  const masked = ['******19', '**************58']
  expect(numbers).toEqual([...masked, '76693219', '******19', 'A1B2C3', '**', '******19'])
})

it('old calls of lifts, too: a code that is known, or may be one of somebody unknown', async () => {
  const code = '90817263'
  await withAll(() =>
    client.query(
      `update invite_visitor v
      set invite_no = $1
      where v.id = (select max(o.id) from invite_visitor o where o.owner_id = (select min(owner_id) from elevator_call))`,
      [code],
    ),
  )
  const of = { method: 1, user_id: 1, staff_id: null }
  const numbers = await numbersAfter('elevator_call', [
    { ...of, card_no: code },
    { ...of, card_no: '10203040' },
    { ...of, card_no: '10203040', user_id: null },
    { ...of, card_no: 'C0FFEE' },
  ])
  const masked = `******${code.slice(-2)}`
  expect(numbers).toEqual([masked, '10203040', '******40', 'C0FFEE'])
})

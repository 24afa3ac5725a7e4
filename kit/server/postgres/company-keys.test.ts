import { asId, type Id } from '#kit/domain/id.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companyScopeSql } from '../company-scope.ts'
import { openTestDatabase, type TestDatabase } from '../fixtures/test-database.ts'
import { migrate, MIGRATIONS, readMigrations } from './migrate.ts'

const MIGRATION = '20261122-2000-company-keys.sql'
let database: TestDatabase
let client: pg.Client

const rows = async (text: string): Promise<unknown[]> => (await client.query({ text, rowMode: 'array' })).rows

const asCompany = async (ownerId: Id | '*', text: string): Promise<unknown[]> => {
  await client.query(`begin; ${companyScopeSql(ownerId)}`)
  const found = await rows(text)
  await client.query('commit')
  return found
}

/** Two companies as the migrations before this one left them, with a split bill and a bound relation. */
const content = `
  insert into property (owner_id, id, company_name, edition, idle_minutes, state, app_key)
    values (1, 1, '甲', 30, 30, 10, 'AK1'), (2, 2, '乙', 30, 30, 10, null);
  insert into manager (owner_id, id, login_code, real_name, manager_type, state, delete_tag)
    values (1, 1, 'Boss', '王', 10, 10, 0), (2, 2, 'other', '李', 10, 10, 0), (2, 3, 'gone', '赵', 20, 20, 1);
  insert into session_token (owner_id, id, operator_id, hash, expire_time)
    values (1, 7, 1, '\\x0aff', '2030-01-01'), (2, 8, 2, '\\x0b', '2030-01-01');
  insert into resident_wechat_ticket (owner_id, uuid, resident_id, state, create_by, create_time, expire_time)
    values (2, 'u', 5, 10, 2, '2026-01-01', '2026-01-02');
  insert into fee_item (owner_id, id, code, name, fee_type, category, income_kind, bill_mode, scene, state)
    values (1, 1, 'F', '物业费', 10, 10, 1, 1, 2, 10);
`

beforeAll(async () => {
  database = await openTestDatabase({ from: 'nothing' })
  client = new pg.Client(database.url)
  await client.connect()
  const before = readMigrations(MIGRATIONS)
    .map(each => each.name)
    .filter(name => name < MIGRATION)
  await migrate(client, { upTo: new Set(before) })
  await client.query(`begin; ${companyScopeSql('*')}`)
  await client.query(content)
  const bill = (id: Id, root: number | null, day: string) => `
    insert into bill (
      owner_id, id, run_root, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
      fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source
    )
    values (
      1, ${id}, ${root}, 'P', 'N${id}', 10, 'R', 'R', 1, '物业费', 10, '2026-01-01', '${day}', '2026-01', 1,
      '2026-02-01', 20, 10
    )`
  await client.query(bill(asId(11), null, '2026-01-31').replace('20, 10\n    )', '30, 10\n    )'))
  await client.query(bill(asId(12), 11, '2026-01-15'))
  await client.query(bill(asId(13), 11, '2026-01-31'))
  await client.query('commit')
  await migrate(client)
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

it('fills the directory from what is there, without accounts in the bin', async () => {
  expect(await rows('select kind, key, owner_id::int, ref_id::int from directory order by 1, 2')).toEqual([
    ['app_key', 'AK1', 1, 1],
    ['company', '1', 1, 1],
    ['company', '2', 2, 2],
    ['login', 'boss', 1, 1],
    ['login', 'other', 2, 2],
    ['resident_wechat', 'u', 2, 5],
    ['session', '0aff', 1, 7],
    ['session', '0b', 2, 8],
  ])
})

it('keeps the root of split bills, and a new bill is its own', async () => {
  const roots = 'select id::int, run_root::int from bill order by id'
  expect(await asCompany(asId(1), roots)).toEqual([
    [11, 11],
    [12, 11],
    [13, 11],
  ])
})

it('shows a company its rows, the installation all, and nobody any without a setting', async () => {
  const names = 'select company_name from property order by id'
  expect(await asCompany(asId(1), names)).toEqual([['甲']])
  expect(await asCompany('*', names)).toEqual([['甲'], ['乙']])
  expect(await asCompany(asId(3), names)).toEqual([])
  expect(await rows(names)).toEqual([])
})

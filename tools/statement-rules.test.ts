import { expect, it } from 'vitest'
import { parse } from 'libpg-query'
import { describeOffences, findOffences } from './statement-lint.ts'
import { checkStatement, type Tables } from './statement-rules.ts'

const tables: Tables = { company: new Set(['bill', 'room', 'bill_month']), local: new Set(['directory']) }

const check = async (sql: string, allCompanies = false): Promise<string[]> =>
  checkStatement(await parse(sql), tables, allCompanies).map(o => `${o.rule} ${o.subject}`)

it('rule 2: every table of a statement has the company as a value, in sub-selects, CTEs and unions too', async () => {
  const filtered = [
    'select * from bill where owner_id = $1',
    'select * from bill b join room r on r.owner_id = $1 and r.id = b.room_id where b.owner_id = $2::bigint',
    'with b as (select * from bill where owner_id = 7) select * from b',
    'update bill b set amount = r.x from unnest($1::int[]) as r(x) where b.owner_id = $2',
    'select 1 from bill where owner_id = $1 union select 1 from room where $1 = owner_id',
    'insert into bill (owner_id, id) values ($1, $2)',
  ]
  for (const sql of filtered) {
    expect(await check(sql), sql).toEqual([])
  }
  expect(await check('select * from bill')).toEqual(['2 bill'])
  expect(
    await check('select * from bill b join room r on r.owner_id = b.owner_id where b.owner_id = $1'),
  ).toEqual(['2 room'])
  expect(
    await check(
      'select * from bill where owner_id = $1 and exists (select from room r where r.owner_id = bill.owner_id)',
    ),
  ).toEqual(['2 room'])
  expect(await check('select * from bill where owner_id = $1 or id = 3')).toEqual(['2 bill'])
  expect(await check('select 1 from bill where owner_id = $1 union select 1 from room')).toEqual(['2 room'])
  expect(await check('delete from bill using room r where r.owner_id = $1')).toEqual(['2 bill'])
})

it('rule 9: a number is drawn after a join, not beside it', async () => {
  const join = 'bill b join room r on r.owner_id = $1 and r.id = b.room_id where b.owner_id = $1'
  expect(await check(`select next_code('R'), r.id from ${join}`)).toEqual(['9 next_code'])
  expect(
    await check(`with x as materialized (select r.id from ${join}) select next_code('R'), x.id from x`),
  ).toEqual([])
  expect(await check(`select next_code('R'), id from bill where owner_id = $1`)).toEqual([])
})

it('rule 4: nothing but the one function sets the scope', async () => {
  expect(await check(`select set_config('app.owner_id', '1', true)`)).toEqual(['4 set_config'])
  expect(await check(`select set_config('lock_timeout', '4s', true)`)).toEqual([])
})

it('rule 5: insert … select ends in returning, also in a CTE; do update computes nothing unstable', async () => {
  expect(await check('insert into bill (owner_id) select $1::bigint from unnest($2::int[])')).toEqual([
    '5 bill',
  ])
  expect(
    await check('insert into bill (owner_id) select $1::bigint from unnest($2::int[]) returning id'),
  ).toEqual([])
  expect(
    await check(
      'with x as (insert into bill (owner_id) select 1 returning id) insert into room (owner_id) select id from x',
    ),
  ).toEqual(['5 room'])
  const conflict = 'insert into bill (owner_id) values ($1) on conflict (owner_id) do update set amount = '
  expect(await check(`${conflict}excluded.amount`)).toEqual([])
  expect(await check(`${conflict}(select 1)`)).toEqual(['5 bill do update'])
})

it('rule 6: writes have the time, ids and spans as values, reads the day', async () => {
  expect(await check('update bill set t = now() where owner_id = $1')).toEqual(['6 now'])
  expect(await check(`update bill set t = t + interval '1 day' where owner_id = $1`)).toEqual(['6 interval'])
  expect(await check('update bill set t = current_date where owner_id = $1')).toEqual(['6 current_date'])
  expect(await check('select now() from bill where owner_id = $1')).toEqual([])
  expect(await check('select id from bill where owner_id = $1 and t < current_date')).toEqual([
    '6 current_date',
  ])
  expect(await check('select current_date')).toEqual([])
})

it('rule 7: what stays on one node is not joined with what is spread', async () => {
  expect(
    await check('select * from bill b join directory d on d.ref_id = b.id where b.owner_id = $1'),
  ).toEqual(['7 directory'])
  expect(await check('select * from directory')).toEqual([])
})

it('rule 8: over all companies nothing but a list is read', async () => {
  expect(await check('select distinct owner_id from bill where state = 10', true)).toEqual([])
  expect(await check('select id from bill for update skip locked', true)).toEqual(['8 bill'])
  expect(await check('update bill set state = 20 where id = $1', true)).toEqual(['8 bill'])
})

it('reports an offence of the product with its file and line', async () => {
  const found = await findOffences(
    [
      {
        sql: 'select * from bill',
        parameters: [],
        sentFrom: 'modules/bills/server/a.ts:12',
        allCompanies: false,
      },
      {
        sql: 'select * from room',
        parameters: [],
        sentFrom: 'modules/bills/server/a.test.ts:3',
        allCompanies: false,
      },
    ],
    tables,
  )
  expect(found.map(f => `${f.at} ${f.key}`)).toEqual([
    'modules/bills/server/a.ts:12 2 modules/bills/server/a.ts bill',
  ])
  expect(describeOffences(found)).toBe(
    'modules/bills/server/a.ts:12: rule 2 modules/bills/server/a.ts bill\n    select * from bill',
  )
  expect(describeOffences([])).toBe('')
})

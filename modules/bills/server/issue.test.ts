import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { Snapshot } from '#modules/fees/server/public.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { seedFee, testScope } from './generate.fixtures.ts'
import { settleStatements, issueBills, type BillDraft } from './issue.ts'

let t: GoldenApp
let ownerId: Id = 0

beforeAll(async () => {
  t = await openGoldenApp()
  ownerId = t.ownerId
})

afterAll(() => t?.close())

it('what a bill says is written as it is, whatever it says', async () => {
  const names = ['A座"一"层', 'C:\\房\\', '{甲,乙}', 'NULL', '', "O'x\n二", '1栋 , 2']
  const parts = (name: string): Snapshot => ({
    type: 'area',
    parts: [
      {
        begin: '2026-09-01',
        end: '2026-09-30',
        version: asId(1),
        formula: name,
        values: { [name]: `"${name}\\"` },
      },
    ],
    exact: '1',
    rounding: { type: 'halfUp', unit: 'fen' },
    amount: asFen(100),
  })
  const made = await t.database.tx(ownerId, async tx => {
    const { itemId } = await seedFee(tx, testScope(ownerId), 'GOLD0001')
    const item = { id: itemId, name: '测试"项目"', feeType: 'cyclic', allowMulti: true } as const
    const bills = names.map((name, i): BillDraft => ({
      billNo: `N${i}`,
      sourceType: 'room',
      sourceCode: `X${i}`,
      sourceName: name,
      item,
      begin: '2026-09-01',
      end: '2026-10-31',
      amount: asFen(100 + i),
      dueDate: '2026-10-30',
      ...(i === 4 ? {} : { snapshot: parts(name) }),
      ...(i % 2 ? { remark: name } : {}),
    }))
    const ids = await issueBills(
      tx,
      testScope(ownerId),
      { project: 'GOLD0001', batchNo: 'PC1', source: 'imported', state: 'normal' },
      bills,
      new Map(),
    )
    expect([...ids.keys()]).toEqual(bills.map(b => b.billNo))
    return tx.rows<{
      no: string
      name: string
      snapshot?: Snapshot
      remark?: string
      item: string
      sum: string
      months: number
      payer?: string
    }>(sql`
      select bill_no as no,
        source_name as name,
        calc_snapshot as snapshot,
        remark,
        fee_item_name as item,
        payer_name as payer,
        (
          select sum(receivable)::text from bill_month m where m.owner_id = b.owner_id and m.bill_id = b.id
        ) as sum,
        (
          select count(*)::int from bill_month m where m.owner_id = b.owner_id and m.bill_id = b.id
        ) as months
      from bill b
      where owner_id = ${ownerId} and id = any(${[...ids.values()]})
      order by bill_no
    `)
  })
  expect(made.map(m => m.name)).toEqual(names)
  expect(made.map(m => m.snapshot)).toEqual(names.map((n, i) => (i === 4 ? undefined : parts(n))))
  expect(made.map(m => m.remark)).toEqual(names.map((n, i) => (i % 2 ? n : undefined)))
  expect(made.map(m => [m.item, m.payer, m.sum, m.months])).toEqual(
    names.map((_, i) => ['测试"项目"', undefined, ((100 + i) / 100).toFixed(2), 2]),
  )
})

it('of statements that fail together the cause is reported, not the aborted transaction', async () => {
  const failure = await t.database
    .tx(ownerId, tx =>
      settleStatements([tx.rows(sql`select 1`), tx.execute(sql`select 1 / 0`), tx.execute(sql`select 1`)]),
    )
    .catch((e: unknown) => e)
  expect(failure).toMatchObject({ code: '22012' })
  await expect(
    t.database.tx(ownerId, tx =>
      settleStatements([tx.one<{ n: number }>(sql`select 1 as n`), tx.execute(sql`select 1`)]),
    ),
  ).resolves.toEqual([{ n: 1 }, 1])
})

import { defined } from '#kit/domain/defined.ts'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { CellValue } from '#kit/server/workbook/column.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { previewHandover } from '../contract/day-close.ts'
import { importHistory } from '../contract/import-export.ts'

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let item = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  item = await t.addFeeItem('PAST', { name: '历史物业费', multi: true })
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
        fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
        run_split_root
      )
      select ${ownerId}::bigint, 'GOLD0001', 'H' || n, 10, 'H1', '9-1-101', '赵六', ${item}::bigint, '历史物业费',
        10, make_date(2025, n, 1), (make_date(2025, n, 1) + interval '1 month' - interval '1 day')::date,
        '2025-0' || n, 281.15, '2025-12-31', 20, 10, null
      from generate_series(1, 3) n
    `),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into day_close (owner_id, project_code, day, closed)
        values (${ownerId}, 'GOLD0001', '2025-04-02', true)
      `,
    ),
  )
})

afterAll(() => t?.close())

const importRows = async (rows: readonly (readonly CellValue[])[]): Promise<string> => {
  const path = join(t.dir, `past-${rows.length}.xlsx`)
  const out = createWriteStream(path)
  await writeWorkbook(
    importHistory.schema.columns.map(c => ({ heading: c.heading })),
    [rows],
    out,
  )
  return path
}

const historyRow = (month: number, amount: number, day = '2025-04-02', name = '9-1-101') => [
  name,
  '历史物业费',
  `2025-0${month}-01`,
  `2025-0${month}-${[31, 28, 31][month - 1]}`,
  amount,
  '现金',
  day,
  '',
  '',
]

it('C27-8: lines of one object and day that pay a deposit and a fee become two records, each of its kind', async () => {
  const deposit = await t.addFeeItem('PASTYAJIN', {
    name: '历史装修押金',
    feeType: 'deposit',
    multi: true,
    inRate: false,
  })
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
        fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
        run_split_root
      )
      select ${ownerId}::bigint, 'GOLD0001', 'HD' || n, 10, 'H2', '9-1-102', '钱七',
        case when n = 1 then ${item}::bigint else ${deposit}::bigint end,
        case when n = 1 then '历史物业费' else '历史装修押金' end, case when n = 1 then 10 else 40 end,
        '2025-01-01', '2025-01-31', '2025-01', 281.15, '2025-12-31', 20, 10, null
      from generate_series(1, 2) n
    `),
  )
  const line = (feeItem: string): readonly CellValue[] =>
    historyRow(1, 281.15, '2025-04-02', '9-1-102').with(1, feeItem)
  const file = await readFile(await importRows([line('历史物业费'), line('历史装修押金')]))
  const checked = await t.call(importHistory.post, project, { ...me, upload: t.upload('历史.xlsx', file) })
  expect(checked).toMatchObject({ good: 2, errorCount: 0 })
  const { taskId } = await t.call(
    importHistory.post,
    { ...project, importId: checked.importId, mode: 'skip' },
    me,
  )
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ state: 30, success: 2, fail: 0 })
  expect(
    await t.database.reader(ownerId).rows(sql`
      select r.record_type, r.received_amount::text as paid, r.is_history, d.fee_item_name
      from pay_record r
      join pay_detail d on d.owner_id = ${ownerId} and d.record_id = r.id
      where r.owner_id = ${ownerId} and r.source_name = '9-1-102'
      order by r.record_type
    `),
  ).toEqual([
    { recordType: 10, paid: '281.15', isHistory: true, feeItemName: '历史物业费' },
    { recordType: 40, paid: '281.15', isHistory: true, feeItemName: '历史装修押金' },
  ])
})

it('PAY-22: matches bills by object, item and period; a closed day takes history; cash reports leave it out; faults by line', async () => {
  const bad = await t.call(importHistory.post, project, {
    ...me,
    upload: t.upload(
      '历史.xlsx',
      await readFile(
        await importRows([
          historyRow(1, 281.15),
          historyRow(2, 300),
          historyRow(3, 281.15, '2027-01-01'),
          historyRow(3, 1, '2025-04-02', '9-9-999'),
        ]),
      ),
    ),
  })
  expect(bad).toMatchObject({ rows: 4, good: 1 })
  expect(defined(bad.errors).map(e => [e.line, e.column?.replace('*', ''), e.message])).toEqual([
    [3, '缴费金额', '超过账单未收的 281.15 元'],
    [4, '缴费日期', '缴费日期不能晚于今天'],
    [5, '收费项目', '没有该对象、项目和账期的账单'],
  ])
  // IMP-3: the cell as it was typed, in yuan, not as it is kept.
  expect(defined(bad.errors).map(e => e.value)).toEqual(['300', '2027-01-01', '历史物业费'])
  const before = await t.call(previewHandover, project, me)
  const good = await t.call(importHistory.post, project, {
    ...me,
    upload: t.upload(
      '历史.xlsx',
      await readFile(await importRows([historyRow(1, 281.15), historyRow(2, 281.15), historyRow(3, 100)])),
    ),
  })
  expect(good).toMatchObject({ good: 3, errorCount: 0 })
  const { taskId } = await t.call(
    importHistory.post,
    { ...project, importId: good.importId, mode: 'skip' },
    me,
  )
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ state: 30, success: 3, fail: 0 })
  expect(
    await t.database.reader(ownerId).rows(
      sql`
          select principal_amount::text as paid, pay_day, is_history, payer_name
          from pay_record
          where source_name = '9-1-101'
        `,
    ),
  ).toEqual([{ paid: '662.30', payDay: '2025-04-02', isHistory: true, payerName: '赵六' }])
  expect(
    (
      await t.database
        .reader(ownerId)
        .rows<{ left: string }>(
          sql`select unpaid_principal::text as left from bill where source_code = 'H1' order by begin_date`,
        )
    ).map(b => b.left),
  ).toEqual(['0.00', '0.00', '181.15'])
  expect(await t.call(previewHandover, project, me)).toMatchObject({
    count: before.count,
    cashAmount: before.cashAmount,
  })
})

import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { unpaidBills } from '#modules/fee-reports/contract/receivable.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { menu } from '../module.ts'
import { exportDebtors, listDebtors } from '../contract/debtor.ts'
import { getBillSummary } from '../contract/list.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'

let t: GoldenApp
let me: CallOptions
const project = { projectCode: 'GOLD0001' }

/** Of today, 2026-11-21: due tomorrow, today, and so many days ago. */
const dueDays = [
  '2026-11-22',
  '2026-11-21',
  '2026-11-20',
  '2026-10-22',
  '2026-10-21',
  '2026-08-23',
  '2026-08-22',
]

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  const ownerId = t.ownerId
  await t.database.tx(ownerId, async tx => {
    const item = await seedFeeItem(tx, ownerId, 'DEBT')
    const first: SeededBill = { source: 'R1', name: '1-1-101', build: 'B1', payer: 1, payerName: '甲' }
    await seedBillRows(tx, ownerId, item, [
      ...dueDays.map((due, i) => ({
        ...first,
        due,
        begin: `2024-0${i + 1}-01`,
        end: `2024-0${i + 1}-28`,
        amount: asFen(100 * 2 ** i),
      })),
      { ...first, source: 'R2', name: '1-1-102', due: '2026-11-20', amount: asFen(1_000_000) },
      { source: 'R3', name: '2-1-101', build: 'B2', due: '2026-01-01', amount: asFen(5_000) },
      { source: 'R4', name: '2-1-102', build: 'B2', due: '2026-01-01', amount: asFen(7_000) },
      { ...first, due: '2026-01-01', begin: '2023-01-01', end: '2023-01-31', state: 30 },
      {
        ...first,
        due: '2026-01-01',
        begin: '2023-02-01',
        end: '2023-02-28',
        amount: asFen(900),
        paid: asFen(900),
      },
    ])
  })
})

afterAll(() => t?.close())

it('AGE-1: what a payer owes by age, over all rooms; bills without a payer by their object', async () => {
  const { rows, total, sum } = await t.call(listDebtors, project, me)
  expect(total).toBe(3)
  expect(rows.map(d => [d.payerName, d.sourceNames, d.unpaid])).toEqual([
    ['甲', '1-1-101、1-1-102', asFen(1_012_700)],
    [undefined, '2-1-102', asFen(7_000)],
    [undefined, '2-1-101', asFen(5_000)],
  ])
  // 22nd and 21st are not due; one day and thirty; thirty-one; ninety; ninety-one days.
  expect(rows[0]).toMatchObject({
    billCount: 8,
    notDue: 300,
    days30: 1_000_000 + 400 + 800,
    days60: 1_600,
    days90: 3_200,
    over90: 6_400,
    dueDate: '2026-08-22',
  })
  for (const d of rows) {
    expect(sumFen([d.notDue, d.days30, d.days60, d.days90, d.over90])).toBe(d.unpaid)
  }
  expect(defined(rows[0]).billIds).toHaveLength(8)
  expect(sum).toMatchObject({ billCount: 10, unpaid: 1_024_700, over90: 6_400 + 12_000 })
})

it('agrees with the bills and the report of what is unpaid (STAT-1, C27-8)', async () => {
  const { sum } = await t.call(listDebtors, project, me)
  const bills = await t.call(getBillSummary, { ...project, payState: ['unpaid'], feesOnly: true }, me)
  expect(defined(sum).unpaid).toBe(bills.unpaid)
  const overdue = await t.call(listDebtors, { ...project, overdue: true }, me)
  expect(defined(overdue.sum).unpaid).toBe(bills.overdue.sum)
  const report = await t.call(unpaidBills.list, project, me)
  expect(Number(defined(report.sum).unpaid) + Number(defined(report.sum).lateFee)).toBe(defined(sum).unpaid)
})

it('filters, sorts and pages over the whole filter', async () => {
  const namesOf = async (filter: object): Promise<(string | undefined)[]> =>
    (await t.call(listDebtors, { ...project, ...filter }, me)).rows.map(d => d.sourceNames)
  expect(await namesOf({ buildCode: ['B2'] })).toEqual(['2-1-102', '2-1-101'])
  expect(await namesOf({ order: 'unpaid' })).toEqual(['2-1-101', '2-1-102', '1-1-101、1-1-102'])
  expect(await namesOf({ overdueDaysFrom: 300, order: 'unpaid' })).toEqual(['2-1-101', '2-1-102'])
  const second = await t.call(listDebtors, { ...project, size: 1, page: 2 }, me)
  expect([second.total, defined(second.rows[0]).sourceNames]).toEqual([3, '2-1-102'])
  const behind = await t.call(listDebtors, { ...project, size: 10, page: 9 }, me)
  expect([behind.total, behind.rows.length, defined(behind.sum).unpaid]).toEqual([3, 0, 1_024_700])
})

it('reminders, promises and disputes filter payers, not bills; the figures of a payer stay whole', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update bill
      set urge_count = 2, last_urge_time = '2026-11-20T10:00:00+08:00', promise_date = '2026-11-25',
        disputed = true
      where owner_id = ${t.ownerId} and source_code = 'R1' and due_date = '2026-10-21'
    `),
  )
  const find = (filter: object) => t.call(listDebtors, { ...project, ...filter }, me)
  const whole = defined((await find({ overdue: true })).rows[0])
  expect(whole).toMatchObject({ payerName: '甲', urgeCount: 2, promiseDate: '2026-11-25', disputed: true })
  expect((await find({ overdue: true, urgeCountTo: 0 })).rows.map(d => d.sourceNames)).toEqual([
    '2-1-102',
    '2-1-101',
  ])
  for (const filter of [
    { urgeCountFrom: 1 },
    { promiseDateFrom: '2026-11-01', promiseDateTo: '2026-11-30' },
    { promised: true },
    { disputed: true },
    { overdueDaysFrom: 91, overdueDaysTo: 91 },
  ]) {
    expect((await find({ overdue: true, ...filter })).rows).toEqual([whole])
  }
  // The bills that are counted may be others than the one that was urged.
  expect((await find({ feeItemId: ['1'], urgeCountFrom: 1 })).total).toBe(0)
  expect((await find({ dueDateFrom: '2026-11-22', urgeCountFrom: 1 })).rows).toMatchObject([
    { billCount: 1, urgeCount: 2, lastUrgeTime: whole.lastUrgeTime },
  ])
  expect((await find({ promiseDateFrom: '2026-11-26' })).total).toBe(0)
})

it('an order is kept or refused, by lists and reports alike', async () => {
  const sums = async (order: string) =>
    (await t.call(unpaidBills.list, { ...project, by: 'source', order }, me)).rows.map(r => Number(r.unpaid))
  const ascending = await sums('Unpaid asc')
  expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
  expect(await sums('Unpaid desc')).toEqual(ascending.toReversed())
  await expect(sums('Nope desc')).rejects.toThrow('不能按「Nope desc」排序')
  await expect(t.call(listDebtors, { ...project, order: 'nope' }, me)).rejects.toThrow('不能按「nope」排序')
  expect(defined((await t.call(listDebtors, { ...project, order: 'Unpaid asc' }, me)).rows[0]).unpaid).toBe(
    5_000,
  )
})

it('shows a clerk the permitted buildings only, and masked phones without the permission (PERM-6, PERM-7)', async () => {
  const clerk = await t.signedInAs(golden.first.buildingOnly)
  const seen = await t.call(listDebtors, project, clerk)
  const all = await t.call(listDebtors, { ...project, buildCode: ['B1'] }, me)
  expect(defined(seen.sum).unpaid).toBe(defined(all.sum).unpaid)
})

/** What is in a column of the exported sheet, above the totals. */
async function exportedColumn(heading: string, as: CallOptions): Promise<readonly string[]> {
  const file = await t.call(exportDebtors.get, { ...project, expected: 3 }, as)
  const sheet = await readWorkbook(t.upload('x.xlsx', await readBody(file)).path)
  const at = sheet.heading.indexOf(heading)
  return sheet.lines.slice(0, -1).map(line => String(line.cells[at] ?? ''))
}

it('a sheet names what no payer is registered for as the screen does', async () => {
  expect(await exportedColumn('缴费人', me)).toEqual(['甲', '无缴费人', '无缴费人'])
})

it('phones go out in full only to somebody who may see them, and masked otherwise (EXP-4, PERM-7)', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update bill set payer_mobile = '13800138001' where owner_id = ${t.ownerId} and source_code = 'R1'
    `),
  )
  const { view, export: exports } = menu.bill.permissions
  const keys = [view.key, exports.key]
  const permitted = await t.addClerk(keys, { privacy: true })
  const other = await t.addClerk(keys)
  expect(await exportedColumn('电话', permitted.as)).toEqual(['13800138001', '', ''])
  expect(await exportedColumn('电话', other.as)).toEqual(['138 **** 8001', '', ''])
})

it('goes out as a sheet with its totals (EXP-1)', async () => {
  const file = await t.call(exportDebtors.get, { ...project, expected: 3 }, me)
  const sheet = await readWorkbook(t.upload('x.xlsx', await readBody(file)).path)
  const at = sheet.heading.indexOf('未缴')
  expect(sheet.lines.map(l => Number(l.cells[at]))).toEqual([10_127, 70, 50, 10_247])
  const one = await t.call(listDebtors, { ...project, size: 1 }, me)
  const some = await t.call(
    exportDebtors.get,
    { ...project, ids: [defined(one.rows[0]).key], columns: ['payerName', 'unpaid'] },
    me,
  )
  expect(some.name).toBe('欠费客户_20261121.xlsx')
  // A column that is not shown is not in the file either.
  const chosen = await readWorkbook(t.upload('chosen.xlsx', await readBody(some)).path)
  expect(chosen.heading).toEqual(['缴费人', '未缴'])
  await expect(t.call(exportDebtors.get, { ...project, expected: 9 }, me)).rejects.toThrow('刚才是 9 条')
})

it('finds who owes by a building half typed, behind its project, and by an address with spaces (BILL-11)', async () => {
  const { rows: rooms } = await t.call(listRooms, { ...project, buildCode: ['B3'] }, me)
  const { code, path = '', estateName } = defined(rooms[0])
  await t.database.tx(t.ownerId, async tx => {
    const item = await seedFeeItem(tx, t.ownerId, 'SHOP')
    const shop = { source: code, name: path, build: 'B3', payer: 2, payerName: '乙' }
    await seedBillRows(tx, t.ownerId, item, [{ ...shop, due: '2026-11-20', amount: asFen(300) }])
  })
  const spellings = [
    '商业街',
    '商业街-',
    `${estateName} 商业街`,
    `${estateName}-商业街-`,
    path.replaceAll('-', ' '),
  ]
  for (const keyword of [...spellings, `${estateName} ${path}`]) {
    const { rows } = await t.call(listDebtors, { ...project, keyword }, me)
    expect([keyword, rows.map(d => d.payerName)]).toEqual([keyword, ['乙']])
  }
})

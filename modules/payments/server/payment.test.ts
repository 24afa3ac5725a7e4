import { readBody } from '#kit/server/fixtures/read-body.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import type { Permission } from '#kit/contract/call.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addRole } from '#modules/accounts/contract/role.ts'
import { deleteItems } from '#modules/fees/contract/item.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { findPayers } from '../contract/cashier.ts'
import { payBills, quoteBills } from '../contract/payment.ts'
import { closedDayRefusal } from '../domain/day-close.ts'
import { registerOtherIncome } from '../contract/other-income.ts'
import { menu } from '../module.ts'
import { getRecord, listRecords, listTrades, summarizeRecords } from '../contract/record.ts'
import { exportRecords, exportTrades } from '../contract/import-export.ts'

type PayInput = NonNullable<typeof payBills.input.T>

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let item: Id = 0
let n = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.addFeeItem('PAYTEST', { name: '收款测试', multi: true, late: true })
})

afterAll(() => t?.close())

/** Bills of 2026, each of one month, due at its end. */
const createBills = (...amounts: number[]): Promise<string[]> =>
  t.database.tx(ownerId, async tx => {
    const rows = await tx.rows<{
      id: Id
    }>(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
        fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
        run_split_root
      )
      select ${ownerId}, 'GOLD0001', 'P' || r.n, 10, 'S' || r.n, '1-1-101', '王五', ${item}, '收款测试', 10,
        r.begin, (r.begin + interval '1 month' - interval '1 day')::date, to_char(r.begin, 'YYYY-MM'),
        r.amount, '2026-12-31', 20, 10, null
      from json_to_recordset(
        ${JSON.stringify(amounts.map((a, i) => ({ n: ++n, begin: `2026-0${(i % 9) + 1}-01`, amount: formatYuan(asFen(a)) })))}::json
      ) as r(n int, begin date, amount numeric)
      order by r.n
      returning id
    `)
    return rows.map(r => String(r.id))
  })

const pay = (
  billIds: readonly string[],
  expectAmount: Fen,
  methods: PayInput['methods'],
  overrides: object = {},
  as = me,
) => t.call(payBills, { projectCode: 'GOLD0001', billIds, expectAmount, methods, ...overrides }, as)

const findPayLines = (record: number) =>
  t.database
    .reader(ownerId)
    .rows(sql`select method, amount::text from pay_line where record_id = ${record} order by seq`)

it('T-PAY-05: cash with change, or the change kept; a receipt number without a gap (PAY-20)', async () => {
  const a = await createBills(20600, 20600, 20600)
  const quote = await t.call(quoteBills, { billIds: a }, me)
  expect(quote).toMatchObject({ principal: 61800, late: 0, total: 61800, due: 61800 })
  const done = await pay(a, asFen(61800), [{ method: 'cash', amount: asFen(70000) }])
  expect(done).toMatchObject({
    tendered: 70000,
    received: 61800,
    principal: 61800,
    change: 8200,
    toPrestore: 0,
    unpaid: 0,
    receiptNo: '2026-000001',
  })
  expect(await findPayLines(done.recordId)).toEqual([{ method: 10, amount: '618.00' }])
  expect(await refusalTextOf(pay(a, 0, [{ method: 'cash', amount: asFen(100) }]))).toContain('账单已缴清')
  const b = await createBills(100)
  expect(await refusalTextOf(pay(b, asFen(99), [{ method: 'cash', amount: asFen(100) }]))).toBe(
    '金额已变化，请刷新：原为 0.99 元，现为 1.00 元（本金 1.00，违约金 0.00）',
  )
  expect((await pay(b, asFen(100), [{ method: 'wechatTransfer', amount: asFen(100) }])).receiptNo).toBe(
    '2026-000002',
  )
})

/** How often something is written to a socket while it runs: one trip to the database each. */
async function countTrips(work: () => Promise<unknown>): Promise<number> {
  const single = vi.spyOn(Socket.prototype, '_write')
  const several = vi.spyOn(Socket.prototype, '_writev')
  try {
    await work()
    return single.mock.calls.length + several.mock.calls.length
  } finally {
    single.mockRestore()
    several.mockRestore()
  }
}

it('a payment is four trips to the database: its key, its locks, what it books, its commit', async () => {
  const bills = await createBills(1000, 1000, 1000)
  const payNext = (): Promise<unknown> =>
    pay([defined(bills.pop())], asFen(1000), [{ method: 'cash', amount: asFen(1000) }])
  // The first of each text is prepared, the numbers of records are drawn twenty at a time.
  await payNext()
  expect(Math.min(await countTrips(payNext), await countTrips(payNext))).toBe(4)
})

it('the role 收费员 that came with the company takes a payment, and changes neither fees nor roles', async () => {
  const cashier = await t.signedInAs(golden.first.ofRole('cashier'))
  const bills = await createBills(4200)
  expect(await t.call(findPayers, { projectCode: 'GOLD0001', keyword: '1-1-101' }, cashier)).toBeDefined()
  expect(await pay(bills, asFen(4200), [{ method: 'cash', amount: asFen(5000) }], {}, cashier)).toMatchObject(
    { principal: 4200, change: 800 },
  )
  const role = { roleName: '自己的角色', permissions: ['payments.close.reopen'], needTotp: false }
  expect(await refusalTextOf(t.call(addRole, role, cashier))).toContain('「角色与权限·新增」')
  expect(
    await refusalTextOf(t.call(deleteItems, { ids: [String(item)], reason: '不再收取' }, cashier)),
  ).toContain('「收费项目·删除」')
})

it('PAY-1: bills of another project are not paid with those of this one', async () => {
  const [own, foreign] = await createBills(100, 100)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill set project_code = 'GOLD0002' where owner_id = ${ownerId} and id = ${defined(foreign)}
    `),
  )
  const both = [defined(own), defined(foreign)]
  expect(await refusalTextOf(pay(both, asFen(200), [{ method: 'cash', amount: asFen(200) }]))).toMatch(
    /属于其他项目，请分开收款/,
  )
})

it('PAY-9, PAY-14: to let off odd fen and to date a payment back are permissions of their own', async () => {
  const { view, pay: take, roundOff, backDate } = menu.cashier.permissions
  const clerkWith = async (...permissions: readonly Permission[]): Promise<CallOptions> =>
    (await t.addClerk([view, take, ...permissions].map(permission => permission.key))).as
  const [a, b] = await createBills(22350, 22350)
  const payAs = (as: CallOptions, bill: string | undefined, overrides: object) =>
    pay([defined(bill)], asFen(22350), [{ method: 'cash', amount: asFen(22350) }], overrides, as)
  const yesterday = { payTime: '2026-11-20 10:00:00' }
  expect(await refusalTextOf(payAs(await clerkWith(backDate), a, { roundOff: true }))).toBe(
    '抹零需要「收银台·抹零」权限',
  )
  expect(await refusalTextOf(payAs(await clerkWith(roundOff), a, yesterday))).toContain(
    '补录以前的收款需要「收银台·补录日期」权限',
  )
  expect(await payAs(await clerkWith(), a, {})).toMatchObject({ principal: 22350, unpaid: 0 })
  const { recordId } = await payAs(await clerkWith(roundOff, backDate), b, { roundOff: true, ...yesterday })
  expect(await t.call(getRecord, { id: recordId }, me)).toMatchObject({ payDay: '2026-11-20' })
})

it('T-PAY-06: the odd fen are let off as a discount of the last bill (PAY-14)', async () => {
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'RoundOff', value: '1' }, me)
  const [a] = await createBills(22358)
  const quote = await t.call(quoteBills, { billIds: [defined(a)] }, me)
  expect(quote).toMatchObject({ total: 22358, roundOff: 8, due: 22350 })
  expect(
    await pay([defined(a)], asFen(22358), [{ method: 'cash', amount: asFen(22350) }], { roundOff: true }),
  ).toMatchObject({
    principal: 22350,
    roundOff: 8,
    change: 0,
    unpaid: 0,
  })
  expect(
    await t.database.reader(ownerId).one(
      sql`
          select discount_amount::text as off, paid_principal::text as paid, pay_state
          from bill
          where id = ${defined(a)}
        `,
    ),
  ).toEqual({ off: '0.08', paid: '223.50', payState: 1 })
})

it('PAY-15: methods are mixed; a mismatch is reported at its field', async () => {
  const a = await createBills(30000)
  expect(await refusalTextOf(pay(a, asFen(30000), [{ method: 'wechat', amount: asFen(30000) }]))).toBe(
    '线上支付请用扫码或 POS 发起，不能直接登记',
  )
  expect(await refusalTextOf(pay(a, asFen(30000), [{ method: 'cash', amount: 0 }]))).toBe(
    '每种支付方式的金额应大于零',
  )
  const done = await pay(a, asFen(30000), [
    { method: 'transfer', amount: asFen(10000) },
    { method: 'cash', amount: asFen(25000) },
  ])
  expect(done).toMatchObject({ change: 5000, unpaid: 0 })
  expect(await findPayLines(done.recordId)).toEqual([
    { method: 30, amount: '100.00' },
    { method: 10, amount: '200.00' },
  ])
})

it('PAY-12: a part is taken oldest first, unless the project wants all of it', async () => {
  const a = await createBills(10000, 10000)
  expect(await pay(a, asFen(20000), [{ method: 'cash', amount: asFen(15000) }])).toMatchObject({
    principal: 15000,
    unpaid: 5000,
    settledCount: 1,
    unsettledCount: 1,
  })
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'AllowPartial', value: '0' }, me)
  expect(
    await refusalTextOf(pay([defined(a[1])], asFen(5000), [{ method: 'cash', amount: asFen(100) }])),
  ).toBe('本项目不允许部分缴费，请缴足 50.00 元')
  await t.call(updateEstateSetting, { projectCode: 'GOLD0001', key: 'AllowPartial', value: '1' }, me)
})

it('PAY-9: booked for a day gone by, within the days allowed and never into a closed one', async () => {
  const a = await createBills(100, 100, 100)
  expect(
    await refusalTextOf(
      pay([defined(a[0])], asFen(100), [{ method: 'cash', amount: asFen(100) }], {
        payTime: '2026-11-17 10:00:00',
      }),
    ),
  ).toBe('最多补录 3 天内的收款，请填写 2026-11-18 或之后的日期')
  expect(
    await refusalTextOf(
      pay([defined(a[0])], asFen(100), [{ method: 'cash', amount: asFen(100) }], {
        payTime: '2026-11-22 10:00:00',
      }),
    ),
  ).toBe('缴费时间不能晚于现在')
  await pay([defined(a[0])], asFen(100), [{ method: 'cash', amount: asFen(100) }], {
    payTime: '2026-11-19 10:00:00',
  })
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into day_close (owner_id, project_code, day, closed)
        values (${ownerId}, 'GOLD0001', '2026-11-19', true)
      `,
    ),
  )
  expect(
    await refusalTextOf(
      pay([defined(a[1])], asFen(100), [{ method: 'cash', amount: asFen(100) }], {
        payTime: '2026-11-19 11:00:00',
      }),
    ),
  ).toBe(closedDayRefusal('2026-11-19'))
})

it('fifty cashiers collect one room at once: one receipt, and no number is lost', async () => {
  const a = await createBills(10000, 10000)
  const before = defined(
    await t.database
      .reader(ownerId)
      .one<{ last: number }>(sql`select last from receipt_counter where project_code = 'GOLD0001'`),
  ).last
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => pay(a, asFen(20000), [{ method: 'cash', amount: asFen(20000) }])),
  )
  expect(results.filter(s => s.status === 'fulfilled').length).toBe(1)
  expect(
    defined(
      await t.database
        .reader(ownerId)
        .one<{ last: number }>(sql`select last from receipt_counter where project_code = 'GOLD0001'`),
    ).last,
  ).toBe(before + 1)
})

it('the same click twice is one payment', async () => {
  const a = await createBills(10000)
  const uuid = 'pay-twice-0001'
  const [x, y] = await Promise.all([
    pay(a, asFen(10000), [{ method: 'cash', amount: asFen(10000) }], {}, { ...me, uuid }),
    pay(a, asFen(10000), [{ method: 'cash', amount: asFen(10000) }], {}, { ...me, uuid }),
  ])
  expect(x).toEqual(y)
})

it('lists one row per bill and payment, and takes both lists out as sheets (EXP-1)', async () => {
  const ids = await createBills(1100, 2200)
  const done = await pay(ids, asFen(3300), [{ method: 'transfer', amount: asFen(3300) }])
  const one = { projectCode: 'GOLD0001', billId: asId(Number(ids[0])) }
  const found = await t.call(listTrades, one, me)
  expect(found).toMatchObject({
    total: 1,
    sum: { principal: 1100, lateFee: 0 },
    rows: [
      {
        billId: Number(ids[0]),
        recordNo: done.recordNo,
        payMethod: 'transfer',
        recordType: 'payment',
        principal: 1100,
      },
    ],
  })
  const ofRecord = { recordId: done.recordId }
  expect((await t.call(listTrades, ofRecord, me)).rows.map(r => r.billId)).toEqual(ids.map(Number))
  expect((await t.call(listTrades, { recordId: 900_000_001 }, me)).total).toBe(0)
  expect((await t.call(listRecords, ofRecord, me)).rows.map(r => r.id)).toEqual([done.recordId])
  // What the palette asks: a whole number, of the record or its receipt.
  for (const number of [done.recordNo, done.recordNo.toLowerCase(), defined(done.receiptNo)]) {
    expect(
      (await t.call(listRecords, { number }, me)).rows.map(r => r.id),
      number,
    ).toContain(done.recordId)
  }
  expect((await t.call(listRecords, { number: done.recordNo.slice(0, -1) }, me)).total).toBe(0)
  expect(await t.call(summarizeRecords, ofRecord, me)).toMatchObject({ count: 1, received: 3300 })
  const sheet = async (file: object) => {
    const path = t.upload('x.xlsx', await readBody(file)).path
    const { lines } = await readWorkbook(path)
    // The last line has the totals.
    return lines.slice(0, -1).map(l => l.cells.map(cellToText))
  }
  const rows = await sheet(await t.call(exportTrades.get, { ...one, expected: 1 }, me))
  expect(rows).toHaveLength(1)
  expect(await sheet(await t.call(exportTrades.get, ofRecord, me))).toHaveLength(2)
  expect(rows[0]).toEqual(expect.arrayContaining([done.recordNo, '收款', '收款测试', '银行转账']))
  expect((await sheet(await t.call(exportRecords.get, one, me)))[0]).toEqual(
    expect.arrayContaining([done.recordNo, done.receiptNo]),
  )
})

it('TMP-4: income without an object is billed and paid in one action, under temporary and other items alone', async () => {
  const extra = await t.addFeeItem('OTHER1', { name: '场地费', feeType: 'other', multi: true })
  const payWith = (feeItemId: Id, methods: PayInput['methods']) =>
    t.call(
      registerOtherIncome,
      { projectCode: 'GOLD0001', feeItemId, content: '广场场地费', methods, payerName: '某商户' },
      me,
    )
  expect(await refusalTextOf(payWith(item, [{ method: 'cash', amount: asFen(100) }]))).toBe(
    '「收款测试」不是临时或其他类项目，不能记其他收入',
  )
  for (let i = 0; i < 2; i++) {
    const done = await payWith(extra, [
      { method: 'cash', amount: asFen(30000) },
      { method: 'transfer', amount: asFen(20000) },
    ])
    expect(done).toMatchObject({
      received: 50000,
      principal: 50000,
      unpaid: 0,
      receiptNo: expect.stringMatching(/^2026-/),
    })
    expect(
      await t.database.reader(ownerId).rows(
        sql`
            select b.source_name, b.bill_source::int, b.pay_state::int, b.amount::text, r.payer_name
            from pay_detail d
            join bill b on b.owner_id = d.owner_id and b.id = d.bill_id
            join pay_record r on r.owner_id = d.owner_id and r.id = d.record_id
            where d.record_id = ${done.recordId}
          `,
      ),
    ).toEqual([
      { sourceName: '广场场地费', billSource: 90, payState: 1, amount: '500.00', payerName: '某商户' },
    ])
  }
})

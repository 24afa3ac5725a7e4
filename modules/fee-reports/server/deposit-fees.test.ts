import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { convertDeposit, deposits, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { addItem, editItem } from '#modules/fees/contract/item.ts'
import { listWaitingPayments } from '#modules/invoices/contract/invoicing.ts'
import { payBills, quoteBills } from '#modules/payments/contract/payment.ts'
import { getRecord, listRecords, listTrades, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { feeSummary } from '../contract/month.ts'
import { billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { received } from '../contract/received.ts'
import { feeBills, roomBills } from '../contract/room.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { dailyCollections } from '../contract/daily-collection.ts'

let t: GoldenApp
let me: CallOptions
let ownerId = 0
let rooms: string[] = []
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  rooms = (
    await t.database.reader(ownerId).rows<{ code: string }>(sql`
      select code
      from room
      where owner_id = ${ownerId} and project_code = 'GOLD0001' and delete_tag = 0
      order by sort_key
      limit 4
    `)
  ).map(r => r.code)
})

afterAll(() => t?.close())

const addFeeItem = (code: string, name: string, feeType: 'deposit' | 'temporary') =>
  t.call(
    addItem,
    {
      code,
      name,
      feeType,
      category: 'property',
      incomeKind: 'own',
      billMode: 'manual',
      scene: 'room',
      taxRate: '0.06',
      lateFeeSwitch: true,
      lateRates: [{ rate: '0.0005' }],
      inRate: true,
      allowMulti: true,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
    },
    me,
  )

const charge = async (feeItemId: Id, amount: number, room: string): Promise<string> => {
  const { ids } = await t.call(
    addTempFee,
    {
      ...project,
      feeItemId,
      amount: asFen(amount),
      sources: [{ sourceType: 'room', sourceCode: room }],
      beginDate: '2026-06-01',
      endDate: '2026-06-30',
      dueDate: '2026-06-30',
    },
    me,
  )
  return defined(ids[0])
}

const pay = (billIds: string[], sum: number, amount = asFen(sum)) =>
  t.call(payBills, { ...project, billIds, expectAmount: amount, methods: [{ method: 'cash', amount }] }, me)

it('C27-8: a deposit item charged by hand becomes a deposit: no late fee, no invoice, no income, no rate', async () => {
  const item = await addFeeItem('YAJIN', '二次装修押金', 'deposit')
  expect(item).toMatchObject({ inRate: false, lateFeeSwitch: false })
  const { createTime: _, updateTime: __, ...draft } = item
  expect(await t.call(editItem, { ...draft, inRate: true, lateFeeSwitch: true }, me)).toMatchObject({
    inRate: false,
    lateFeeSwitch: false,
  })
  const bill = await charge(item.id, 200_000, defined(rooms[0]))
  // Due in June, months before today.
  expect(await t.call(quoteBills, { billIds: [bill] }, me)).toMatchObject({ principal: 200_000, late: 0 })
  const before = (await t.call(received.list, project, me)).sum
  const { recordId } = await pay([bill], 200_000)
  const record = await t.call(getRecord, { id: recordId }, me)
  expect(record).toMatchObject({ recordType: 'deposit', receivedAmount: 200_000 })
  expect((await t.call(deposits.list, { ...project, roomCode: [defined(rooms[0])] }, me)).rows).toMatchObject(
    [{ state: 'received', kind: 'fitting', amount: 200_000, balance: 200_000, roomCode: rooms[0] }],
  )
  expect((await t.call(received.list, project, me)).sum).toEqual(before)
  const collection = await t.call(dailyCollections.list, { ...project, by: 'kind' }, me)
  expect(collection.rows.find(r => r.name === '押金')).toMatchObject({ depositIn: 200_000 })
  const waiting = await t.call(listWaitingPayments, { ...project, size: 2000 }, me)
  expect(waiting.rows.some(r => r.id === recordId)).toBe(false)
  const line = { detailId: defined(record.details[0]).id, principal: asFen(200_000), late: 0 as const }
  expect(
    await refusalMessageOf(
      t.call(
        requestRefund,
        { recordId, lines: [line], refundWay: 'cash', billAfter: 'owed', reason: '退押金' },
        me,
      ),
    ),
  ).toBe('只有收款和冲抵可以这样退款')
  expect(await refusalMessageOf(t.call(voidRecord, { id: recordId, reason: '录错了' }, me))).toContain(
    '可以作废',
  )
})

it('C27-12: the deposit of a paid bill ends as income once a part became income', async () => {
  const [row] = (await t.call(deposits.list, { ...project, roomCode: [defined(rooms[0])] }, me)).rows
  const id = defined(row).id
  await t.call(convertDeposit, { id, to: 'income', amount: asFen(50_000), reason: '损坏赔偿' }, me)
  expect(
    await t.call(refundDeposit, { id, amount: asFen(150_000), method: 'cash', reason: '验收合格' }, me),
  ).toMatchObject({ state: 'toIncome', balance: 0, income: 50_000, refunded: 150_000 })
  // It is paid out under the item under which it came in.
  const collections = await t.call(dailyCollections.list, { ...project, by: 'item' }, me)
  expect(collections.rows.find(r => r.name === '二次装修押金')).toMatchObject({
    depositIn: 200_000,
    depositOut: 150_000,
  })
  expect(collections.rows.find(r => r.name === '未归属')?.depositOut ?? 0).toBe(0)
})

it('C27-8, C27-13: what is paid for a deposit is no principal, in records, lines and reports alike', async () => {
  const [row] = (await t.call(deposits.list, { ...project, roomCode: [defined(rooms[0])] }, me)).rows
  const record = await t.call(getRecord, { id: defined(defined(row).recordId) }, me)
  expect([record.principalAmount, record.receivedAmount]).toEqual([0, 200_000])
  const lines = await t.call(listTrades, { ...project, recordId: record.id }, me)
  expect(lines.rows).toMatchObject([{ principal: 0, deposit: 200_000 }])
  expect(lines.sum).toMatchObject({ principal: 0, deposit: 200_000 })
  const ofType = { ...project, recordType: ['deposit' as const] }
  expect((await t.call(listRecords, ofType, me)).sum?.principalAmount).toBe(0)
  const all = await t.call(listRecords, project, me)
  expect(all.sum?.principalAmount).toBe((await t.call(listTrades, project, me)).sum?.principal)
})

it('C27-8, ACC-3: a deposit comes in as money and whole: not out of prestore, whose gifts cannot be refunded', async () => {
  const item = await addFeeItem('YAJIN4', '装修保证押金', 'deposit')
  const room = defined(rooms[1])
  const bill = await charge(item.id, 10_000, room)
  await t.call(
    topUp,
    { ...project, ownerKind: 'room', ownerCode: room, methods: [{ method: 'cash', amount: asFen(20_000) }] },
    me,
  )
  const amount = asFen(10_000)
  const payWith = (method: 'prestore' | 'cash', paid = amount) =>
    t.call(
      payBills,
      { ...project, billIds: [bill], expectAmount: amount, methods: [{ method, amount: paid }] },
      me,
    )
  expect(await refusalMessageOf(payWith('prestore'))).toBe(
    '「装修保证押金」是押金，不能用预存或券支付，请收现金、转账或 POS',
  )
  expect(await refusalMessageOf(payWith('cash', asFen(4_000)))).toBe('「装修保证押金」是押金，请一次收清')
  await payWith('cash')
})

it('C27-8: a deposit is not paid in one with what is income', async () => {
  const deposit = await addFeeItem('YAJIN2', '临时门禁卡押金', 'deposit')
  const other = await addFeeItem('LINSHI', '补办工本费', 'temporary')
  const bills = [
    await charge(deposit.id, 5000, defined(rooms[1])),
    await charge(other.id, 3000, defined(rooms[1])),
  ]
  const quote = await t.call(quoteBills, { billIds: bills }, me)
  expect(await refusalMessageOf(pay(bills, quote.total))).toBe(
    '「临时门禁卡押金」是押金，不是收入，请与其他费用分开收款',
  )
})

it('C27-8: a bill of a deposit is in no report of what is receivable, and in the lists of bills', async () => {
  const room = defined(rooms[2])
  // Money received is all money; what is owed and the rates know no deposit.
  const readHome = async () => {
    const { due, paid, opening, recovered, prepaid, closing, households, ages, currentRate } = await t.call(
      getChargeStatistic,
      { ...project, month: '2026-06' },
      me,
    )
    return { due, paid, opening, recovered, prepaid, closing, households, ages, currentRate }
  }
  const readReports = async () => ({
    receivables: (await t.call(receivables.list, project, me)).sum,
    summary: (await t.call(billSummary.list, project, me)).sum,
    unpaid: (await t.call(unpaidBills.list, project, me)).sum,
    rooms: (await t.call(roomBills.list, project, me)).sum,
    months: (await t.call(feeBills.list, project, me)).sum,
    month: (await t.call(feeSummary.list, { ...project, monthFrom: '2026-06', monthTo: '2026-06' }, me)).sum,
    home: await readHome(),
  })
  const before = await readReports()
  const listed = (await t.call(listBills, project, me)).sum
  const item = await addFeeItem('YAJIN3', '装修垃圾押金', 'deposit')
  const bill = await charge(item.id, 300_000, room)
  expect(await readReports()).toEqual(before)
  expect(defined((await t.call(listBills, project, me)).sum).unpaid).toBe(
    Number(defined(listed).unpaid) + 300_000,
  )
  const fees = await t.call(listBills, { ...project, feesOnly: true }, me)
  expect(defined(fees.sum).unpaid).toBe(defined(before.rooms).unpaid)
  await pay([bill], 300_000)
  expect(await readReports()).toEqual(before)
})

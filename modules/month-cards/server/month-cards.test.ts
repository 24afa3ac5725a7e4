import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalMessageOf, faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { abolishBills } from '#modules/bills/contract/actions.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listStandards } from '#modules/fees/contract/standard-calls.ts'
import { adjustValidity, blackCars } from '#modules/parking/contract/car-actions.ts'
import { carValidities, type Car } from '#modules/parking/contract/car.ts'
import { closeOrder } from '#modules/payments/contract/order.ts'
import { payOrderOffline } from '#modules/payments/contract/payment.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { auditRefund, cancelRefund, listRefunds, requestRefund } from '#modules/payments/contract/refund.ts'
import { monthOrderState } from '../contract/choices.ts'
import { cancelMonthOrder, listMonthOrders } from '../contract/month-order.ts'
import {
  getCarPayOrder,
  getMonthCarDetail,
  prepayMonthCard,
  quoteRefund,
  quoteRenewal,
  refundMonthOrder,
  renewCar,
} from '../contract/renewal.ts'
import { cancelUnpaidOrders } from './ending.ts'
import { openMonthCardFixture, projectCode, type MonthCardFixture } from './month-card.fixtures.ts'

let f: MonthCardFixture

beforeAll(async () => {
  f = await openMonthCardFixture()
})

afterAll(() => f?.t.close())

const paidCar = async (months = 1) => {
  const row = await f.addCar()
  const order = await f.renew(row, months)
  const { recordId } = await f.pay(order)
  return { row, order, recordId }
}

it('a renewal goes on from the last day, and gives its days once it is paid (PRK-4, PAY-4)', async () => {
  const row = await f.addCar()
  const order = await f.renew(row, 2)
  expect(order).toMatchObject({
    oldEnd: '2026-11-30',
    newBegin: '2026-12-01',
    newEnd: '2027-01-31',
    amount: 60_000,
    state: 'pending',
  })
  expect((await f.readCar(row)).endDate).toBe('2026-11-30')
  const bill = await f.t.call(getBill, { id: defined(order.billId) }, f.me)
  expect(bill).toMatchObject({
    sourceType: 'car',
    sourceCode: String(row.id),
    sourceName: row.plateNo,
    billSource: 'parking',
    beginDate: '2026-12-01',
    endDate: '2027-01-31',
  })
  await f.pay(order)
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-10-22', endDate: '2027-01-31' })
  expect(await f.readOrder(order)).toMatchObject({
    state: 'paid',
    grantedEnd: '2027-01-31',
    paidAmount: 60_000,
  })
  const { rows } = await f.t.call(carValidities.list, { carId: [String(row.id)] }, f.me)
  expect(rows[0]).toMatchObject({ changeType: 'renewed', oldEnd: '2026-11-30', newEnd: '2027-01-31' })
})

it('an expired car is normal again from today on (PRK-4)', async () => {
  const row = await f.addCar({ beginDate: '2026-09-01', endDate: '2026-10-31' })
  expect(row.carState).toBe('expired')
  await f.pay(await f.renew(row))
  expect(await f.readCar(row)).toMatchObject({
    carState: 'normal',
    beginDate: '2026-11-21',
    endDate: '2026-12-20',
  })
})

it('goes on without a gap, to the end of the calendar month, where the project says so (PRK-4)', async () => {
  await f.set('monthCards.start', '1')
  await f.set('monthCards.monthEnd', '2')
  const row = await f.addCar({ beginDate: '2026-09-01', endDate: '2026-11-15' })
  const quote = await f.t.call(quoteRenewal, { carId: row.id, months: 2 }, f.me)
  // 15/30 of November and all of December.
  expect(quote).toMatchObject({ newBegin: '2026-11-16', newEnd: '2026-12-31', amount: 45_000 })
  await f.set('monthCards.start', '2')
  await f.set('monthCards.monthEnd', '1')
})

it('refuses another amount than the screen showed, and a second order that waits (PAY-1)', async () => {
  const row = await f.addCar()
  const ask = (months: number, amount: number) =>
    f.t.call(renewCar, { carId: row.id, months, expectAmount: asFen(amount) }, f.me)
  expect((await faultTextsOf(ask(1, 20_000))).ExpectAmount).toContain('现为 300.00 元')
  await ask(1, 30_000)
  expect(await refusalMessageOf(ask(1, 30_000))).toContain('已有待支付的月卡订单')
})

it('says what to do where a car cannot be renewed', async () => {
  const quote = (id: Id) => refusalMessageOf(f.t.call(quoteRenewal, { carId: id, months: 1 }, f.me))
  const without = await f.addCar({ feeStandardId: undefined })
  expect(await quote(without.id)).toContain('未选月租标准')
  const cyclic = await f.addCar({ feeStandardId: await f.addPriced('YZ', 'cyclic') })
  expect(await quote(cyclic.id)).toContain('的收费项目不是月卡类')
  const blocked = await f.addCar()
  await f.t.call(blackCars, { ids: [String(blocked.id)], black: true, reason: '逃费' }, f.me)
  expect(await quote(blocked.id)).toContain('请先移出黑名单')
})

it('the picker of month prices offers those that can be renewed by alone', async () => {
  const cyclic = await f.addPriced('YX', 'cyclic')
  const row = await f.addCar()
  const ask = { projectCode, isMonthPrice: true, size: 100 } as const
  const { rows } = await f.t.call(listStandards, ask, f.me)
  const ids = rows.map(({ id }) => id)
  expect(ids).toContain(row.feeStandardId)
  expect(ids).not.toContain(cyclic)
  expect(new Set(rows.map(({ feeType }) => feeType))).toEqual(new Set(['monthCard']))
})

it('what is paid in parts gives its days with the last of them', async () => {
  const row = await f.addCar()
  const order = await f.renew(row)
  await f.pay(order, asFen(10_000))
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending', paidAmount: 10_000 })
  expect((await f.readCar(row)).endDate).toBe('2026-11-30')
  await f.pay(order, asFen(20_000))
  expect((await f.readCar(row)).endDate).toBe('2026-12-31')
})

it('a voided payment takes the days back; paid again, the order gives them again (PAY-21)', async () => {
  const { row, order, recordId } = await paidCar()
  await f.t.call(voidRecord, { id: recordId, reason: '收错了' }, f.me)
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-10-22', endDate: '2026-11-30' })
  expect(await f.readOrder(order)).toMatchObject({ state: 'pending', paidAmount: 0 })
  await f.pay(order)
  expect((await f.readCar(row)).endDate).toBe('2026-12-31')
})

it('days that the car has got in between come first', async () => {
  const row = await f.addCar()
  const order = await f.renew(row)
  const days = { beginDate: row.beginDate, endDate: '2026-12-10' } as const
  await f.t.call(adjustValidity, { ids: [String(row.id)], ...days, reason: '补偿' }, f.me)
  await f.pay(order)
  expect(await f.readOrder(order)).toMatchObject({ newBegin: '2026-12-11', newEnd: '2027-01-10' })
  expect((await f.readCar(row)).endDate).toBe('2027-01-10')
})

it('a cancelled order abolishes its bill, an abolished bill cancels its order', async () => {
  const first = await f.renew(await f.addCar())
  await f.t.call(cancelMonthOrder, { id: first.id, reason: '不办了' }, f.me)
  expect(await f.readOrder(first)).toMatchObject({ state: 'cancelled', reason: '不办了' })
  expect((await f.t.call(getBill, { id: defined(first.billId) }, f.me)).state).toBe('abolished')
  const second = await f.renew(await f.addCar())
  await f.t.call(abolishBills, { ids: [String(second.billId)], reason: '录错', periodAfter: 'waived' }, f.me)
  expect((await f.readOrder(second)).state).toBe('cancelled')
  const paid = await paidCar()
  expect(
    await refusalMessageOf(f.t.call(cancelMonthOrder, { id: paid.order.id, reason: '不办了' }, f.me)),
  ).toContain('只能取消待支付')
})

it('unused days go back: the bill costs the rest, the right ends today (PRK-5, REF-8)', async () => {
  const row = await f.addCar({ beginDate: '2026-10-15', endDate: '2026-11-14' })
  const order = await f.renew(row)
  await f.pay(order)
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-11-21', endDate: '2026-12-20' })
  const quote = await f.t.call(quoteRefund, { id: order.id }, f.me)
  expect(quote).toMatchObject({ refundFrom: '2026-11-22', days: 29, amount: 29_000, isWhole: false })
  const refund = { id: order.id, fee: asFen(1_000), refundWay: 'cash', reason: '搬走' } as const
  expect(await f.t.call(refundMonthOrder, refund, f.me)).toMatchObject({
    state: 'refunded',
    grantedEnd: '2026-11-21',
    paidAmount: 2_000,
  })
  const listed = await f.t.call(listMonthOrders, { carId: [String(row.id)] }, f.me)
  expect(listed.sum).toEqual({ amount: 0, paidAmount: 2_000 })
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-11-21', endDate: '2026-11-21' })
  expect(await f.t.call(getBill, { id: defined(order.billId) }, f.me)).toMatchObject({
    state: 'normal',
    payState: 'paid',
    unpaid: 0,
  })
  expect(await refusalMessageOf(f.t.call(refundMonthOrder, refund, f.me))).toContain('已退款')
})

it('several refunds at once are one; the others say that it was asked for (PRK-5)', async () => {
  const { order } = await paidCar()
  const refund = { id: order.id, refundWay: 'cash', reason: '卖车' } as const
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => f.t.call(refundMonthOrder, refund, f.me)),
  )
  const refusals = answers.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(refusals).toHaveLength(4)
  for (const refusal of refusals) {
    expect(refusal).toMatch('已退款，无需再次申请')
  }
})

it('months that have not begun go back whole, with their bill', async () => {
  const { row, order } = await paidCar(3)
  await f.t.call(refundMonthOrder, { id: order.id, refundWay: 'cash', reason: '卖车' }, f.me)
  const refunded = await f.readOrder(order)
  expect([refunded.state, refunded.grantedEnd]).toEqual(['refunded', undefined])
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-10-22', endDate: '2026-11-30' })
  expect((await f.t.call(getBill, { id: defined(order.billId) }, f.me)).state).toBe('abolished')
})

const refundsOf = async (row: Car) => {
  const { rows } = await f.t.call(listRefunds, { projectCode, keyword: row.plateNo, size: 50 }, f.me)
  return rows.toSorted((x, y) => x.id - y.id)
}

const cash = { refundWay: 'cash', reason: '搬走' } as const

it('what was paid in parts goes back out of the newest payments, as one (REF-2)', async () => {
  const row = await f.addCar({ beginDate: '2026-10-15', endDate: '2026-11-14' })
  const order = await f.renew(row)
  await f.pay(order, asFen(10_000))
  await f.pay(order, asFen(20_000))
  const refund = { id: order.id, fee: asFen(1_000), ...cash }
  expect(await f.t.call(refundMonthOrder, refund, f.me)).toMatchObject({
    state: 'refunded',
    grantedEnd: '2026-11-21',
    paidAmount: 2_000,
  })
  const refunds = await refundsOf(row)
  expect(refunds.map(({ amount, state }) => [amount, state])).toEqual([
    [20_000, 'done'],
    [8_000, 'done'],
  ])
  expect(new Set(refunds.map(({ groupNo }) => groupNo))).toEqual(new Set([refunds[0]?.refundNo]))
  expect((await f.readCar(row)).endDate).toBe('2026-11-21')
  expect(await f.t.call(getBill, { id: defined(order.billId) }, f.me)).toMatchObject({
    state: 'normal',
    payState: 'paid',
    unpaid: 0,
  })
})

it('months that were bought later go back with earlier ones, the newest first (PRK-5)', async () => {
  const row = await f.addCar({ beginDate: '2026-10-15', endDate: '2026-11-14' })
  const order = await f.renew(row)
  await f.pay(order, asFen(15_000))
  await f.pay(order, asFen(15_000))
  const later = await f.renew(await f.readCar(row), 2)
  await f.pay(later, asFen(25_000))
  await f.pay(later, asFen(35_000))
  expect(await f.t.call(quoteRefund, { id: order.id }, f.me)).toMatchObject({
    refundFrom: '2026-11-22',
    newEnd: '2027-02-20',
    days: 91,
    amount: 89_000,
    isWhole: false,
    parts: [
      { refundFrom: '2026-12-21', days: 62, amount: 60_000 },
      { refundFrom: '2026-11-22', days: 29, amount: 29_000 },
    ],
  })
  await f.t.call(refundMonthOrder, { id: order.id, ...cash }, f.me)
  expect((await refundsOf(row)).map(({ amount }) => amount)).toEqual([35_000, 25_000, 15_000, 14_000])
  expect(await f.readOrder(order)).toMatchObject({ state: 'refunded', paidAmount: 1_000 })
  expect(await f.readOrder(later)).toMatchObject({ state: 'refunded', paidAmount: 0 })
  expect((await f.t.call(getBill, { id: defined(later.billId) }, f.me)).state).toBe('abolished')
  expect(await f.readCar(row)).toMatchObject({ beginDate: '2026-11-21', endDate: '2026-11-21' })
  // The later alone, as before.
  const other = await paidCar()
  const next = await f.renew(await f.readCar(other.row))
  await f.pay(next)
  expect(await f.t.call(quoteRefund, { id: next.id }, f.me)).toMatchObject({ amount: 30_000, isWhole: true })
})

it('parts are approved by their sum, with one decision; rejected, all stays as it was (REF-3)', async () => {
  const audit = async (value: string) =>
    f.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value }, f.me)
  const twice = async () => {
    const row = await f.addCar()
    const order = await f.renew(row)
    await f.pay(order, asFen(15_000))
    await f.pay(order, asFen(15_000))
    return { row, order }
  }
  const [rejected, passed, cancelled] = [await twice(), await twice(), await twice()]
  const { as: auditor } = await f.t.addClerk(['payments.refund.view', 'payments.refund.audit'])
  await audit('200')
  for (const { order } of [rejected, passed, cancelled]) {
    expect((await f.t.call(refundMonthOrder, { id: order.id, ...cash }, f.me)).state).toBe('paid')
  }
  const decide = async ({ row }: typeof passed, pass: boolean) => {
    const [, second] = await refundsOf(row)
    await f.t.call(auditRefund, { id: defined(second).id, pass, note: '核对' }, auditor)
    return (await refundsOf(row)).map(({ state }) => state)
  }
  expect(await decide(rejected, false)).toEqual(['rejected', 'rejected'])
  expect(await f.readOrder(rejected.order)).toMatchObject({ state: 'paid', paidAmount: 30_000 })
  expect((await f.readCar(rejected.row)).endDate).toBe('2026-12-31')
  expect(await decide(passed, true)).toEqual(['done', 'done'])
  expect((await f.readOrder(passed.order)).state).toBe('refunded')
  expect((await f.readCar(passed.row)).endDate).toBe('2026-11-30')
  const [first] = await refundsOf(cancelled.row)
  await f.t.call(cancelRefund, { id: defined(first).id, reason: '不退了' }, f.me)
  expect((await refundsOf(cancelled.row)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  // Free to be asked for again.
  await audit('99999999')
  await f.t.call(refundMonthOrder, { id: cancelled.order.id, ...cash }, f.me)
  expect((await f.readOrder(cancelled.order)).state).toBe('refunded')
})

it('where one of the payments cannot go back, none does', async () => {
  const row = await f.addCar()
  const order = await f.renew(row)
  const { recordId } = await f.pay(order, asFen(10_000))
  await f.pay(order, asFen(20_000))
  const invoice = (amount: number) =>
    f.t.database.tx('*', tx =>
      tx.execute(sql`update pay_detail set invoiced_amount = ${amount} where record_id = ${recordId}`),
    )
  await invoice(100)
  const refund = f.t.call(refundMonthOrder, { id: order.id, ...cash }, f.me)
  expect(await refusalMessageOf(refund)).toContain('红冲')
  expect(await refundsOf(row)).toEqual([])
  expect(await f.readOrder(order)).toMatchObject({ state: 'paid', paidAmount: 30_000 })
  await invoice(0)
  await f.t.call(refundMonthOrder, { id: order.id, ...cash }, f.me)
  expect((await f.readOrder(order)).state).toBe('refunded')
})

it('a refund by the cashier that abolishes the bill takes the days back (REF-8)', async () => {
  const { row, order, recordId } = await paidCar()
  const { details } = await f.t.call(getRecord, { id: recordId }, f.me)
  const lines = details.map(({ id, principal }) => ({ detailId: id, principal, late: asFen(0) }))
  await f.t.call(
    requestRefund,
    { recordId, lines, refundWay: 'cash', billAfter: 'abolished', periodAfter: 'waived', reason: '办错' },
    f.me,
  )
  expect((await f.readOrder(order)).state).toBe('refunded')
  expect((await f.readCar(row)).endDate).toBe('2026-11-30')
})

it('a pay order holds the bill; the one that waits is answered again (PostPrePay, GetPayOrder)', async () => {
  const row = await f.addCar()
  const input = { carId: row.id, months: 1, expectAmount: asFen(30_000) }
  const opened = await f.t.call(prepayMonthCard, input, f.me)
  expect(opened).toMatchObject({ state: 'waiting', amount: 30_000, orderObj: row.plateNo })
  expect((await f.t.call(prepayMonthCard, input, f.me)).orderNo).toBe(opened.orderNo)
  expect((await f.t.call(getCarPayOrder, { carId: row.id }, f.me)).orderNo).toBe(opened.orderNo)
  expect(await refusalMessageOf(f.t.call(prepayMonthCard, { ...input, months: 2 }, f.me))).toContain(
    '已有待支付的月卡订单',
  )
  await f.t.call(closeOrder, { orderNo: opened.orderNo }, f.me)
  const again = await f.t.call(prepayMonthCard, input, f.me)
  expect((await f.t.call(listMonthOrders, { carId: [String(row.id)] }, f.me)).total).toBe(1)
  expect(again.orderNo).not.toBe(opened.orderNo)
  await f.t.call(
    payOrderOffline,
    { orderNo: again.orderNo, methods: [{ method: 'cash', amount: asFen(30_000) }] },
    f.me,
  )
  expect((await f.readCar(row)).endDate).toBe('2026-12-31')
  expect((await f.t.call(getCarPayOrder, { carId: row.id }, f.me)).state).toBe('paid')
})

it('the months that a bill is for are known by the bill (GetMonthCarDetailById)', async () => {
  const order = await f.renew(await f.addCar(), 3)
  expect(await f.t.call(getMonthCarDetail, { id: defined(order.billId) }, f.me)).toMatchObject({
    id: order.id,
    months: 3,
    newEnd: '2027-02-28',
  })
})

it('an order that nobody paid on its day ends with its bill; one that is paid in part stays', async () => {
  const order = await f.renew(await f.addCar())
  const begun = await f.renew(await f.addCar())
  await f.pay(begun, asFen(100))
  f.t.advanceClock(24 * 3_600_000)
  await cancelUnpaidOrders(f.t.app)
  await cancelUnpaidOrders(f.t.app)
  // Sessions have ended by then.
  const stored = await f.t.database.reader(f.t.ownerId).rows(sql`
    select state = ${code(monthOrderState, 'cancelled')} as is_cancelled, reason
    from park_month_order
    where owner_id = ${f.t.ownerId} and id = any(${[order.id, begun.id]}::bigint[])
    order by id
  `)
  expect(stored).toEqual([{ isCancelled: true, reason: '当日未支付' }, { isCancelled: false }])
})

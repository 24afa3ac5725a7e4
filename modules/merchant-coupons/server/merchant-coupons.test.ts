import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { parseId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { cancelRefund, requestRefund } from '#modules/payments/contract/refund.ts'
import { merchantCoupons, listActiveCoupons, updateCouponState } from '../contract/coupon.ts'
import { listOrderReturns, quoteOrderRefund, refundMerchantOrder } from '../contract/order-return.ts'
import {
  cancelMerchantOrder,
  getOrderAndDetails,
  listOrderPayments,
  merchantOrders,
} from '../contract/order.ts'
import { getMerchantPayOrder, prepayMerchantOrder } from '../contract/order-payment.ts'
import { listSettlements } from '../contract/settlement.ts'
import { merchantStockRecords } from '../contract/stock.ts'
import { listUsedTickets, withdrawTickets } from '../contract/ticket.ts'
import { CouponSite, projectCode } from './coupon-site.fixtures.ts'
import { expireMerchantCoupons } from './expiry.ts'
import { cancelUnpaidOrders } from './order-money.ts'

let s: CouponSite

beforeAll(async () => {
  s = await CouponSite.open()
})

afterAll(() => s?.t.close())

it('a coupon says what it is worth and how long; sold ones keep their value (C10.3)', async () => {
  const coupon = await s.addCoupon({ couponName: '两小时' })
  expect(coupon).toMatchObject({ state: 'on', soldQty: 0, parkName: s.site.park.name, feeItemName: '停车券' })
  expect(await faultTextsOf(s.addCoupon({ kind: 'free', faceValue: '3' }))).toEqual({
    FaceValue: '免费券不填面值',
  })
  expect(await faultTextsOf(s.addCoupon({ validDays: undefined }))).toMatchObject({
    ValidDays: '有效天数与截止日期至少填写一项',
  })
  expect(await refusalMessageOf(s.addCoupon({ couponName: '两小时' }))).toBe(
    '该停车场已有同名停车券，请更换名称',
  )
  const off = await s.t.call(updateCouponState, { id: coupon.id }, s.me)
  expect(off.state).toBe('off')
  const active = await s.t.call(listActiveCoupons, { parkCode: defined(s.site.park.code) }, s.me)
  expect(active.map(({ id }) => id)).not.toContain(coupon.id)
  const shop = await s.addShop()
  expect(await faultTextsOf(s.order(shop, coupon, 1))).toMatchObject({
    Details: '停车券「两小时」已停用，请选择其他停车券',
  })
})

it('a purchase is a bill; paid, it gives the stock, and the income is booked (PAY-4)', async () => {
  const [shop, coupon] = [await s.addShop(), await s.addCoupon({ totalQty: 40 })]
  const order = await s.order(shop, coupon, 30, { discountAmount: asFen(1_000) })
  expect(order).toMatchObject({ totalQty: 30, totalAmount: 15_000, payableAmount: 14_000, state: 'pending' })
  expect(await s.balance(shop, coupon)).toBe(0)
  expect(await refusalMessageOf(s.order(shop, coupon, 11))).toContain('还可售 10 张')
  const { rows: bills } = await s.t.call(listBills, { projectCode, keyword: shop.name }, s.me)
  expect(bills).toMatchObject([{ amount: 14_000, feeItemName: '停车券', sourceName: shop.name }])
  expect(await faultTextsOf(s.pay({ ...order, payableAmount: asFen(1) }))).toEqual({
    Amount: '应收 140.00 元，请按此金额登记',
  })
  expect(await s.pay(order)).toMatchObject({ state: 'paid', paidAmount: 14_000, payMethod: 'transfer' })
  expect(await s.balance(shop, coupon)).toBe(30)
  const [payment] = await s.t.call(listOrderPayments, { id: order.id }, s.me)
  expect(payment).toMatchObject({ amount: 14_000, payMethod: 'transfer' })
  const { details } = await s.t.call(getOrderAndDetails, { id: order.id }, s.me)
  expect(details).toMatchObject([{ couponName: coupon.couponName, qty: 30, unitPrice: 500, amount: 15_000 }])
})

it('a payment that is made void takes the stock, unless it was presented', async () => {
  const { shop, coupon, order } = await s.stocked(3)
  const [payment] = await s.t.call(listOrderPayments, { id: order.id }, s.me)
  const { recordId } = defined(payment)
  await s.present(shop, coupon, '粤B10001')
  const undo = async () => s.t.call(voidRecord, { id: recordId, reason: '录入有误' }, s.me)
  expect(await refusalMessageOf(undo())).toContain('已发放，结余 2 张')
  const [ticket] = await s.tickets(shop)
  await s.t.call(withdrawTickets, { ids: [String(defined(ticket).id)], reason: '发错' }, s.me)
  await undo()
  expect(await s.readOrder(order)).toMatchObject({ state: 'pending', paidAmount: 0 })
  expect(await s.balance(shop, coupon)).toBe(0)
  const { rows } = await s.t.call(listSettlements, { projectCode, merchantId: [String(shop.id)] }, s.me)
  expect(rows).toMatchObject([{ boughtQty: 0, boughtAmount: 0, refundedQty: 0, presentedQty: 1 }])
  const ended = await s.t.call(cancelMerchantOrder, { id: order.id, reason: '不要了' }, s.me)
  expect(ended.state).toBe('cancelled')
  expect((await s.t.call(merchantCoupons.get, { id: coupon.id }, s.me)).soldQty).toBe(0)
})

it('a purchase is paid by a pay order; the one that waits is answered again (PAY-1)', async () => {
  const order = await s.order(await s.addShop(), await s.addCoupon(), 2)
  const first = await s.t.call(prepayMerchantOrder, { id: order.id }, s.me)
  expect(first).toMatchObject({ amount: 1_000, state: 'waiting' })
  expect((await s.t.call(prepayMerchantOrder, { id: order.id }, s.me)).orderNo).toBe(first.orderNo)
  expect((await s.t.call(getMerchantPayOrder, { id: order.id }, s.me)).url).toBe(first.url)
})

it('a plate gets no more a day than the coupon says; the others of the batch get theirs (TKT-13)', async () => {
  const { shop, coupon } = await s.stocked(10, { dayLimit: 1 })
  await s.present(shop, coupon, '粤B20001')
  const result = await s.present(shop, coupon, '粤b·20001', '粤B20002', '粤B20002', '粤B20003')
  expect(result).toMatchObject({
    success: 2,
    fail: 1,
    skipped: 1,
    rows: [{ code: '粤B20001', reason: '今日已领取 1 张，达到单车日限' }],
  })
  expect(await s.balance(shop, coupon)).toBe(7)
  const first = defined((await s.tickets(shop)).find(({ plateNo }) => plateNo === '粤B20001'))
  expect(first).toMatchObject({ validTo: '2026-11-22', state: 'unused' })
  await s.t.call(withdrawTickets, { ids: [String(first.id)], reason: '发错' }, s.me)
  // What was withdrawn counts no more.
  expect(await s.present(shop, coupon, '粤B20001')).toMatchObject({ success: 1 })
  expect(await s.stockFaults()).toBe(0)
})

it('a stay finds, keeps and uses the coupons of its plate; used ones stay used (TKT-12)', async () => {
  const { shop, coupon } = await s.stocked(5)
  const plateNo = '粤B30001'
  await s.present(shop, coupon, plateNo)
  const [stay, other] = [s.stayOf(plateNo, 901), s.stayOf(plateNo, 902)]
  const [found] = await stay.find('2026-11-21')
  const { key } = defined(found)
  expect(found).toMatchObject({ kind: 'minutes', value: 120, validTo: '2026-11-22' })
  expect(await stay.find('2026-11-23')).toEqual([])
  await stay.reserve(key)
  expect(await refusalMessageOf(other.use(key))).toContain('请重新计算停车费')
  const [ticket] = await s.tickets(shop)
  const kept = await s.t.call(withdrawTickets, { ids: [String(defined(ticket).id)], reason: '发错' }, s.me)
  expect(kept).toMatchObject({ success: 0, rows: [{ reason: '车主正在支付，请稍后再试' }] })
  await stay.release()
  await other.use(key)
  expect(await refusalMessageOf(stay.use(key))).toContain('已使用')
  const { rows } = await s.t.call(listUsedTickets, { projectCode, passNo: 'P902' }, s.me)
  expect(rows).toMatchObject([{ plateNo, usedValue: 300, state: 'used' }])
})

it('what is not presented goes back by its share of what was paid (REF-2)', async () => {
  const [shop, coupon] = [await s.addShop(), await s.addCoupon()]
  const order = await s.pay(await s.order(shop, coupon, 30, { discountAmount: asFen(1_500) }))
  await s.present(shop, coupon, '粤B40001', '粤B40002')
  expect(await s.t.call(quoteOrderRefund, { id: order.id }, s.me)).toMatchObject({ qty: 28, amount: 12_600 })
  const refund = { id: order.id, refundWay: 'cash', reason: '撤店' } as const
  expect(await s.t.call(refundMerchantOrder, refund, s.me)).toMatchObject({
    state: 'partRefunded',
    refundedQty: 28,
    refundedAmount: 12_600,
    paidAmount: 13_500,
    netAmount: 900,
  })
  expect(await s.balance(shop, coupon)).toBe(0)
  expect(await refusalMessageOf(s.t.call(refundMerchantOrder, refund, s.me))).toContain('没有可退的停车券')
  expect((await s.t.call(merchantCoupons.get, { id: coupon.id }, s.me)).soldQty).toBe(2)
  // The month of the merchant.
  const { rows } = await s.t.call(
    listSettlements,
    { projectCode, merchantId: [String(shop.id)], monthFrom: '2026-11', monthTo: '2026-11' },
    s.me,
  )
  expect(rows).toEqual([
    expect.objectContaining({
      boughtQty: 30,
      boughtAmount: 13_500,
      presentedQty: 2,
      usedQty: 0,
      refundedQty: 28,
      refundedAmount: 12_600,
      netAmount: 900,
    }),
  ])
})

/** A generator whose history can be repeated by its seed. */
const generator = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

it('an order goes back in steps: totals and settlement count what was kept (C10.3)', async () => {
  const random = generator(7_311)
  const coupon = await s.addCoupon({ sellPrice: asFen(333) })
  const shop = await s.addShop()
  const merchantId = [String(shop.id)]
  const refund = (id: number) =>
    s.t.call(refundMerchantOrder, { id: parseId(String(id)), refundWay: 'cash', reason: '退券' }, s.me)
  for (let round = 0; round < 4; round++) {
    const qty = 3 + random(6)
    const order = await s.pay(await s.order(shop, coupon, qty, { discountAmount: asFen(random(900)) }))
    const plates = Array.from({ length: 1 + random(qty - 1) }, (_, i) => `粤E${10_000 + round * 100 + i}`)
    await s.present(shop, coupon, ...plates)
    let back = 0
    for (let left = plates.length; ;) {
      const before = await s.readOrder(order)
      const quote = await s.t.call(quoteOrderRefund, { id: order.id }, s.me)
      const after = await refund(order.id)
      back += quote.amount
      expect(after).toMatchObject({
        refundedQty: before.refundedQty + quote.qty,
        refundedAmount: back,
        netAmount: order.paidAmount - back,
        state: left > 0 ? 'partRefunded' : 'refunded',
      })
      if (left === 0) break
      const unused = (await s.tickets(shop)).filter(ticket => ticket.state === 'unused')
      const ids = unused.slice(0, 1 + random(left)).map(({ id }) => String(id))
      await s.t.call(withdrawTickets, { ids, reason: '发错' }, s.me)
      left -= ids.length
      // Some orders are left as they are: partly returned.
      if (round === 3 && left > 0) break
    }
    expect(back).toBeLessThanOrEqual(order.paidAmount)
    const { rows, sum } = await s.t.call(merchantOrders.list, { projectCode, merchantId }, s.me)
    const counted = rows.filter(({ state }) => state !== 'refunded')
    for (const key of ['paidAmount', 'refundedAmount', 'netAmount', 'totalQty'] as const) {
      expect(sum?.[key]).toBe(counted.reduce((total, row) => total + row[key], 0))
    }
    const { rows: months } = await s.t.call(listSettlements, { projectCode, merchantId }, s.me)
    expect(months[0]?.netAmount).toBe(sum?.netAmount)
    expect(months[0]?.boughtQty).toBe(rows.reduce((total, row) => total + row.totalQty, 0))
    expect(months[0]?.refundedQty).toBe(rows.reduce((total, row) => total + row.refundedQty, 0))
  }
  expect(await s.stockFaults()).toBe(0)
})

it('a return waits for its approval; declined, the coupons are there again (REF-3)', async () => {
  const { shop, coupon, order } = await s.stocked(6)
  await s.present(shop, coupon, '粤B70001', '粤B70002')
  const ask = () => s.t.call(refundMerchantOrder, { id: order.id, refundWay: 'cash', reason: '撤店' }, s.me)
  await s.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '0' }, s.me)
  const asked = await ask()
  expect(asked).toMatchObject({ state: 'paid', refundedQty: 0, refundedAmount: 0, netAmount: 3_000 })
  expect(await s.balance(shop, coupon)).toBe(0)
  expect(await refusalMessageOf(ask())).toContain('已申请退券')
  await s.t.call(cancelRefund, { id: defined(asked.refundId), reason: '不退了' }, s.me)
  expect(await s.balance(shop, coupon)).toBe(4)
  await s.t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '99999999' }, s.me)
  expect(await ask()).toMatchObject({ state: 'partRefunded', refundedQty: 4, refundedAmount: 2_000 })
  const returns = await s.t.call(listOrderReturns, { id: order.id }, s.me)
  expect(returns.map(({ state, qty, amount }) => [state, qty, amount])).toEqual([
    ['declined', 4, 2_000],
    ['done', 4, 2_000],
  ])
})

it('a cashier who gives back the rest with the bill ends the order; it counts in no total', async () => {
  const { shop, coupon, order } = await s.stocked(4)
  await s.present(shop, coupon, '粤B80001')
  const cash = { id: order.id, refundWay: 'cash', reason: '撤店' } as const
  expect(await s.t.call(refundMerchantOrder, cash, s.me)).toMatchObject({ state: 'partRefunded' })
  const [ticket] = await s.tickets(shop)
  await s.t.call(withdrawTickets, { ids: [String(defined(ticket).id)], reason: '发错' }, s.me)
  const [payment] = await s.t.call(listOrderPayments, { id: order.id }, s.me)
  const { recordId } = defined(payment)
  const { details } = await s.t.call(getRecord, { id: recordId }, s.me)
  const lines = details.map(({ id }) => ({ detailId: id, principal: asFen(500), late: asFen(0) }))
  const rest = { recordId, lines, refundWay: 'cash', billAfter: 'abolished', periodAfter: 'waived' } as const
  await s.t.call(requestRefund, { ...rest, reason: '撤店' }, s.me)
  expect(await s.readOrder(order)).toMatchObject({
    state: 'refunded',
    refundedQty: 4,
    refundedAmount: 2_000,
    netAmount: 0,
  })
  expect(await s.balance(shop, coupon)).toBe(0)
  const { rows } = await s.t.call(listSettlements, { projectCode, merchantId: [String(shop.id)] }, s.me)
  expect(rows).toMatchObject([{ boughtQty: 4, refundedQty: 4, refundedAmount: 2_000, netAmount: 0 }])
})

it('a whole refund ends the order with its bill', async () => {
  const { shop, coupon, order } = await s.stocked(4)
  const refund = { id: order.id, refundWay: 'cash', reason: '撤店' } as const
  expect(await s.t.call(refundMerchantOrder, refund, s.me)).toMatchObject({
    state: 'refunded',
    refundedQty: 4,
    refundedAmount: 2_000,
  })
  expect(await s.balance(shop, coupon)).toBe(0)
})

it('coupons end with their day; what is left ends unless the order says otherwise', async () => {
  const coupon = await s.addCoupon({ validTo: '2026-12-31', validDays: undefined })
  const [one, two] = [await s.addShop(), await s.addShop()]
  await s.pay(await s.order(one, coupon, 5))
  const kept = await s.pay(await s.order(two, coupon, 5, { refundsExpired: true }))
  await s.present(one, coupon, '粤B50001')
  await s.t.database.tx('*', tx =>
    tx.execute(sql`
      update merchant_parking_coupon set valid_to = '2026-11-20' where id = ${coupon.id}
    `),
  )
  await s.t.database.tx('*', tx =>
    tx.execute(sql`
      update merchant_parking_ticket set valid_to = '2026-11-20' where coupon_id = ${coupon.id}
    `),
  )
  await expireMerchantCoupons(s.t.app)
  await expireMerchantCoupons(s.t.app)
  expect((await s.t.call(merchantCoupons.get, { id: coupon.id }, s.me)).state).toBe('expired')
  expect((await s.tickets(one)).map(({ state }) => state)).toEqual(['expired'])
  expect([await s.balance(one, coupon), await s.balance(two, coupon)]).toEqual([0, 5])
  const { rows } = await s.t.call(
    merchantStockRecords.list,
    { projectCode, merchantId: [String(one.id)], changeType: ['expired'] },
    s.me,
  )
  expect(rows).toMatchObject([{ qty: -4, balanceQty: 0 }])
  expect(await s.t.call(quoteOrderRefund, { id: kept.id }, s.me)).toMatchObject({ qty: 5, amount: 2_500 })
  expect(await refusalMessageOf(s.t.call(updateCouponState, { id: coupon.id, state: 'on' }, s.me))).toContain(
    '请编辑截止日期',
  )
})

it('an order that nobody pays for a week ends', async () => {
  const order = await s.order(await s.addShop(), await s.addCoupon(), 2)
  await cancelUnpaidOrders(s.t.app)
  expect((await s.readOrder(order)).state).toBe('pending')
  await s.t.database.tx('*', tx =>
    tx.execute(sql`update merchant_order set order_time = '2026-11-13 12:00+08' where id = ${order.id}`),
  )
  await cancelUnpaidOrders(s.t.app)
  expect(await s.readOrder(order)).toMatchObject({ state: 'cancelled', reason: '7 天内未支付' })
})

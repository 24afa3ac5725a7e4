import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { mergeBill, splitBill } from '#modules/bills/contract/adjustments.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { merchantCoupons } from '../contract/coupon.ts'
import { merchantOrders } from '../contract/order.ts'
import { CouponSite, projectCode } from './coupon-site.fixtures.ts'
import { merchantOrderRef } from './order-ref.ts'

let s: CouponSite

beforeAll(async () => {
  s = await CouponSite.open()
})

afterAll(() => s?.t.close())

it('an order whose bill is split keeps its coupons, and gives them with the last part (BILL-12, PAY-4)', async () => {
  const [shop, coupon] = [await s.addShop(), await s.addCoupon({ totalQty: 10 })]
  const order = await s.order(shop, coupon, 4)
  const { id } = defined(
    await s.t.database.reader(s.t.ownerId).one<{ id: Id }>(sql`
      select id
      from bill
      where owner_id = ${s.t.ownerId} and ref_type = ${merchantOrderRef} and ref_id = ${order.id}
    `),
  )
  const stateOf = async () => (await s.t.call(merchantOrders.get, { id: order.id }, s.me)).state
  const soldOf = async () => (await s.t.call(merchantCoupons.get, { id: coupon.id }, s.me)).soldQty
  const split = () => s.t.call(splitBill, { id, amount: asFen(500), reason: '分两次缴' }, s.me)
  await split()
  expect([await stateOf(), await soldOf()]).toEqual(['pending', 4])
  await s.t.call(mergeBill, { id, reason: '一次缴' }, s.me)
  expect([await stateOf(), await soldOf()]).toEqual(['pending', 4])
  for (const [at, part] of (await split()).entries()) {
    expect(await stateOf()).toBe('pending')
    const amount = asFen(at === 0 ? 500 : 1_500)
    const methods = [{ method: 'cash' as const, amount }]
    const paying = { projectCode, billIds: [String(part.id)], expectAmount: amount, methods }
    await s.t.call(payBills, paying, s.me)
  }
  expect([await stateOf(), await soldOf()]).toEqual(['paid', 4])
})

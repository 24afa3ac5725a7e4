import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { parseId } from '#kit/domain/id.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { fromInstant, addMinutes } from '#kit/domain/moment.ts'
import { merchants, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { claimCoupon, openClaim } from '../contract/claim.ts'
import { merchantCodes } from '../contract/code.ts'
import type { MerchantCoupon } from '../contract/coupon.ts'
import { refundMerchantOrder } from '../contract/order-return.ts'
import {
  buyAtShop,
  cancelAtShop,
  getShopLink,
  openShop,
  presentAtShop,
  renewShopLink,
  showShopCode,
  withdrawAtShop,
} from '../contract/shop.ts'
import { issueCodes, withdrawTickets } from '../contract/ticket.ts'
import { codeLinkOf } from './coupon-link.ts'
import { CouponSite, projectCode } from './coupon-site.fixtures.ts'

let s: CouponSite

beforeAll(async () => {
  s = await CouponSite.open()
})

afterAll(() => s?.t.close())

const plate = (i: number): string => `粤C${String(10_000 + i)}`
const tokenOf = (url: string | undefined): string =>
  defined(new URL(defined(url), 'http://here').searchParams.get('t'))
const done = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length

it('fifty presentations at once of a stock of thirty give thirty', async () => {
  const { shop, coupon } = await s.stocked(30)
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) => s.present(shop, coupon, plate(i))),
  )
  expect(done(results)).toBe(30)
  expect(await s.balance(shop, coupon)).toBe(0)
  expect(await s.tickets(shop)).toHaveLength(30)
  expect(await s.stockFaults()).toBe(0)
})

it('a plate that is given coupons from all sides at once gets as many as its day has (TKT-13)', async () => {
  const coupon = await s.addCoupon({ dayLimit: 2 })
  const shops = await Promise.all(Array.from({ length: 6 }, () => s.addShop()))
  for (const shop of shops) {
    await s.pay(await s.order(shop, coupon, 1))
  }
  const results = await Promise.all(shops.map(shop => s.present(shop, coupon, '粤C90001')))
  expect(results.reduce((sum, { success }) => sum + success, 0)).toBe(2)
  const balances = await Promise.all(shops.map(shop => s.balance(shop, coupon)))
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(4)
})

it('a coupon that is withdrawn and used at the same moment is one of both (TKT-12)', async () => {
  const { shop, coupon } = await s.stocked(8)
  const plates = Array.from({ length: 8 }, (_, i) => plate(200 + i))
  await s.present(shop, coupon, ...plates)
  const tickets = await s.tickets(shop)
  await Promise.allSettled(
    tickets.flatMap((ticket, i) => [
      s.stayOf(defined(ticket.plateNo), 5_000 + i).use(ticket.ticketNo),
      s.t.call(withdrawTickets, { ids: [String(ticket.id)], reason: '发错' }, s.me),
    ]),
  )
  const after = await s.tickets(shop)
  const used = after.filter(({ state }) => state === 'used').length
  expect(after.every(({ state }) => state === 'used' || state === 'withdrawn')).toBe(true)
  expect(await s.balance(shop, coupon)).toBe(8 - used)
  expect(await s.stockFaults()).toBe(0)
})

it('a coupon withdrawn while its car leaves is used and counted, or the car is asked for the fee', async () => {
  await s.site.addRule()
  const { shop, coupon } = await s.stocked(8)
  const plates = Array.from({ length: 8 }, (_, i) => plate(300 + i))
  const at = fromInstant(s.t.app.clock())
  for (const plateNo of plates) {
    await s.enter(plateNo, addMinutes(at, -50))
  }
  await s.present(shop, coupon, ...plates)
  const tickets = await s.tickets(shop)
  const answers = await Promise.all(
    tickets.flatMap(ticket => [
      s.site.report('out', defined(ticket.plateNo), at),
      s.t.call(withdrawTickets, { ids: [String(ticket.id)], reason: '发错' }, s.me),
    ]),
  )
  const opened = answers.filter(answer => 'isOpen' in answer && answer.isOpen).length
  const after = await s.tickets(shop)
  expect(after.filter(({ state }) => state === 'used')).toHaveLength(opened)
  const sums = await s.t.app.database.reader(s.t.ownerId).one<{ charged: number; used: number }>(sql`
    select (
        select coalesce(sum(coupon_amount), 0)::int from parking_charge where owner_id = ${s.t.ownerId}
      ) as charged,
      (
        select coalesce(sum(used_value), 0)::int
        from merchant_parking_ticket
        where owner_id = ${s.t.ownerId} and merchant_id = ${shop.id}
      ) as used
  `)
  expect(sums?.charged).toBe(sums?.used)
})

it('a coupon kept for one stay is not offered to another (TKT-12)', async () => {
  const { shop, coupon } = await s.stocked(1)
  await s.present(shop, coupon, '粤C77001')
  const [ticket] = await s.tickets(shop)
  const { ticketNo, validTo } = defined(ticket)
  const [first, second] = [s.stayOf('粤C77001', 7_001), s.stayOf('粤C77001', 7_002)]
  await first.reserve(ticketNo)
  expect(await first.find(validTo)).toHaveLength(1)
  expect(await second.find(validTo)).toEqual([])
  await first.release()
  expect(await second.find(validTo)).toHaveLength(1)
})

it('a payment that goes back gives its coupons back, as long as they are valid (TKT-12)', async () => {
  const { shop, coupon } = await s.stocked(1)
  await s.present(shop, coupon, '粤C78001')
  const { ticketNo, validTo } = defined((await s.tickets(shop))[0])
  const stay = s.stayOf('粤C78001', 7_800)
  await stay.use(ticketNo)
  expect(await stay.restore('2099-01-01')).toEqual([])
  expect((await s.tickets(shop))[0]).toMatchObject({ state: 'used', usedValue: 300 })
  expect(await stay.restore(validTo)).toEqual([{ key: ticketNo, discount: 300 }])
  expect((await s.tickets(shop))[0]).toMatchObject({ state: 'unused' })
  expect((await s.tickets(shop))[0]?.usedValue).toBeUndefined()
  expect(await s.stayOf('粤C78001', 7_801).find(validTo)).toHaveLength(1)
})

const issue = async (shop: Merchant, coupon: MerchantCoupon, qty: number): Promise<string[]> => {
  const { ids } = await s.t.call(issueCodes, { merchantId: shop.id, couponId: coupon.id, qty }, s.me)
  return Promise.all(
    ids.map(async id => tokenOf(await codeLinkOf(s.t.app, 'once', s.t.ownerId, parseId(id)))),
  )
}

it('a one-time code that two drivers scan at once is for one of them', async () => {
  const { shop, coupon } = await s.stocked(3, { dayLimit: 1 })
  const [token = '', second = ''] = await issue(shop, coupon, 2)
  expect(await s.balance(shop, coupon)).toBe(1)
  expect(await s.t.call(openClaim, { token })).toMatchObject({ merchantName: shop.name, isFixed: false })
  const results = await Promise.allSettled(
    ['粤C30001', '粤C30002', '粤C30003'].map(plateNo => s.t.call(claimCoupon, { token, plateNo })),
  )
  expect(done(results)).toBe(1)
  const bound = defined((await s.tickets(shop)).find(({ plateNo }) => plateNo !== undefined))
  expect((await s.t.call(openClaim, { token })).refusal).toBe('该停车券码已被领取')
  // The same driver has had one today.
  const again = s.t.call(claimCoupon, { token: second, plateNo: defined(bound.plateNo) })
  expect((await faultTextsOf(again)).PlateNo).toContain('达到单车日限')
  expect(await refusalMessageOf(s.t.call(openClaim, { token: `${token}x` }))).toContain('停车券码无效')
})

it('a fixed code gives one coupon for each stay in the car park', async () => {
  const { shop, coupon } = await s.stocked(5)
  const row = await s.t.call(
    merchantCodes.add,
    { projectCode, codeName: '收银台', merchantId: shop.id, couponId: coupon.id, state: 'on' },
    s.me,
  )
  const token = tokenOf(await codeLinkOf(s.t.app, 'fixed', s.t.ownerId, row.id))
  const claim = (plateNo: string) => s.t.call(claimCoupon, { token, plateNo })
  expect((await faultTextsOf(claim('粤C40001'))).PlateNo).toContain('车辆入场后领取')
  await s.enter('粤C40001', addMinutes(fromInstant(s.t.app.clock()), -3))
  const results = await Promise.allSettled([claim('粤C40001'), claim('粤C40001')])
  expect(done(results)).toBe(1)
  // One answer for a plate that is not inside and one that has had its coupon.
  expect((await faultTextsOf(claim('粤C40001'))).PlateNo).toBe(
    (await faultTextsOf(claim('粤C40009'))).PlateNo?.replace('粤C40009', '粤C40001'),
  )
  await s.enter('粤C40003', addMinutes(fromInstant(s.t.app.clock()), -3))
  expect(await claim('粤c·40003')).toMatchObject({ plateNo: '粤C40003' })
  expect(await s.balance(shop, coupon)).toBe(3)
  await s.t.call(merchantCodes.edit, { ...row, state: 'off' }, s.me)
  expect(await refusalMessageOf(claim('粤C40002'))).toContain('已停用')
})

it('who guesses plates at a fixed code is stopped, right ones too', async () => {
  const { shop, coupon } = await s.stocked(5)
  const row = await s.t.call(
    merchantCodes.add,
    { projectCode, codeName: '收银台', merchantId: shop.id, couponId: coupon.id, state: 'on' },
    s.me,
  )
  const token = tokenOf(await codeLinkOf(s.t.app, 'fixed', s.t.ownerId, row.id))
  const guess = (plateNo: string) => s.t.call(claimCoupon, { token, plateNo }, { ip: '10.7.7.7' })
  await s.enter('粤C41001', addMinutes(fromInstant(s.t.app.clock()), -3))
  for (let i = 0; i < 20; i++) {
    expect(await faultTextsOf(guess(plate(4_200 + i)))).toHaveProperty('PlateNo')
  }
  expect(await refusalMessageOf(guess('粤C41001'))).toContain('查询过于频繁')
  expect(await s.balance(shop, coupon)).toBe(5)
})

it('what costs nothing is given by staff, not taken at the page of the merchant', async () => {
  const shop = await s.addShop()
  const coupon = await s.addCoupon({ sellPrice: asFen(0) })
  const token = tokenOf((await s.t.call(getShopLink, { merchantId: shop.id }, s.me)).url)
  const taken = s.t.call(buyAtShop, { token, couponId: coupon.id, qty: 10_000 })
  expect((await faultTextsOf(taken)).CouponID).toContain('由物业发放')
  expect(await s.balance(shop, coupon)).toBe(0)
  expect((await s.order(shop, coupon, 3)).state).toBe('paid')
})

it('a merchant buys, presents and withdraws on its own page until its link ends', async () => {
  const { shop, coupon } = await s.stocked(2)
  const other = await s.stocked(1)
  const linkOf = () => s.t.call(getShopLink, { merchantId: shop.id }, s.me)
  const token = tokenOf((await linkOf()).url)
  const page = await s.t.call(presentAtShop, { token, couponId: coupon.id, plateNo: '粤c·50001' })
  expect(page).toMatchObject({ merchantName: shop.name, month: '2026-11', presentedQty: 1, usedQty: 0 })
  expect(page.coupons.find(({ couponId }) => couponId === coupon.id)).toMatchObject({ balance: 1 })
  const ticket = defined(page.tickets[0])
  await s.stayOf('粤C50001', 6_001).reserve(ticket.ticketNo)
  const withdraw = () => s.t.call(withdrawAtShop, { token, id: ticket.id, reason: '发错' })
  expect(await refusalMessageOf(withdraw())).toContain('正在支付')
  await s.stayOf('粤C50001', 6_001).release()
  expect(await withdraw()).toMatchObject({ presentedQty: 0 })
  // Another merchant's ticket is none of its own.
  await s.present(other.shop, other.coupon, '粤C50002')
  const [foreign] = await s.tickets(other.shop)
  const reach = s.t.call(withdrawAtShop, { token, id: defined(foreign).id, reason: '试探' })
  expect(await refusalMessageOf(reach)).toContain('停车券不存在')
  const { url } = await s.t.call(buyAtShop, { token, couponId: coupon.id, qty: 3 })
  expect(url).toContain('/api/pay/h5?')
  const { orders } = await s.t.call(openShop, { token })
  expect(orders).toMatchObject([{ totalQty: 3, payableAmount: 1_500 }])
  const { url: shown } = await s.t.call(showShopCode, { token, couponId: coupon.id })
  expect((await s.t.call(openClaim, { token: tokenOf(shown) })).isFixed).toBe(true)
  // The pay order that waits is closed with it.
  const cancelled = await s.t.call(cancelAtShop, { token, id: defined(orders[0]).id }, {})
  expect(cancelled.orders).toEqual([])
  await s.t.call(renewShopLink, { merchantId: shop.id, isVoid: false, reason: '手机丢失' }, s.me)
  expect(await refusalMessageOf(s.t.call(openShop, { token }))).toContain('链接无效')
  await s.t.call(openShop, { token: tokenOf((await linkOf()).url) })
  await s.t.call(renewShopLink, { merchantId: shop.id, isVoid: true, reason: '撤店' }, s.me)
  expect(await linkOf()).toMatchObject({ isVoid: true })
})

it('a merchant with coupons cannot be deleted', async () => {
  const { shop } = await s.stocked(2)
  const removal = s.t.call(merchants.delete, { ids: [String(shop.id)], reason: '撤店' }, s.me)
  expect(await refusalMessageOf(removal)).toContain('有结余的停车券 1 个')
})

/** A generator whose history can be repeated by its seed. */
const generator = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

it('after any history a stock is what was bought, presented, withdrawn and returned', async () => {
  const random = generator(20_261)
  const coupon = await s.addCoupon({ dayLimit: 3 })
  const shop = await s.addShop()
  const expected = { bought: 0, presented: 0, withdrawn: 0, refunded: 0 }
  for (let step = 0; step < 40; step++) {
    const what = random(4)
    if (what === 0) {
      const qty = 1 + random(5)
      const order = await s.pay(await s.order(shop, coupon, qty))
      expected.bought += qty
      if (random(3) === 0) {
        const input = { id: order.id, refundWay: 'cash', reason: '撤店' } as const
        const { refundedQty } = await s.t.call(refundMerchantOrder, input, s.me)
        expected.refunded += refundedQty
      }
    } else if (what === 3) {
      const ticket = (await s.tickets(shop)).find(({ state }) => state === 'unused')
      if (ticket) {
        const input = { ids: [String(ticket.id)], reason: '发错' }
        expected.withdrawn += (await s.t.call(withdrawTickets, input, s.me)).success
      }
    } else {
      const result = await Promise.allSettled([s.present(shop, coupon, plate(900 + random(3)))])
      expected.presented += result[0].status === 'fulfilled' ? result[0].value.success : 0
    }
    const { bought, presented, withdrawn, refunded } = expected
    expect(await s.balance(shop, coupon)).toBe(bought - presented + withdrawn - refunded)
  }
  expect(await s.stockFaults()).toBe(0)
  const unused = (await s.tickets(shop)).filter(({ state }) => state === 'unused').length
  expect(unused).toBe(expected.presented - expected.withdrawn)
  const sold = await s.t.app.database
    .reader(s.t.ownerId)
    .one<{ sold: number }>(sql`select sold_qty as sold from merchant_parking_coupon where id = ${coupon.id}`)
  expect(defined(sold).sold).toBe(expected.bought - expected.refunded)
})

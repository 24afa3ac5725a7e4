import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalOf, refusedTextsOf } from '#kit/server/fixtures/refusal.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { golden } from '#db/golden/golden-data.ts'
import { editNode, listNodes, listNodePrices } from '../contract/increment-node.ts'
import {
  addNodeOrder,
  addRenewal,
  cancelOrders,
  listAccountEntries,
  listOrders,
  getOrder,
  payByBalance,
  getRenewal,
  type ProductOrder,
} from '../contract/order.ts'
import { findPayableOrder } from './public.ts'
import { closeUnpaidOrders, expireSubscriptions, sendExpiryReminders } from './expiry.ts'
import { openProductFixtures, type ProductFixtures } from './products.fixtures.ts'

let { t, me, other, ownerId, getProductId, executeSql, resetCompany, payOrder, loadCompany } =
  castForTest<ProductFixtures>({})

beforeAll(async () => {
  ;({ t, me, other, ownerId, getProductId, executeSql, resetCompany, payOrder, loadCompany } =
    await openProductFixtures())
})

afterAll(() => t?.close())
const getOrderById = (id: Id): Promise<ProductOrder> => t.call(getOrder, { id }, me)

const cancelOrder = (o: ProductOrder): Promise<unknown> =>
  t.call(cancelOrders, { ids: [String(o.id)], reason: '不需要了' }, me)

describe('renewal', () => {
  it('RENEW-1, RENEW-2: 58.00 × 2 projects × 12 months; an order takes no effect before it is paid', async () => {
    await resetCompany(20, '2027-03-31')
    const r = await t.call(getRenewal, undefined, me)
    expect(r).toMatchObject({ edition: 'standard', expireDate: '2027-03-31', estates: 2, balance: 0 })
    expect(r.options.map(o => [o.productName, o.price, o.canChoose])).toEqual([
      ['标准版', 5800, true],
      ['专业版', 12_800, false],
    ])
    const o = await t.call(addRenewal, { productId: getProductId('STANDARD'), months: 12 }, me)
    expect(o).toMatchObject({
      kind: 'edition',
      productName: '标准版',
      quantity: 2,
      months: 12,
      unitPrice: 5800,
      amount: parseYuan('1392.00'),
      state: 'pending',
      closeTime: '2026-11-22 09:00:00',
      operatorName: '金一管理员',
    })
    expect(o.orderNo).toMatch(/^DD20261121\d{6}$/)
    expect((await t.call(getRenewal, undefined, me)).orderNo).toBe(o.orderNo)
    expect(
      await refusalMessageOf(t.call(addRenewal, { productId: getProductId('STANDARD'), months: 1 }, me)),
    ).toBe(`已有待支付的订单 ${o.orderNo}，请先支付或取消它`)
    expect(await t.call(listOrders, { state: ['pending'] }, me)).toMatchObject({
      total: 1,
      sum: { amount: parseYuan('1392.00') },
    })
    await cancelOrder(o)
    expect(await getOrderById(o.id)).toMatchObject({ state: 'cancelled', cancelReason: '不需要了' })
    expect(await refusalMessageOf(cancelOrder(o))).toBe(`订单 ${o.orderNo} 已经取消`)
    expect(await loadCompany()).toMatchObject({ edition: 20, expireDate: '2027-03-31' })
    expect((await t.call(listOrders, {}, other)).rows.every(x => x.orderNo !== o.orderNo)).toBe(true)
  })
  it('RENEW-4: what cannot be renewed is refused, at its field where there is one', async () => {
    await resetCompany(30, '2027-03-31')
    expect(
      await refusalMessageOf(t.call(addRenewal, { productId: getProductId('STANDARD'), months: 12 }, me)),
    ).toBe('当前版本未到期，只能续费当前版本；到期后可以改选「标准版」')
    expect(
      (await refusalOf(t.call(addRenewal, { productId: getProductId('PROFESSIONAL'), months: 5 }, me))).data,
    ).toEqual([{ Field: 'Months', Message: '请选择 1、3、6、12、24 或 36 个月' }])
    expect(
      await refusalMessageOf(t.call(addRenewal, { productId: getProductId('NODE-DOOR'), months: 1 }, me)),
    ).toBe('请选择要续费的版本')
    await resetCompany(30, null)
    expect(
      await refusalMessageOf(t.call(addRenewal, { productId: getProductId('PROFESSIONAL'), months: 12 }, me)),
    ).toBe('公司无到期日期，长期有效，无需续费')
  })
  it('RENEW-2: paid before the end it extends from there, after it from today; ten reports of one payment extend once', async () => {
    await resetCompany(20, '2027-03-31')
    const o = await t.call(addRenewal, { productId: getProductId('STANDARD'), months: 12 }, me)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => payOrder(o, 'wechat-1')))
    expect(outcomes.toSorted()).toEqual([...Array<string>(9).fill('again'), 'paid'])
    expect(await loadCompany()).toMatchObject({ edition: 20, expireDate: '2028-03-31' })
    expect(await getOrderById(o.id)).toMatchObject({
      state: 'paid',
      payMethod: 'wechat',
      transactionId: 'wechat-1',
      oldExpire: '2027-03-31',
      newExpire: '2028-03-31',
      payTime: '2026-11-21 09:00:00',
    })
    await resetCompany(20, '2026-11-20')
    const late = await t.call(addRenewal, { productId: getProductId('PROFESSIONAL'), months: 1 }, me)
    await payOrder(late, 'wechat-2')
    expect(await loadCompany()).toMatchObject({ edition: 30, expireDate: '2026-12-21', state: 10 })
  })
  it('several renewals at once create one order; the others are refused', async () => {
    await resetCompany(20, '2027-03-31')
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        t.call(addRenewal, { productId: getProductId('STANDARD'), months: 1 }, me),
      ),
    )
    expect(results.filter(r => r.status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ message: expect.stringMatching(/已有待支付的(续费)?订单/) })
      }
    }
    expect((await t.call(listOrders, { state: ['pending'] }, me)).total).toBe(1)
  })
  it('RENEW-3: a wrong amount is refused; a payment of a cancelled or paid order is added to the balance, once', async () => {
    await resetCompany(20, '2027-03-31')
    const o = await t.call(addRenewal, { productId: getProductId('STANDARD'), months: 1 }, me)
    expect(await findPayableOrder(t.database.reader(ownerId), ownerId, o.orderNo)).toEqual({
      orderNo: o.orderNo,
      title: '标准版',
      amount: 11_600,
      isPayable: true,
    })
    expect(await refusalMessageOf(payOrder(o, 'wechat-3', 1))).toBe('付款 0.01 元与订单金额 116.00 元不符')
    await cancelOrder(o)
    expect((await Promise.all(Array.from({ length: 5 }, () => payOrder(o, 'wechat-4')))).toSorted()).toEqual([
      'again',
      'again',
      'again',
      'again',
      'credited',
    ])
    expect(await loadCompany()).toMatchObject({ expireDate: '2027-03-31' })
    const again = await t.call(addRenewal, { productId: getProductId('STANDARD'), months: 1 }, me)
    expect(await payOrder(again, 'wechat-5')).toBe('paid')
    expect(await payOrder(again, 'wechat-6')).toBe('credited')
    expect(await t.call(getRenewal, undefined, me)).toMatchObject({
      balance: 23_200,
      expireDate: '2027-04-30',
    })
    expect(
      (await t.call(listAccountEntries, {}, me)).rows.map(e => [e.entryType, e.amount, e.balance, e.orderNo]),
    ).toEqual([
      ['late', 11_600, 23_200, again.orderNo],
      ['late', 11_600, 11_600, o.orderNo],
    ])
  })
})

describe('balance', () => {
  it('pays an order when it is enough; two orders at once never spend the same money', async () => {
    await resetCompany(30, '2027-03-31', '200.00')
    const buy = (quantity: number): Promise<ProductOrder> =>
      t.call(addNodeOrder, { productId: getProductId('NODE-DOOR'), quantity, months: 12 }, me)
    const [a, b] = [await buy(1), await buy(1)]
    expect(a.amount).toBe(14_400)
    const results = await Promise.allSettled([a, b].map(o => t.call(payByBalance, { id: o.id }, me)))
    expect(results.map(r => r.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(refusedTextsOf(results)).toEqual(['余额不足：余额 56.00 元，订单 144.00 元'])
    const [done] = (await t.call(listOrders, { state: ['paid'] }, me)).rows
    expect(done).toMatchObject({ payMethod: 'balance', newExpire: '2027-11-21' })
    expect(await refusalMessageOf(t.call(payByBalance, { id: defined(done).id }, me))).toBe(
      `订单 ${defined(done).orderNo} 已经支付`,
    )
    const rest = defined((await t.call(listOrders, { state: ['pending'] }, me)).rows[0])
    await cancelOrder(rest)
    expect(await refusalMessageOf(t.call(payByBalance, { id: rest.id }, me))).toBe(
      `订单 ${rest.orderNo} 已经取消`,
    )
    expect(
      (await t.call(listAccountEntries, {}, me)).rows.map(e => [e.entryType, e.amount, e.balance]),
    ).toEqual([['pay', -14_400, 5600]])
  })
})

describe('value-added nodes', () => {
  it('is opening while its order is pending, open once it is paid, expired after its last day, open again when renewed', async () => {
    await resetCompany(30, '2027-12-31')
    const o = await t.call(
      addNodeOrder,
      { productId: getProductId('NODE-LANE'), quantity: 2, months: 1, nodeName: '南门车道' },
      me,
    )
    const node = async () => defined((await t.call(listNodes, {}, me)).rows[0])
    expect(o).toMatchObject({ quantity: 2, months: 1, amount: 12_000 })
    expect(await node()).toMatchObject({ nodeName: '南门车道', state: 'opening', price: 6000 })
    expect((await node()).expireDate).toBeUndefined()
    await payOrder(o, 'wechat-10')
    expect(await node()).toMatchObject({ state: 'open', beginDate: '2026-11-21', expireDate: '2026-12-21' })
    expect((await t.call(listNodePrices, undefined, me)).find(x => x.nodeType === 'lane')).toMatchObject({
      price: 6000,
      openCount: 2,
      openingCount: 0,
    })
    await t.call(editNode, { id: (await node()).id, nodeName: '南门双车道', remark: '一进一出' }, me)
    await expireSubscriptions(t.app, '2026-12-21')
    expect((await node()).state).toBe('open')
    await expireSubscriptions(t.app, '2026-12-22')
    expect(await node()).toMatchObject({ state: 'expired', nodeName: '南门双车道' })
    const order = await t.call(
      addNodeOrder,
      { productId: getProductId('NODE-LANE'), nodeId: (await node()).id, months: 3 },
      me,
    )
    expect(
      await refusalMessageOf(
        t.call(
          addNodeOrder,
          { productId: getProductId('NODE-LANE'), nodeId: (await node()).id, months: 3 },
          me,
        ),
      ),
    ).toBe('该节点已有待支付的订单，请先支付或取消它')
    await payOrder(order, 'wechat-11')
    expect(await node()).toMatchObject({ state: 'open', quantity: 2, expireDate: '2027-03-21' })
    expect((await t.call(listNodes, {}, me)).total).toBe(1)
  })
  it('RENEW-6: reminds 30, 7 and 1 days ahead those who may see it, and on no other day', async () => {
    await resetCompany(30, '2027-12-31')
    for (const n of ['东门', '西门']) {
      await payOrder(
        await t.call(
          addNodeOrder,
          { productId: getProductId('NODE-DOOR'), quantity: 1, months: 1, nodeName: n },
          me,
        ),
        `wechat-50${n}`,
      )
    }
    const remind = async (today: Day): Promise<(readonly [number, string, string | undefined])[]> => {
      await executeSql(sql`delete from notification where owner_id = ${ownerId}`)
      await sendExpiryReminders(t.app, today)
      return (
        await t.database
          .reader(ownerId)
          .rows<{ receiverId: Id; title: string; body?: string }>(
            sql`select receiver_id, title, body from notification where owner_id = ${ownerId} order by id`,
          )
      ).map(r => [r.receiverId, r.title, r.body] as const)
    }
    const idOf = async (login: string): Promise<number> =>
      defined(
        await t.database
          .reader(ownerId)
          .one<{ id: Id }>(sql`select id from manager where login_code = ${login}`),
      ).id
    const boss = await idOf(golden.first.owner)
    const cashier = await idOf(golden.first.ofRole('cashier'))
    for (const [day, n] of [
      ['2026-11-21', 30],
      ['2026-12-14', 7],
      ['2026-12-20', 1],
    ] as const) {
      const all = await remind(day)
      expect(all.find(x => x[0] === boss)).toEqual([
        boss,
        `2 项增值服务还有 ${n} 天到期`,
        '东门、西门，2026-12-21 到期',
      ])
      expect(all.some(x => x[0] === cashier)).toBe(false)
    }
    expect(await remind('2026-12-13')).toEqual([])
    expect((await remind('2027-12-24')).find(x => x[0] === boss)).toEqual([
      boss,
      '公司账户还有 7 天到期',
      '2027-12-31 到期，请及时续费',
    ])
  })
  it('SMS messages are bought by the piece, from a thousand, and do not expire', async () => {
    await resetCompany(30, '2027-12-31')
    expect(
      (await refusalOf(t.call(addNodeOrder, { productId: getProductId('NODE-SMS'), quantity: 999 }, me)))
        .data,
    ).toEqual([{ Field: 'Quantity', Message: '至少 1000 条' }])
    const o = await t.call(addNodeOrder, { productId: getProductId('NODE-SMS'), quantity: 20_000 }, me)
    expect(o.amount).toBe(parseYuan('1000.00'))
    await payOrder(o, 'wechat-12')
    const [n] = (await t.call(listNodes, {}, me)).rows
    expect(n).toMatchObject({ state: 'open', quantity: 20_000 })
    expect(defined(n).expireDate).toBeUndefined()
    expect(
      await refusalMessageOf(
        t.call(addNodeOrder, { productId: getProductId('NODE-SMS'), nodeId: defined(n).id }, me),
      ),
    ).toBe('「短信」用完为止，无需续费，可再次购买')
  })
  it('RENEW-3: an unpaid order is closed after a day and its node deleted; a later payment goes to the balance', async () => {
    await resetCompany(30, '2027-12-31')
    const o = await t.call(addNodeOrder, { productId: getProductId('NODE-SEAT'), quantity: 1, months: 6 }, me)
    await executeSql(
      sql`
        update product_order set close_time = close_time - interval '23 hours 59 minutes' where id = ${o.id}
      `,
    )
    expect(await closeUnpaidOrders(t.app)).toBe(0)
    await executeSql(
      sql`update product_order set close_time = close_time - interval '1 minute' where id = ${o.id}`,
    )
    expect(await closeUnpaidOrders(t.app)).toBe(1)
    expect(await getOrderById(o.id)).toMatchObject({ state: 'closed' })
    expect((await t.call(listNodes, {}, me)).total).toBe(0)
    expect(await refusalMessageOf(t.call(payByBalance, { id: o.id }, me))).toBe(
      `订单 ${o.orderNo} 已超过支付时间关闭，请重新下单`,
    )
    expect(await payOrder(o, 'wechat-13')).toBe('credited')
    expect((await t.call(listNodes, {}, me)).total).toBe(0)
  })
  it('of a payment and a cancellation at the same moment one succeeds completely', async () => {
    await resetCompany(30, '2027-12-31')
    for (let i = 0; i < 6; i++) {
      const o = await t.call(
        addNodeOrder,
        { productId: getProductId('NODE-DOOR'), quantity: 1, months: 1, nodeName: `争 ${i}` },
        me,
      )
      await Promise.allSettled([payOrder(o, `wechat-2${i}`), cancelOrder(o)])
      const settled = await getOrderById(o.id)
      const nodes = (await t.call(listNodes, { keyword: `争 ${i}` }, me)).rows
      expect([settled.state, nodes.map(n => n.state)]).toEqual(
        settled.state === 'paid' ? ['paid', ['open']] : ['cancelled', []],
      )
    }
  })
})

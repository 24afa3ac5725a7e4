import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { confirmPayment } from '#modules/payments/server/public.ts'
import { getSimulator } from '#modules/payments/server/simulator/gateway.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { getOrderLink } from '../contract/order.ts'
import { followOrder, rewardAsResident } from '../contract/resident.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import { openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture
let count = 0

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
  Object.assign(w.t.app, { originUrl: () => 'http://127.0.0.1:9' })
  await getSimulator(w.t.app, { slow: 10, late: 10, again: [] })
  await w.t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, w.owner)
})

afterAll(() => w?.close())

const setReward = (key: 'reward' | 'rewardIncome', enabled: boolean) =>
  w.t.call(setFunctionSettings, { settings: [{ key, enabled }] }, w.owner)

async function rated() {
  const type = await w.addType()
  const { id } = await b.finishedOf(type.id, asFen(0))
  const { token } = await w.t.call(getOrderLink, { id }, w.owner)
  const best = { speedScore: 5, attitudeScore: 5, qualityScore: 5 }
  const rate = () => w.t.call(evaluateOrder, { orderId: id, ...best }, w.front)
  return { id, token, rate }
}

/** The tip is paid by its pay order; what the books say of it. */
async function payTip(orderNo: string, amount: Fen) {
  const { ownerId } = w.t
  const db = w.t.database.reader(ownerId)
  const order = defined(await db.one<{ id: Id }>(sql`select id from pay_order where order_no = ${orderNo}`))
  await confirmPayment(w.t.app, ownerId, order.id, {
    transactionId: `43${String(++count).padStart(26, '0')}`,
    amount,
    channel: 'wechat',
    source: 'notified',
  })
  return db.one<{ received: string; income: string }>(sql`
    select received_amount::text as received, income_amount::text as income
    from pay_record
    where owner_id = ${ownerId} and pay_order_id = ${order.id}
  `)
}

it('WO-9: the reporter tips by the link once the order is rated; it is no income of the company', async () => {
  const { token, rate } = await rated()
  const tip = () => w.t.call(rewardAsResident, { token, amount: asFen(1000) })
  expect(await refusalMessageOf(tip())).toContain('完成评价后')
  await rate()
  expect(await w.t.call(followOrder, { token })).toMatchObject({ state: 'completed', canReward: true })
  const { orderNo, amount } = await tip()
  expect(await payTip(orderNo, amount)).toEqual({ received: '10.00', income: '0.00' })
  const tooMuch = w.t.call(rewardAsResident, { token, amount: asFen(100_001) })
  expect(await refusalTextOf(tooMuch)).toContain('1000')
})

it('WO-9: a tip is income where the company says so, and not offered where it takes none', async () => {
  const { token, rate } = await rated()
  await rate()
  await setReward('rewardIncome', true)
  const { orderNo, amount } = await w.t.call(rewardAsResident, { token, amount: asFen(500) })
  expect(await payTip(orderNo, amount)).toEqual({ received: '5.00', income: '5.00' })
  await setReward('reward', false)
  expect((await w.t.call(followOrder, { token })).canReward).toBe(false)
  const refused = w.t.call(rewardAsResident, { token, amount: asFen(500) })
  expect(await refusalMessageOf(refused)).toBe('公司未开启打赏')
})

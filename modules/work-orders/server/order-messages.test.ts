import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { bookReports } from '#modules/messaging/server/booking.ts'
import { dispatchMessages } from '#modules/messaging/server/public.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import { queryOrder } from '#modules/payments/contract/order.ts'
import { openKillableServer } from '#db/golden/killable-server.ts'
import { createRewardOrder, listCharges, remindPayment } from '../contract/charge.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { orderRecords } from '../contract/record.ts'
import { acceptOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { getTimeWarnings, setTimeWarnings } from '../contract/settings.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'
import { fireWarnings } from './time-warnings.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture({ handlerCount: 1 })
})

afterAll(() => w?.close())

const handler = () => defined(w.handlers[0])

async function finished(amount: number, more: Parameters<OrderFixture['register']>[0] = {}) {
  const order = await w.register(more)
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  const lines = [{ lineKind: 'labour', name: '上门维修', quantity: '1', price: asFen(amount) }] as const
  return w.t.call(
    finishOrder,
    { id: order.id, resultText: '已处理', ...(amount ? { lines: [...lines] } : {}) },
    handler().as,
  )
}

const sentBy = (template: string) => deliveredSms(w.t.app).filter(sms => sms.template === template)

it('WO-8: the reminder to pay reaches the reporter with the link of the order, once in ten minutes', async () => {
  const order = await finished(2000, { reporterName: '李女士', reporterPhone: '13800000021' })
  await w.t.call(remindPayment, { orderId: order.id }, w.supervisor)
  await dispatchMessages(w.t.app)
  expect(sentBy('workOrderPay')).toHaveLength(1)
  const [sms] = sentBy('workOrderPay')
  expect(sms).toMatchObject({ mobile: '13800000021', params: { orderNo: order.orderNo } })
  expect(sms?.params.url).toMatch(/^http:\/\/localhost\/repair\?t=/)
  expect(await refusalMessageOf(w.t.call(remindPayment, { orderId: order.id }, w.supervisor))).toContain(
    '10 分钟内请勿重复催付',
  )
})

it('WO-8: a reminder to pay that reached nobody is noted in the order, and another need not wait', async () => {
  const order = await finished(2000, { reporterName: '李女士', reporterPhone: '13800000023' })
  await w.t.call(remindPayment, { orderId: order.id }, w.supervisor)
  await dispatchMessages(w.t.app)
  await w.t.database.tx(w.t.ownerId, async tx => {
    const sent = await tx.one<{ id: number }>(sql`
      select id
      from outgoing_message
      where owner_id = ${w.t.ownerId} and source = 'workOrders.payment' and biz_id = ${order.id}
    `)
    const report = { id: asId(defined(sent).id), state: 'failed', reason: '空号' } as const
    await bookReports(tx, clockScope(w.t.app, w.t.ownerId), [report], fromInstant(w.t.app.clock()))
  })
  const { rows } = await w.t.call(
    orderRecords.list,
    { orderId: [String(order.id)], page: 1, size: 50 },
    w.supervisor,
  )
  expect(rows.map(({ content }) => content)).toContain('催付短信未送达：空号，请电话联系或重新催付')
  await w.t.call(remindPayment, { orderId: order.id }, w.supervisor)
  await dispatchMessages(w.t.app)
  expect(sentBy('workOrderPay').filter(({ mobile }) => mobile === '13800000023')).toHaveLength(2)
})

it('WO-4: a warning by short message reaches the phone of who handles the order', async () => {
  await w.t.call(
    setTimeWarnings,
    {
      warnings: [{ stage: 'finish', offsetMinutes: -30, receivers: ['handler'], channels: ['site', 'sms'] }],
    },
    w.owner,
  )
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update manager set mobile = '13800000022' where id = ${handler().id}`),
  )
  const type = await w.addType({ finishMinutes: 60 })
  const order = await w.register({ typeId: type.id })
  await w.t.call(dispatchOrder, { id: order.id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id: order.id }, handler().as)
  await w.advance(40)
  await w.t.database.tx(w.t.ownerId, tx => fireWarnings(tx, w.t.app, w.t.ownerId))
  await dispatchMessages(w.t.app)
  expect(sentBy('workOrderWarning')).toMatchObject([{ mobile: '13800000022', params: { count: '1' } }])
})

it('WO-4: the warnings of a type are removed by an empty list, not by one that is left out', async () => {
  const type = await w.addType({ finishMinutes: 60 })
  const warning = { stage: 'finish', offsetMinutes: 0, receivers: ['handler'], channels: ['site'] } as const
  await w.t.call(setTimeWarnings, { typeId: type.id, warnings: [warning] }, w.owner)
  expect(await w.t.call(setTimeWarnings, { typeId: type.id, warnings: [] }, w.owner)).toEqual([])
  await w.t.call(setTimeWarnings, { typeId: type.id, warnings: [warning] }, w.owner)
  expect(await w.t.callRaw(setTimeWarnings, { typeId: type.id }, w.owner)).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '预警不能为空',
  })
  expect(await w.t.call(getTimeWarnings, { typeId: type.id }, w.owner)).toHaveLength(1)
})

/** The payer opens the address of the code, chooses WeChat, and pays on the page of the gateway. */
async function payOnPhone(origin: string, url: string): Promise<void> {
  const go = await fetch(`${origin}${url.replace('/api/pay/h5?', '/api/pay/go?')}&channel=wechat`, {
    redirect: 'manual',
  })
  const page = new URL(defined(go.headers.get('location')))
  const key = defined(page.searchParams.get('key'))
  const paid = await fetch(`${page.origin}${page.pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ how: 'normal', key }),
    redirect: 'manual',
  })
  expect(paid.status).toBe(303)
}

it('WO-9: a tip is for an order that is rated; paid on the simulator, it stands apart', async () => {
  const order = await finished(0)
  const tip = { orderId: order.id, amount: asFen(1000), remark: '师傅辛苦' }
  expect(await refusalMessageOf(w.t.call(createRewardOrder, tip, w.supervisor))).toContain('完成评价后')
  await w.t.call(
    evaluateOrder,
    { orderId: order.id, speedScore: 5, attitudeScore: 5, qualityScore: 5 },
    w.front,
  )
  await w.t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, w.owner)
  const server = await openKillableServer(w.t.database.url, w.t.dir)
  try {
    const pay = defined(await server.send(createRewardOrder, tip, w.supervisor)).decode()
    expect(pay.amount).toBe(1000)
    await payOnPhone(server.address, pay.url)
    await vi.waitFor(
      async () => {
        await server.send(queryOrder, { orderNo: pay.orderNo }, w.owner)
        const { rows } = await w.t.call(listCharges, { orderId: [String(order.id)] }, w.owner)
        expect(rows).toMatchObject([{ chargeKind: 'reward', state: 'paid', paidAmount: 1000 }])
      },
      { timeout: 15_000, interval: 200 },
    )
  } finally {
    await server.kill()
  }
}, 60_000)

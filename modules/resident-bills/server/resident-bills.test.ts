import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { confirmPayment } from '#modules/payments/server/order-confirmation.ts'
import { openHome } from '#modules/resident-page/contract/home.ts'
import { residentPageUrl } from '#modules/resident-page/server/public.ts'
import {
  cancelResidentOrder,
  getResidentOrder,
  getResidentReceipt,
  listResidentBills,
  payResidentBills,
} from '../contract/bills.ts'

const projectCode = 'GOLD0001'

interface Home {
  readonly userId: Id
  readonly name: string
  readonly roomCode: string
  readonly token: string
}

let harness: PaymentHarness
let t: PaymentHarness['t']
let item: Id
let deposit: Id
let homes: Home[]
let next = 0

beforeAll(async () => {
  harness = await openPaymentHarness()
  ;({ t } = harness)
  item = await t.addFeeItem('PHONE', { name: '手机缴费测试', feeType: 'temporary', multi: true, late: true })
  deposit = await t.addFeeItem('PHONEDEP', { name: '装修押金测试', feeType: 'deposit', multi: true })
  const people = await t.database.reader(t.ownerId).rows<Omit<Home, 'token'>>(sql`
    select p.id as user_id, p.name, min(r.code) as room_code
    from resident p
    join user_room l on l.owner_id = ${t.ownerId} and l.user_id = p.id and l.delete_tag = 0
    join room r on r.owner_id = ${t.ownerId} and r.id = l.room_id
    where p.owner_id = ${t.ownerId}
      and p.state = 10
      and p.delete_tag = 0
      and l.project_code = ${projectCode}
      and l.status = 20
      and l.relation = 10
      and r.payer_id = p.id
      and r.payer_kind = 10
      and not exists (
        select 1 from company_worker w where w.owner_id = ${t.ownerId} and w.user_id = p.id
      )
    group by p.id, p.name
    having count(*) = 1
    order by p.id
    limit 12
  `)
  homes = await Promise.all(
    people.map(async person => {
      const url = defined(await residentPageUrl(t.app, t.ownerId, person.userId))
      return { ...person, token: defined(new URL(url, 'http://here').searchParams.get('t')) }
    }),
  )
})

afterAll(() => harness?.close())

const nextHome = (): Home => defined(homes[next++])

const bill = async ({ roomCode }: Home, amount: Fen, feeItemId = item): Promise<string> => {
  const { ids } = await t.call(
    addTempFee,
    {
      projectCode,
      feeItemId,
      amount,
      sources: [{ sourceType: 'room', sourceCode: roomCode }],
      beginDate: '2026-11-01',
      endDate: '2026-11-30',
      dueDate: '2026-12-31',
    },
    harness.me,
  )
  return defined(ids[0])
}

const list = ({ token }: Home) => t.call(listResidentBills, { token })
const shownOf = async (home: Home, id: string) =>
  (await list(home)).bills.find(line => String(line.billId) === id)
const pay = ({ token }: Home, billIds: readonly string[], amount: Fen) =>
  t.call(payResidentBills, { token, billIds, amount })
const resultOf = ({ token }: Home, orderNo: string) => t.call(getResidentOrder, { token, orderNo })
const atCounter = (billIds: readonly string[], amount: Fen) =>
  t.call(
    payBills,
    { projectCode, billIds, expectAmount: amount, methods: [{ method: 'cash', amount }] },
    harness.me,
  )
const paymentsOf = (id: string) =>
  t.database.reader(t.ownerId).rows<{ recordId: Id }>(sql`
    select record_id from pay_detail where owner_id = ${t.ownerId} and bill_id = ${Number(id)}
  `)

const expectSoundBooks = async (): Promise<void> =>
  expect(await findViolations(t.database.reader(t.ownerId), t.ownerId)).toEqual([])

it('a resident sees what the home owes, pays it on the phone and gets its receipt (PAY-1, PAY-4)', async () => {
  const home = nextHome()
  const first = await bill(home, asFen(12_300))
  const second = await bill(home, asFen(700))
  const [{ total }, line] = [defined(await shownOf(home, first)), defined(await shownOf(home, second))]
  expect([total, line.total]).toEqual([12_300, 700])
  expect(line).toMatchObject({ isSelected: true, payerName: home.name.replaceAll(/(?<=.)./gu, '*') })
  const parts = (await t.call(openHome, { token: home.token })).parts
  const count = (await list(home)).bills.length
  expect(parts.find(part => part.key === 'bills')).toMatchObject({ title: '我的账单', count })
  const order = await pay(home, [first, second], asFen(13_000))
  expect(await resultOf(home, order.orderNo)).toMatchObject({ state: 'waiting', amount: 13_000 })
  expect((await shownOf(home, first))?.refusal).toContain('正在支付中')
  expect((await list(home)).openOrders).toMatchObject([{ orderNo: order.orderNo, amount: 13_000 }])
  await harness.pay(order, 'normal')
  const paid = await waitUntil(
    () => resultOf(home, order.orderNo),
    ({ state }) => state === 'paid',
  )
  expect(paid).toMatchObject({ state: 'paid', isCredited: false })
  const recordId = defined(paid.recordId)
  expect(await t.call(getResidentReceipt, { token: home.token, recordId })).toMatchObject({
    amount: 13_000,
    method: 'wechat',
    details: [{ principal: 12_300 }, { principal: 700 }],
  })
  const after = await list(home)
  expect(after.bills.filter(each => [first, second].includes(String(each.billId)))).toEqual([])
  expect(after.paid[0]).toMatchObject({ recordId, amount: 13_000, itemNames: '手机缴费测试' })
  expect(after.openOrders).toEqual([])
  await expectSoundBooks()
})

it('the bills of other homes are neither shown, nor paid, nor is their receipt opened', async () => {
  const [home, other] = [nextHome(), nextHome()]
  const own = await bill(home, asFen(500))
  const foreign = await bill(other, asFen(800))
  expect(await shownOf(home, foreign)).toBeUndefined()
  expect(await refusalMessageOf(pay(home, [own, foreign], asFen(1300)))).toContain('请重新选择')
  const { orderNo } = await pay(other, [foreign], asFen(800))
  expect(await refusalMessageOf(resultOf(home, orderNo))).toBeTruthy()
  const cancelling = t.call(cancelResidentOrder, { token: home.token, orderNo })
  expect(await refusalMessageOf(cancelling)).toBeTruthy()
  await t.call(cancelResidentOrder, { token: other.token, orderNo })
  expect((await shownOf(other, foreign))?.refusal).toBeUndefined()
  const { recordId } = await atCounter([own, foreign], asFen(1300))
  // One payment for two homes: each sees its own part.
  const receipt = await t.call(getResidentReceipt, { token: home.token, recordId })
  expect(receipt).toMatchObject({ amount: 500, details: [{ principal: 500 }] })
  const [third] = homes.slice(-1)
  const peeking = t.call(getResidentReceipt, { token: defined(third).token, recordId })
  expect(await refusalMessageOf(peeking)).toBeTruthy()
})

it('what those who moved out owe is not shown, and tenants see what tenants pay', async () => {
  const home = nextHome()
  const id = await bill(home, asFen(900))
  const { ownerId } = t
  const relate = (relation: number) =>
    t.database.tx('*', tx =>
      tx.execute(sql`
        update user_room set relation = ${relation}
        where owner_id = ${ownerId} and user_id = ${home.userId} and status = 20
      `),
    )
  const charge = (payerId: Id) =>
    t.database.tx('*', tx =>
      tx.execute(sql`
        update bill set payer_id = ${payerId} where owner_id = ${ownerId} and id = ${Number(id)}
      `),
    )
  const [stranger] = homes.slice(-1)
  await charge(defined(stranger).userId)
  expect(await shownOf(home, id)).toBeUndefined()
  await charge(home.userId)
  await relate(30)
  expect(await shownOf(home, id)).toBeDefined()
  await t.database.tx('*', tx =>
    tx.execute(sql`
      insert into user_room (owner_id, project_code, user_id, room_id, build_code, relation, status, apply_source)
      select l.owner_id, l.project_code, ${defined(stranger).userId}, l.room_id, l.build_code, 10, 20,
        l.apply_source
      from user_room l
      where l.owner_id = ${ownerId} and l.user_id = ${home.userId} and l.status = 20
      returning id
    `),
  )
  await charge(defined(stranger).userId)
  expect(await shownOf(home, id)).toBeUndefined()
  await relate(20)
  expect(await shownOf(home, id)).toBeDefined()
})

it('an amount that has changed since the page was read is refused with the new one (PAY-1)', async () => {
  const home = nextHome()
  const id = await bill(home, asFen(1000))
  const changed = await refusalMessageOf(pay(home, [id], asFen(900)))
  expect(changed).toContain('原为 9.00 元，现为 10.00 元')
  expect((await list(home)).openOrders).toEqual([])
})

it('a deposit is not paid together with other bills (C27-8)', async () => {
  const home = nextHome()
  const fee = await bill(home, asFen(1000))
  const depositBill = await bill(home, asFen(2000), deposit)
  expect(await shownOf(home, depositBill)).toMatchObject({ isSelected: false, isDeposit: true })
  expect(await refusalMessageOf(pay(home, [fee, depositBill], asFen(3000)))).toContain('请与其他费用分开')
})

it('the phone pressed twice begins one order, and another choice waits for it', async () => {
  const home = nextHome()
  const [one, two] = [await bill(home, asFen(100)), await bill(home, asFen(200))]
  const pressed = await Promise.all([1, 2, 3].map(() => pay(home, [one], asFen(100))))
  expect(new Set(pressed.map(({ orderNo }) => orderNo)).size).toBe(1)
  expect(await refusalMessageOf(pay(home, [one, two], asFen(300)))).toContain('请先继续支付或取消支付')
  await t.call(cancelResidentOrder, { token: home.token, orderNo: defined(pressed[0]).orderNo })
  expect(await pay(home, [one, two], asFen(300))).toBeDefined()
})

it('counter and phone at once make one payment; the other is refused (PAY-1)', async () => {
  const home = nextHome()
  for (let round = 0; round < 4; round++) {
    const id = await bill(home, asFen(600))
    const outcomes = await Promise.allSettled([atCounter([id], asFen(600)), pay(home, [id], asFen(600))])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [, phone] = outcomes
    if (phone.status === 'fulfilled') {
      await harness.pay(phone.value, 'normal')
      await waitUntil(
        () => resultOf(home, phone.value.orderNo),
        ({ state }) => state === 'paid',
      )
    }
    expect(await paymentsOf(id)).toHaveLength(1)
  }
  await expectSoundBooks()
})

it('money that comes after the bill was paid at the counter goes to the account (PAY-5)', async () => {
  const home = nextHome()
  const id = await bill(home, asFen(400))
  const order = await pay(home, [id], asFen(400))
  const { id: orderId } = defined(
    await t.database.reader(t.ownerId).one<{ id: Id }>(sql`
      select id from pay_order where owner_id = ${t.ownerId} and order_no = ${order.orderNo}
    `),
  )
  await t.call(cancelResidentOrder, { token: home.token, orderNo: order.orderNo })
  await atCounter([id], asFen(400))
  const amount = asFen(400)
  await Promise.all(
    [1, 2].map(() =>
      confirmPayment(t.app, t.ownerId, orderId, {
        transactionId: `LATE${orderId}`,
        amount,
        channel: 'wechat',
        source: 'notified',
      }),
    ),
  )
  expect(await resultOf(home, order.orderNo)).toMatchObject({ state: 'paid', isCredited: true })
  expect(await paymentsOf(id)).toHaveLength(1)
  await expectSoundBooks()
})

it('without a channel the bills are shown, and the reason why they are not paid here', async () => {
  const home = nextHome()
  const id = await bill(home, addFen(asFen(100), asFen(50)))
  const enable = (isOn: boolean) =>
    t.database.tx('*', tx =>
      tx.execute(sql`update pay_channel set enabled = ${isOn} where owner_id = ${t.ownerId}`),
    )
  await enable(false)
  expect((await list(home)).payRefusal).toContain('请到物业服务中心缴费')
  expect(await refusalMessageOf(pay(home, [id], asFen(150)))).toContain('请到物业服务中心缴费')
  await enable(true)
  expect((await list(home)).payRefusal).toBeUndefined()
})

it('a payment whose outcome is open is not asked for again when its time is over (PAY-6)', async () => {
  const home = nextHome()
  const amount = asFen(901)
  const id = await bill(home, amount)
  const order = await pay(home, [id], amount)
  await harness.pay(order, 'wrongAmount')
  await waitUntil(
    () => resultOf(home, order.orderNo),
    ({ state }) => state === 'paying',
  )
  t.advanceClock(16 * 60_000)
  const page = await list(home)
  expect(page.openOrders).toMatchObject([{ orderNo: order.orderNo, isUndecided: true }])
  expect(page).toMatchObject({ owedCount: 1, owedTotal: amount })
  expect((await shownOf(home, id))?.refusal).toContain('请勿重复缴费')
  expect(await refusalMessageOf(pay(home, [id], amount))).toContain('请勿重复缴费')
})

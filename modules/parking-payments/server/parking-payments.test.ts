import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import { clockScope } from '#kit/server/scope.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openPaymentHarness, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { collectStayFee, listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { clearStays, releaseStay } from '#modules/parking-lanes/contract/stay.ts'
import { openCouponTable, type CouponTable } from '#modules/parking-lanes/server/coupon-table.fixtures.ts'
import { ParkSite, projectCode, yuan } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { parkCameras, renewCameraKey } from '#modules/parking-cameras/contract/camera.ts'
import { deliver } from '#modules/parking-cameras/server/camera-site.fixtures.ts'
import { SimulatedCamera } from '#modules/parking-cameras/server/simulator/simulated-camera.ts'
import { previewHandover } from '#modules/payments/contract/day-close.ts'
import { listRefunds, requestRefund } from '#modules/payments/contract/refund.ts'
import { listRecords, recoverRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { confirmPayment } from '#modules/payments/server/order-confirmation.ts'
import { maintainOrders } from '#modules/payments/server/order-jobs.ts'
import { enterByCode, leaveByCode } from '../contract/lane-pass.ts'
import { findPayerStay, getPayerReceipt, openPayerPage, payStay } from '../contract/payer.ts'
import { listPayCodes, printPayCodes } from '../contract/pay-code.ts'
import { readPayLink } from './pay-link.ts'

let harness: PaymentHarness
let t: PaymentHarness['t']
let me: PaymentHarness['me']
let site: ParkSite
let coupons: CouponTable
let codes: { readonly lot: string; readonly in: string; readonly out: string; readonly both: string }
let entrance: SimulatedCamera
let beside: SimulatedCamera
let made = 0

const newPlate = (): string => `粤B${30_000 + ++made}`
const now = (): Moment => fromInstant(t.app.clock())
const tokenOf = (url: string): string => defined(new URL(url, 'http://here').searchParams.get('t'))
/** Each driver is at a telephone with an address of its own. */
const phone = () => ({ ip: `10.1.${made % 250}.${++made % 250}` })

beforeAll(async () => {
  harness = await openPaymentHarness()
  ;({ t, me } = harness)
  await t.addFeeItem('LTF', { name: '临停费', feeType: 'parking', multi: true })
  site = await ParkSite.open(t, me)
  await site.addRule()
  coupons = await openCouponTable(t)
  entrance = await openCamera()
  beside = await openCamera()
  const rows = await t.call(listPayCodes, { parkId: site.id }, me)
  const urlOf = (laneId: Id | undefined) => tokenOf(defined(rows.find(row => row.laneId === laneId)).url)
  codes = {
    lot: urlOf(undefined),
    in: urlOf(site.lanes.in.id),
    out: urlOf(site.lanes.out.id),
    both: urlOf(site.lanes.both.id),
  }
})

afterAll(() => harness?.close())

/** A camera at the entrance, in this process. */
async function openCamera(): Promise<SimulatedCamera> {
  const serialNo = `ENTRY-${++made}`
  const { id } = await t.call(
    parkCameras.add,
    {
      projectCode,
      cameraName: serialNo,
      serialNo,
      maker: 'vzenith',
      authMode: 'signed',
      laneId: site.lanes.in.id,
      opensBarrier: true,
      state: 'on',
    },
    me,
  )
  const { secret, address } = await t.call(renewCameraKey, { id }, me)
  return new SimulatedCamera({ path: address, key: secret }, request => deliver(t.app, request), t.app.clock)
}

const openByStaff = (laneId: Id) =>
  t.database.tx(t.ownerId, tx =>
    requestLaneOpen(tx, clockScope(t.app, t.ownerId), { laneId, origin: 'staff', reason: '测试' }),
  )

/** A car that came in so many minutes ago. */
async function enter(minutes: number): Promise<string> {
  const plate = newPlate()
  await site.report('in', plate, addMinutes(now(), -minutes))
  return plate
}

const find = (plateNo: string, code = codes.lot) => t.call(findPayerStay, { code, plateNo }, phone())
const stayOf = async (plateNo: string) => defined((await site.stays(plateNo))[0])

async function order(plateNo: string, amount: Fen, code = codes.lot) {
  const { url, receipt } = await t.call(payStay, { code, plateNo, amount }, phone())
  const link = defined(await readPayLink(t.app, receipt, ['order']))
  return { url: defined(url), receipt, id: link.id, amount }
}

/** The channel says that it has got the money. */
const arrive = ({ id, amount }: { readonly id: Id; readonly amount: Fen }, transactionId = `W${id}`) =>
  confirmPayment(t.app, t.ownerId, id, { transactionId, amount, channel: 'wechat', source: 'notified' })

const receiptOf = (receipt: string) => t.call(getPayerReceipt, { receipt }, phone())
const refundsOf = async (plateNo: string) =>
  (await t.call(listRefunds, { projectCode, keyword: plateNo }, me)).rows.filter(row =>
    row.sourceName.includes(plateNo),
  )

it('a driver pays by the plate on the telephone: the stay, the books and the receipt know it', async () => {
  const plate = await enter(124)
  expect(await find(plate)).toMatchObject({ plateNo: plate, stayMinutes: 124, due: yuan(9), paid: 0 })
  const started = await order(plate, yuan(9))
  expect(await receiptOf(started.receipt)).toMatchObject({ state: 'waiting', amount: yuan(9) })
  expect(await (await fetch(harness.origin + started.url)).text()).toContain('<title>支付停车费')
  await harness.pay(started, 'normal')
  await expect.poll(async () => (await receiptOf(started.receipt)).state).toBe('paid')
  expect(await receiptOf(started.receipt)).toMatchObject({
    hasLeft: false,
    isReturned: false,
    leaveBefore: addMinutes(now(), 15),
  })
  expect(await stayOf(plate)).toMatchObject({ state: 'paid', paid: yuan(9) })
  const charges = await t.call(listCharges, { projectCode, plateNo: plate }, me)
  expect(charges.rows).toMatchObject([
    { paidAmount: yuan(9), payMethod: 'wechat', orderNo: expect.any(String) },
  ])
  const bills = await t.call(listBills, { projectCode, keyword: plate }, me)
  expect(bills.rows).toMatchObject([{ feeItemName: '临停费', amount: yuan(9) }])
  const records = await t.call(listRecords, { projectCode, keyword: plate }, me)
  expect(records.rows).toMatchObject([
    { recordType: 'payment', receivedAmount: yuan(9), payMethod: 'wechat' },
  ])
})

it('what has no fee here has one answer, and guessing is stopped, for right plates too', async () => {
  const inside = await enter(90)
  const month = newPlate()
  await site.addCar(month)
  await site.report('in', month, addMinutes(now(), -90))
  const nothing = await refusalTextOf(find('粤B99999'))
  expect(await refusalTextOf(find(month))).toBe(nothing)
  const guesser = { ip: '10.9.9.9' }
  for (let i = 0; i < 20; i++) {
    const plateNo = `粤A${10_000 + i}`
    expect(await refusalTextOf(t.call(findPayerStay, { code: codes.lot, plateNo }, guesser))).toBe(nothing)
  }
  const asked = { code: codes.lot, plateNo: inside }
  expect(await refusalTextOf(t.call(findPayerStay, asked, guesser))).toContain('查询过于频繁')
  expect(await find(inside)).toMatchObject({ due: yuan(7) })
})

it('the exit opens for the car that waits there once its order is paid, in the same transaction', async () => {
  const plate = await enter(124)
  await site.report('out', plate, now())
  expect(await t.call(openPayerPage, { code: codes.out }, phone())).toMatchObject({
    laneName: '东出口',
    waitingPlate: plate,
  })
  const started = await order(plate, yuan(9), codes.out)
  await Promise.all([arrive(started), arrive(started), arrive(started)])
  const stay = await stayOf(plate)
  expect(stay).toMatchObject({ state: 'out', paid: yuan(9), outLaneId: site.lanes.out.id })
  expect(await receiptOf(started.receipt)).toMatchObject({ state: 'paid', hasLeft: true })
  const commands = await t.database
    .reader(t.ownerId)
    .rows<{ origin: number }>(
      sql`select origin from park_lane_command where owner_id = ${t.ownerId} and stay_id = ${stay.id}`,
    )
  expect(commands).toEqual([{ origin: 10 }])
})

it('the amount of the page must still be due, and an order that waits holds its price', async () => {
  const plate = await enter(124)
  const asked = { code: codes.lot, plateNo: plate }
  expect(await refusalTextOf(t.call(payStay, { ...asked, amount: yuan(7) }, phone()))).toContain('9.00')
  const first = await order(plate, yuan(9))
  const same = await order(plate, yuan(9))
  expect(same.id).toBe(first.id)
  t.advanceClock(10 * 60_000)
  expect((await order(plate, yuan(9))).id).toBe(first.id)
  await coupons.add({ key: 'LATER', kind: 'amount', value: 500, parkId: site.id, plateNo: plate })
  const cheaper = await order(plate, yuan(4))
  expect(cheaper.id).not.toBe(first.id)
  await arrive(cheaper)
  await arrive(first)
  expect(await stayOf(plate)).toMatchObject({ paid: yuan(4), discount: yuan(5) })
  expect(await refundsOf(plate)).toMatchObject([{ amount: yuan(9) }])
})

it('an order paid for a car that was paid at the booth in between goes back by itself, and is listed', async () => {
  const plate = await enter(124)
  const started = await order(plate, yuan(9))
  const { id } = await stayOf(plate)
  await t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'cash' }, me)
  await arrive(started)
  expect(await stayOf(plate)).toMatchObject({ paid: yuan(9) })
  expect(await refundsOf(plate)).toMatchObject([
    { amount: yuan(9), refundWay: 'original', reason: expect.stringContaining('已由其他方式缴纳') },
  ])
})

it('money at the booth is in the books at once, of no cashier: its shift hands it over (PRK-10)', async () => {
  const before = await t.call(previewHandover, { projectCode }, me)
  const plate = await enter(124)
  const { id } = await stayOf(plate)
  const charge = await t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'card' }, me)
  const records = await t.call(listRecords, { projectCode, keyword: plate }, me)
  expect(records.rows).toMatchObject([
    {
      id: charge.recordId,
      receivedAmount: yuan(9),
      payMethod: 'posOffline',
      cashierName: expect.stringMatching(/^岗亭 /),
    },
  ])
  expect((await t.call(previewHandover, { projectCode }, me)).count).toBe(before.count)
})

/** By the cashier, in cash; nobody has to approve it here. */
async function refundInCash(recordId: Id, principal: Fen) {
  const [detail] = await t.database.reader(t.ownerId).rows<{ id: Id }>(sql`
    select id from pay_detail where owner_id = ${t.ownerId} and record_id = ${recordId} and principal > 0
  `)
  const lines = [{ detailId: defined(detail).id, principal, late: asFen(0) }]
  const rest = { refundWay: 'cash', billAfter: 'kept', reason: '误收' } as const
  await t.call(requestRefund, { recordId, lines, ...rest }, me)
}

const sumOfCharges = async (plateNo: string) => {
  const { sum } = await t.call(listCharges, { projectCode, plateNo }, me)
  return [sum?.amount, sum?.couponAmount, sum?.paidAmount]
}

it('a refund by the cashier is a charge of its own, and its coupons are of use again (TKT-12)', async () => {
  await t.call(updateEstateSetting, { projectCode, key: 'RefundAuditFrom', value: '99999999' }, me)
  const plate = await enter(124)
  await coupons.add({ key: `R${plate}`, kind: 'amount', value: 200, parkId: site.id, plateNo: plate })
  const { id } = await stayOf(plate)
  const charge = await t.call(collectStayFee, { id, amount: yuan(7), payMethod: 'cash' }, me)
  const recordId = defined(charge.recordId)
  await refundInCash(recordId, yuan(3))
  expect(await sumOfCharges(plate)).toEqual([yuan(6), yuan(2), yuan(4)])
  expect(await coupons.stateOf(`R${plate}`)).toBe('used')
  expect(await stayOf(plate)).toMatchObject({ state: 'paid', paid: yuan(4), discount: yuan(2) })
  await refundInCash(recordId, yuan(4))
  expect(await sumOfCharges(plate)).toEqual([0, 0, 0])
  expect(await coupons.stateOf(`R${plate}`)).toBe('unused')
  expect(await stayOf(plate)).toMatchObject({ state: 'inside', paid: 0, discount: 0 })
  expect(await find(plate)).toMatchObject({ due: yuan(7), paid: 0 })
})

it('a voided receipt of the booth is charged no more, and is again when it is restored', async () => {
  const plate = await enter(124)
  const { id } = await stayOf(plate)
  const charge = await t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'cash' }, me)
  await site.report('out', plate, now())
  await t.call(voidRecord, { id: defined(charge.recordId), reason: '误收' }, me)
  expect(await sumOfCharges(plate)).toEqual([0, 0, 0])
  expect(await stayOf(plate)).toMatchObject({ state: 'out', paid: 0, shouldPay: yuan(9) })
  await t.call(recoverRecord, { id: defined(charge.recordId) }, me)
  expect(await sumOfCharges(plate)).toEqual([yuan(9), 0, yuan(9)])
  expect(await stayOf(plate)).toMatchObject({ state: 'out', paid: yuan(9) })
})

it('an order paid for a car that has left goes back', async () => {
  const plate = await enter(124)
  const started = await order(plate, yuan(9))
  await site.report('out', plate, now(), { hasPassed: true })
  await arrive(started)
  expect(await refundsOf(plate)).toMatchObject([{ reason: expect.stringContaining('已出场') }])
})

it('coupons are kept for an order, used when it is paid, and free again when it is not (TKT-12)', async () => {
  const [paid, unpaid] = [await enter(124), await enter(124)]
  const add = (key: string, plateNo: string) =>
    coupons.add({ key, kind: 'amount', value: 200, parkId: site.id, plateNo })
  await add('PAID', paid)
  await add('UNPAID', unpaid)
  const first = await order(paid, yuan(7))
  await order(unpaid, yuan(7))
  expect(await coupons.stateOf('PAID')).toBe('reserved')
  await arrive(first)
  expect(await coupons.stateOf('PAID')).toBe('used')
  expect(await stayOf(paid)).toMatchObject({ paid: yuan(7), discount: yuan(2), shouldPay: yuan(9) })
  expect((await find(paid)).sentence).toContain('，已收 7.00 元，已优惠 2.00 元，待收 0.00 元')
  t.advanceClock(16 * 60_000)
  await maintainOrders(t.app, new AbortController().signal)
  expect(await coupons.stateOf('UNPAID')).toBe('unused')
})

it.each([
  ['comes in again', async (plate: string) => site.report('in', plate, addMinutes(now(), 1))],
  [
    'is cleared',
    async (plate: string) =>
      t.call(clearStays, { ids: [String((await stayOf(plate)).id)], reason: '车已不在' }, me),
  ],
  [
    'is let out free',
    async (plate: string) =>
      t.call(
        releaseStay,
        { id: (await stayOf(plate)).id, outLaneId: site.lanes.out.id, isFree: true, reason: '领导车辆' },
        me,
      ),
  ],
  ['has left', async (plate: string) => site.report('out', plate, now(), { hasPassed: true })],
])(
  'the coupons of an order are free once its car %s, and of use in the next stay (TKT-12)',
  async (_, end) => {
    const plate = await enter(124)
    const key = `END${plate}`
    await coupons.add({ key, kind: 'amount', value: 200, parkId: site.id, plateNo: plate })
    const started = await order(plate, yuan(7))
    await end(plate)
    expect(await coupons.stateOf(key)).toBe('unused')
    await arrive(started)
    expect(await coupons.stateOf(key)).toBe('unused')
    expect(await refundsOf(plate)).toMatchObject([{ amount: yuan(7) }])
    if ((await stayOf(plate)).state !== 'inside' && (await site.stays(plate)).length === 1) {
      t.advanceClock(60_000)
      await site.report('in', plate, now())
    }
    t.advanceClock(124 * 60_000)
    expect(await find(plate)).toMatchObject({ due: yuan(7) })
    await arrive(await order(plate, yuan(7)))
    expect(await coupons.stateOf(key)).toBe('used')
  },
)

it('of two orders of a stay one settles it: coupons that only the other one had are free (TKT-12)', async () => {
  const plate = await enter(124)
  const add = (key: string) =>
    coupons.add({ key: key + plate, kind: 'amount', value: 200, parkId: site.id, plateNo: plate })
  await add('A')
  const first = await order(plate, yuan(7))
  await coupons.add({ key: `B${plate}`, kind: 'minutes', value: 90, parkId: site.id, plateNo: plate })
  const cheaper = await find(plate)
  const second = await order(plate, cheaper.due)
  expect(await coupons.stateOf(`B${plate}`)).toBe('reserved')
  await arrive(first)
  await arrive(second)
  expect(await stayOf(plate)).toMatchObject({ paid: yuan(7), discount: yuan(2) })
  expect(await refundsOf(plate)).toMatchObject([{ amount: cheaper.due }])
  expect([await coupons.stateOf(`A${plate}`), await coupons.stateOf(`B${plate}`)]).toEqual(['used', 'unused'])
})

it('money of an order whose coupon is gone goes back, the stay stays owing', async () => {
  const plate = await enter(124)
  await coupons.add({ key: `G${plate}`, kind: 'amount', value: 200, parkId: site.id, plateNo: plate })
  const started = await order(plate, yuan(7))
  await t.database.tx('*', tx =>
    tx.execute(sql`update test_coupon set state = 'used', stay_id = null where key = ${`G${plate}`}`),
  )
  await arrive(started)
  expect(await refundsOf(plate)).toMatchObject([{ reason: expect.stringContaining('停车券已失效') }])
  expect(await stayOf(plate)).toMatchObject({ state: 'inside', paid: 0 })
})

it('coupons that cover all let a waiting car out without an order', async () => {
  const plate = await enter(124)
  await site.report('out', plate, now())
  await coupons.add({ key: 'ALL', kind: 'free', value: 0, parkId: site.id, plateNo: plate })
  expect(await find(plate, codes.out)).toMatchObject({ due: 0, isCovered: true })
  const paid = await t.call(payStay, { code: codes.out, plateNo: plate, amount: asFen(0) }, phone())
  expect(paid.url).toBeUndefined()
  expect(await receiptOf(paid.receipt)).toMatchObject({ state: 'paid', hasLeft: true, amount: 0 })
})

it('who overstays after paying pays the rest, and not from the start (PRK-22)', async () => {
  const plate = await enter(125)
  await arrive(await order(plate, yuan(9)))
  t.advanceClock(75 * 60_000)
  expect(await find(plate)).toMatchObject({ paid: yuan(9), due: yuan(2) })
  expect((await find(plate)).sentence).toContain('，已收 9.00 元，待收 2.00 元')
  await arrive(await order(plate, yuan(2)))
  expect(await site.report('out', plate, now())).toMatchObject({ isOpen: true })
  expect(await stayOf(plate)).toMatchObject({ state: 'out', paid: yuan(11) })
})

/** The camera of a lane has a car before it; without a plate unless one is given. */
async function seeCar(camera: SimulatedCamera, plateNo?: string, confidence = 96): Promise<void> {
  await camera.report(plateNo === undefined ? {} : { plateNo, confidence })
}

const enterBy = (code: string) => t.call(enterByCode, { code }, phone())
const openCommands = async (laneId: Id) =>
  (
    await t.database.reader(t.ownerId).rows<{ id: Id }>(sql`
      select id
      from park_lane_command
      where owner_id = ${t.ownerId} and lane_id = ${laneId}
    `)
  ).length

it('a car without a plate comes in by the code of the lane, pays by the telephone and is let out', async () => {
  await seeCar(entrance)
  const entered = await enterBy(codes.in)
  expect(entered).toMatchObject({ isOpen: true, plateNo: expect.stringMatching(/^无牌\d{6}$/) })
  const carKey = defined(entered.carKey)
  const plateNo = defined(entered.plateNo)
  expect(await refusalTextOf(t.call(enterByCode, { code: codes.in, carKey }, phone()))).toContain('仍在场')
  expect(await t.call(openPayerPage, { code: codes.out, carKey }, phone())).toMatchObject({
    ownPlate: plateNo,
  })
  t.advanceClock(124 * 60_000)
  const leave = () => t.call(leaveByCode, { code: codes.out, carKey }, phone())
  expect(await leave()).toMatchObject({ isOpen: false, due: yuan(9) })
  const { receipt } = await t.call(payStay, { code: codes.out, carKey, amount: yuan(9) }, phone())
  const { id } = defined(await readPayLink(t.app, receipt, ['order']))
  await arrive({ id, amount: yuan(9) })
  expect(await receiptOf(receipt)).toMatchObject({ state: 'paid', hasLeft: true })
  expect(await refusalTextOf(leave())).toContain('未查询到本机车辆')
})

it('the code of an entrance lets in a car that the camera could not read, once, and nothing else', async () => {
  const nobody = '没有待入场的无牌车'
  t.advanceClock(60_000)
  expect(await refusalTextOf(enterBy(codes.in))).toContain(nobody)
  // Two cameras, one car, four telephones.
  await seeCar(entrance)
  await seeCar(beside)
  const before = await openCommands(site.lanes.in.id)
  const answers = await Promise.allSettled(Array.from({ length: 4 }, () => enterBy(codes.in)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await openCommands(site.lanes.in.id)) - before).toBe(1)
  t.advanceClock(60_000)
  await seeCar(entrance, newPlate(), 60)
  t.advanceClock(6 * 60_000)
  expect(await refusalTextOf(enterBy(codes.in))).toContain(nobody)
  await seeCar(entrance, newPlate())
  expect(await refusalTextOf(enterBy(codes.in))).toContain(nobody)
  t.advanceClock(60_000)
  await seeCar(entrance)
  t.advanceClock(1000)
  await openByStaff(site.lanes.in.id)
  expect(await refusalTextOf(enterBy(codes.in))).toContain(nobody)
})

it('an entrance without a camera leaves a car without a plate to the booth', async () => {
  const openAt = (code: string) => t.call(openPayerPage, { code }, phone())
  expect([(await openAt(codes.in)).canEnter, (await openAt(codes.both)).canEnter]).toEqual([true, false])
  expect(await refusalTextOf(enterBy(codes.both))).toContain('请联系岗亭')
})

it('a code of another kind, or of a lane that is not in use, opens nothing', async () => {
  expect(await refusalTextOf(t.call(enterByCode, { code: codes.lot }, phone()))).toContain('车道上的二维码')
  expect(await refusalTextOf(t.call(enterByCode, { code: codes.out }, phone()))).toContain('入口')
  const forged = `${codes.out.slice(0, -3)}AAA`
  expect(await refusalTextOf(t.call(openPayerPage, { code: forged }, phone()))).toContain('二维码无效')
})

it('the codes of a car park are printed as a sheet', async () => {
  const sheet = await t.call(printPayCodes, { parkId: site.id, origin: 'http://localhost' }, me)
  expect(sheet).toMatchObject({ name: expect.stringContaining('停车缴费二维码') })
})

it('the news of a payment, cut off anywhere and repeated, opens and books once', async () => {
  const prepare = async () => {
    const plate = await enter(124)
    await site.report('out', plate, now())
    return { plate, started: await order(plate, yuan(9)) }
  }
  const appCutAt = (moment: number) => ({ ...t.app, database: cutAt(t.database, moment) })
  const confirmBy = (app: App, { id, amount }: { readonly id: Id; readonly amount: Fen }) =>
    confirmPayment(app, t.ownerId, id, {
      transactionId: `F${id}`,
      amount,
      channel: 'wechat',
      source: 'notified',
    })
  const outcomeOf = async (plate: string) => {
    const { id, state, paid } = await stayOf(plate)
    type Counts = Readonly<Record<'charges' | 'commands' | 'records', number>>
    const counts = await t.database.reader(t.ownerId).one<Counts>(sql`
      select (select count(*)::int from parking_charge where owner_id = ${t.ownerId} and stay_id = ${id}) as charges,
        (select count(*)::int from park_lane_command where owner_id = ${t.ownerId} and stay_id = ${id}) as commands,
        (
          select count(*)::int
          from pay_record r
          where r.owner_id = ${t.ownerId} and r.source_name = ${`停车 ${plate}`}
        ) as records
    `)
    return { state, paid, ...counts }
  }
  const right = { state: 'out', paid: yuan(9), charges: 1, commands: 1, records: 1 }
  const probe = appCutAt(Infinity)
  const first = await prepare()
  await confirmBy(probe, first.started)
  expect(await outcomeOf(first.plate)).toEqual(right)
  expect(probe.database.moments).toBeGreaterThan(12)
  for (let moment = 1; moment <= probe.database.moments; moment++) {
    const { plate, started } = await prepare()
    await expect(confirmBy(appCutAt(moment), started)).rejects.toThrow(ConnectionCut)
    await Promise.all([1, 2].map(() => confirmBy(t.app, started)))
    expect([moment, await outcomeOf(plate)]).toEqual([moment, right])
  }
}, 120_000)

it('twenty cars of one car park pay at the same time: each is paid once', async () => {
  const plates = await Promise.all(Array.from({ length: 20 }, () => enter(124)))
  const orders = await Promise.all(plates.map(plate => order(plate, yuan(9))))
  await Promise.all(orders.flatMap(each => [arrive(each), arrive(each)]))
  const stays = await Promise.all(plates.map(stayOf))
  expect(stays.map(({ state, paid }) => [state, paid])).toEqual(plates.map(() => ['paid', yuan(9)]))
}, 60_000)

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, toInstant, type Moment } from '#kit/domain/moment.ts'
import { addFen, asFen, sumFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { systemScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { collectStayFee, getStayFee, listCharges } from '../contract/charge.ts'
import { releaseStay } from '../contract/stay.ts'
import { openCouponTable, type CouponTable } from './coupon-table.fixtures.ts'
import { lockStay } from './group-places.ts'
import { ParkSite, projectCode, yuan } from './park-site.fixtures.ts'
import { reportCar } from './passage/report.ts'
import { dueOfStay } from './passage/stay-fee.ts'
import { countingRoundTrips } from './round-trips.fixtures.ts'
import { settleStay } from './settle-stay.ts'

let t: GoldenApp
let me: CallOptions
let site: ParkSite
let coupons: CouponTable

const morning: Moment = '2026-11-02 08:00:00'
let made = 0
const newPlate = (): string => `粤B${20_000 + ++made}`

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  site = await ParkSite.open(t, me)
  await site.addRule({ maxCoupons: 2 })
  coupons = await openCouponTable(t)
})

afterAll(() => t?.close())

const addCoupon = async (
  plateNo: string,
  kind: 'minutes' | 'amount' | 'free',
  value = 0,
): Promise<string> => {
  const key = `C${++made}`
  await coupons.add({ key, kind, value, parkId: site.id, plateNo })
  return key
}

const chargesOf = async (plateNo: string) =>
  (await t.call(listCharges, { projectCode, plateNo, order: 'payTime' }, me)).rows

const stayOf = async (plateNo: string) => (await site.stays(plateNo))[0]

/** The car at a time: paid at the booth without waiting for the clock of the test. */
const settleAt = (stayId: Id, amount: number, at: Moment) =>
  t.database.tx(t.ownerId, async tx => {
    const scope = systemScope(t.ownerId, new Date(toInstant(at)).toISOString())
    const stay = await lockStay(tx, scope, stayId)
    const settlement = { amount: yuan(amount), uses: [], payMethod: 'cash', explanation: '测试' } as const
    return settleStay(tx, scope, stay, settlement, at)
  })

const commandsOf = (stayId: Id) =>
  t.database
    .reader(t.ownerId)
    .rows<{ laneId: number; origin: number }>(
      sql`select lane_id, origin from park_lane_command where owner_id = ${t.ownerId} and stay_id = ${stayId}`,
    )

it('an exit whose fee the coupons cover opens, uses them and writes the charge (PRK-23)', async () => {
  const plate = newPlate()
  const key = await addCoupon(plate, 'free')
  await site.report('in', plate, morning)
  const answer = await site.report('out', plate, addMinutes(morning, 125))
  expect(answer).toMatchObject({ isOpen: true, due: 0 })
  expect(await stayOf(plate)).toMatchObject({ state: 'out', shouldPay: yuan(9), discount: yuan(9), paid: 0 })
  expect(await chargesOf(plate)).toMatchObject([
    {
      amount: yuan(9),
      couponAmount: yuan(9),
      paidAmount: 0,
      payMethod: 'coupon',
      coupons: expect.stringContaining(key),
    },
  ])
  expect(await coupons.stateOf(key)).toBe('used')
})

it('an exit that uses coupons takes three round trips to the database at most', async () => {
  const plate = newPlate()
  await addCoupon(plate, 'free')
  await site.report('in', plate, morning)
  const at = addMinutes(morning, 125)
  const trips = await t.database.tx(t.ownerId, async tx => {
    const counting = countingRoundTrips(tx)
    const report = { laneId: site.lanes.out.id, passKey: `trips-${plate}`, plateNo: plate }
    await reportCar(counting.tx, systemScope(t.ownerId, new Date(toInstant(at)).toISOString()), report, at)
    return counting.roundTrips()
  })
  expect(trips).toBeLessThanOrEqual(3)
  expect(await stayOf(plate)).toMatchObject({ state: 'out' })
})

it('the rest after coupons is asked for at the exit; none is used before it is paid', async () => {
  const plate = newPlate()
  const key = await addCoupon(plate, 'amount', 300)
  await site.report('in', plate, morning)
  expect(await site.report('out', plate, addMinutes(morning, 125))).toMatchObject({
    isOpen: false,
    due: yuan(6),
  })
  expect(await coupons.stateOf(key)).toBe('unused')
})

it('the booth sees the coupons used and refused, and collects the rest with them', async () => {
  const plate = newPlate()
  const used = await addCoupon(plate, 'amount', 200)
  await coupons.add({ key: `D${plate}`, kind: 'minutes', value: 30, parkId: site.id, plateNo: plate })
  await coupons.add({ key: `E${plate}`, kind: 'amount', value: 100, parkId: site.id, plateNo: plate })
  await site.report('in', plate, morning)
  const stay = await stayOf(plate)
  const id = stay?.id ?? 0
  const fee = await t.call(getStayFee, { id }, me)
  expect(fee.coupons.map(each => each.reason)).toContain('一次最多使用 2 张')
  expect(fee.shouldPay).toBe(fee.due + fee.couponAmount)
  const pay = (amount: typeof fee.due) => t.call(collectStayFee, { id, amount, payMethod: 'cash' }, me)
  expect(await refusalTextOf(pay(fee.shouldPay))).toContain('请按此金额重新收取')
  await pay(fee.due)
  expect(await coupons.stateOf(used)).toBe('used')
  expect(await stayOf(plate)).toMatchObject({ state: 'paid', paid: fee.due, discount: fee.couponAmount })
})

it('a top-up counts the discount as settled and uses no further coupon (PRK-22)', async () => {
  const plate = newPlate()
  await addCoupon(plate, 'amount', 300)
  await site.report('in', plate, morning)
  const stay = await stayOf(plate)
  const id = stay?.id ?? 0
  const at = addMinutes(morning, 125)
  await t.database.tx(t.ownerId, async tx => {
    const scope = systemScope(t.ownerId, new Date(toInstant(at)).toISOString())
    const uses = [{ key: `C${made}`, kind: 'amount', discount: yuan(3) }] as const
    const settlement = { amount: yuan(6), uses, payMethod: 'wechat', explanation: '测试' } as const
    await settleStay(tx, scope, await lockStay(tx, scope, id), settlement, at)
  })
  const later = await addCoupon(plate, 'free')
  expect(await site.report('out', plate, addMinutes(at, 75))).toMatchObject({ isOpen: false, due: yuan(2) })
  expect(await site.report('out', plate, addMinutes(at, 15))).toMatchObject({ isOpen: true })
  expect(await coupons.stateOf(later)).toBe('unused')
})

it('overstaying after a payment is asked for the difference alone (T-PRK-05)', async () => {
  const plate = newPlate()
  await site.report('in', plate, morning)
  const id = (await stayOf(plate))?.id ?? 0
  await settleAt(id, 9, addMinutes(morning, 125))
  expect(await site.report('out', plate, addMinutes(morning, 200))).toMatchObject({
    isOpen: false,
    due: yuan(2),
  })
  await settleAt(id, 2, addMinutes(morning, 201))
  expect(await chargesOf(plate)).toMatchObject([{ chargeType: 'stay' }, { chargeType: 'more' }])
  expect(await stayOf(plate)).toMatchObject({ state: 'out', paid: yuan(11) })
})

it('a payment lets the car out that waits at an exit, and none that another car stands behind', async () => {
  const [waiting, behind] = [newPlate(), newPlate()]
  await site.report('in', waiting, morning)
  await site.report('in', behind, morning)
  const at = addMinutes(morning, 125)
  await site.report('out', waiting, at)
  await site.report('out', behind, addMinutes(morning, 126))
  const [first, second] = [(await stayOf(waiting))?.id ?? 0, (await stayOf(behind))?.id ?? 0]
  expect(await settleAt(first, 9, addMinutes(morning, 127))).not.toHaveProperty('openedLane')
  expect(await stayOf(waiting)).toMatchObject({ state: 'paid' })
  expect(await settleAt(second, 9, addMinutes(morning, 127))).toMatchObject({ openedLane: '东出口' })
  expect(await stayOf(behind)).toMatchObject({ state: 'out', outTime: addMinutes(morning, 127) })
  expect(await commandsOf(first)).toEqual([])
  expect(await commandsOf(second)).toEqual([{ laneId: site.lanes.out.id, origin: 10 }])
})

it('one coupon at two exits at once is used once', async () => {
  const plate = newPlate()
  const key = await addCoupon(plate, 'free')
  await site.report('in', plate, morning)
  const at = addMinutes(morning, 125)
  const answers = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map(passKey => site.report('out', plate, at, { passKey: `${plate}${passKey}` })),
  )
  expect(answers.filter(each => each.status === 'fulfilled')).toHaveLength(4)
  expect(await chargesOf(plate)).toHaveLength(1)
  expect(await coupons.stateOf(key)).toBe('used')
})

it('a coupon that has been used in between settles nothing', async () => {
  const plate = newPlate()
  const key = await addCoupon(plate, 'free')
  await site.report('in', plate, morning)
  const id = (await stayOf(plate))?.id ?? 0
  const at = addMinutes(morning, 125)
  const uses = [{ key, kind: 'free', discount: yuan(9) }] as const
  const settle = () =>
    t.database.tx(t.ownerId, async tx => {
      const scope = systemScope(t.ownerId, new Date(toInstant(at)).toISOString())
      const settlement = { amount: 0, uses, payMethod: 'coupon', explanation: '测试' } as const
      return settleStay(tx, scope, await lockStay(tx, scope, id), settlement, at)
    })
  const outcomes = await Promise.allSettled([settle(), settle(), settle()])
  expect(outcomes.filter(each => each.status === 'fulfilled')).toHaveLength(1)
  expect(await stayOf(plate)).toMatchObject({ discount: yuan(9) })
})

it('a release by hand of a car that its coupons cover uses them', async () => {
  const plate = newPlate()
  const key = await addCoupon(plate, 'free')
  await site.report('in', plate, morning)
  const id = (await stayOf(plate))?.id ?? 0
  await t.call(releaseStay, { id, outLaneId: site.lanes.out.id, isFree: false, reason: '栏杆故障' }, me)
  expect(await coupons.stateOf(key)).toBe('used')
})

it('what is paid and what coupons take off is what the stay costs, and they never make it dearer', async () => {
  const rule = await site.addRule({ carKinds: ['visitor'], maxCoupons: 3, freeMinutes: 0 })
  const kinds = fc.constantFrom('free' as const, 'minutes' as const, 'amount' as const, 'discount' as const)
  const drawnCoupons = fc.array(fc.tuple(kinds, fc.integer({ min: 0, max: 3000 })), { maxLength: 5 })
  const minutes = fc.integer({ min: 0, max: 5000 })
  fc.assert(
    fc.property(drawnCoupons, minutes, fc.integer({ min: 0, max: 2000 }), (drawn, stayed, paid) => {
      const stay = {
        parkId: site.id,
        plateNo: '粤B20000',
        carKind: 'visitor',
        inTime: morning,
        paidFen: asFen(paid),
        discountFen: 0,
        ...(paid > 0 ? { paidTime: morning } : {}),
      } as const
      const right = { plateNo: '粤B20000', status: 'none', expiredEntry: 'temporary' } as const
      const known = drawn.map(([kind, value], i) => {
        const valid = { parkId: site.id, validTo: '2026-12-31' } as const
        return { key: String(i), kind, value, ...valid } as const
      })
      const prices = { rules: [rule], isHoliday: () => false }
      const at = addMinutes(morning, stayed)
      const plain = dueOfStay(stay, right, at, prices)
      const owed = dueOfStay(stay, right, at, { ...prices, coupons: known })
      expect(addFen(stay.paidFen, owed.due, owed.couponDiscount)).toBe(owed.shouldPay)
      expect(owed.shouldPay).toBe(plain.shouldPay)
      expect(owed.due).toBeLessThanOrEqual(plain.due)
      expect(sumFen(owed.couponUses.map(use => use.discount))).toBe(owed.couponDiscount)
    }),
  )
})

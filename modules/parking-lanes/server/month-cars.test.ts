import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfInstant, momentAt, type Moment } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import {
  addToBlackList,
  adjustValidity,
  suspendCars,
  unbindPlaceCars,
} from '#modules/parking/contract/car-actions.ts'
import { addPlace } from '#modules/parking/contract/park-place.ts'
import { getStayFee } from '../contract/charge.ts'
import { clearStays, correctPlate, getStay, listStays, releaseStay } from '../contract/stay.ts'
import { ParkSite, projectCode, yuan } from './park-site.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let site: ParkSite

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  site = await ParkSite.open(t, me)
  await site.addRule()
})

afterAll(() => t?.close())

const morning: Moment = '2026-11-02 08:00:00'
let plates = 30_000
const newPlate = (): string => `粤B${++plates}`
const threePlates = () => [newPlate(), newPlate(), newPlate()] as const

const setProject = (key: string, value: string) =>
  t.call(updateEstateSetting, { projectCode, key, value }, me)

async function withSetting(key: string, value: string, standard: string, body: () => Promise<unknown>) {
  await setProject(key, value)
  try {
    await body()
  } finally {
    await setProject(key, standard)
  }
}

it('a month car goes in and out on its days and pays nothing (PRK-2)', async () => {
  const plate = newPlate()
  const car = await site.addCar(plate, { endDate: '2026-11-30' })
  expect(await site.report('in', plate, morning)).toMatchObject({
    isOpen: true,
    carKind: 'month',
    reason: '月租车，有效期至 2026-11-30',
  })
  expect(await site.report('out', plate, addMinutes(morning, 900))).toMatchObject({ isOpen: true, due: 0 })
  expect(await site.stays(plate)).toMatchObject([
    { state: 'out', carKind: 'month', shouldPay: 0, carId: car.id },
  ])
})

it('a car whose days are over is let in for the days of grace, and pays from then on (PRK-3)', async () => {
  const plate = newPlate()
  await site.addCar(plate, { endDate: '2026-11-01' })
  await withSetting('parking.graceDays', '3', '0', async () => {
    expect(await site.report('in', plate, morning)).toMatchObject({
      carKind: 'month',
      warning: '已于 2026-11-01 到期，宽限期内',
    })
    expect(await site.report('out', plate, '2026-11-05 00:30:00')).toMatchObject({
      isOpen: false,
      due: yuan(60),
    })
    expect(await site.report('out', plate, '2026-11-04 23:00:00')).toMatchObject({ isOpen: true, due: 0 })
  })
})

it('an expired car is a temporary one, or is refused, as the project has it (PRK-3)', async () => {
  const [first, second] = [newPlate(), newPlate()]
  await site.addCar(first, { endDate: '2026-10-31' })
  await site.addCar(second, { endDate: '2026-10-31' })
  expect(await site.report('in', first, morning)).toMatchObject({
    isOpen: true,
    carKind: 'temp',
    warning: '月卡已于 2026-10-31 到期，按临停计费',
  })
  expect(await site.report('out', first, addMinutes(morning, 61))).toMatchObject({ due: yuan(7) })
  await withSetting('parking.expiredEntry', '2', '1', async () =>
    expect(await site.report('in', second, morning)).toMatchObject({
      isOpen: false,
      reason: '月租车已于 2026-10-31 到期，请续费后入场',
    }),
  )
  expect(await site.stays(second)).toEqual([])
})

it('a car that expires inside pays from the next day on, until it is prolonged (PRK-3)', async () => {
  const plate = newPlate()
  const car = await site.addCar(plate, { endDate: '2026-11-02' })
  await site.report('in', plate, morning)
  expect(await site.report('out', plate, '2026-11-02 23:59:00')).toMatchObject({ isOpen: true, due: 0 })
  await site.report('in', plate, '2026-11-02 23:59:30')
  const late = await site.report('out', plate, '2026-11-03 02:00:00')
  expect(late).toMatchObject({ isOpen: false, due: yuan(7), reason: '待收 7.00，请先缴费' })
  const days = { beginDate: car.beginDate, endDate: '2026-12-02' } as const
  await t.call(adjustValidity, { ids: [String(car.id)], ...days, reason: '续期' }, me)
  expect(await site.report('out', plate, '2026-11-03 02:01:00')).toMatchObject({ isOpen: true, due: 0 })
})

it('a car for visitors pays from the day after its last too (PRK-3)', async () => {
  const plate = newPlate()
  await site.addCar(plate, { carKind: 'visitor', endDate: '2026-11-02' })
  expect(await site.report('in', plate, morning)).toMatchObject({ carKind: 'visitor' })
  expect(await site.report('out', plate, '2026-11-03 01:00:00')).toMatchObject({
    isOpen: false,
    due: yuan(5),
  })
})

it('a plate on the black list is refused with the reason, whatever right it has (PRK-2)', async () => {
  const plate = newPlate()
  await site.addCar(plate)
  await t.call(addToBlackList, { projectCode, plateNo: plate, reason: '多次逃费' }, me)
  expect(await site.report('in', plate, morning)).toMatchObject({
    isOpen: false,
    reason: '黑名单车辆：多次逃费，禁止入场',
  })
  expect(await site.stays(plate)).toEqual([])
})

it('a stopped car comes in as a temporary one, also one of a group (C10.1)', async () => {
  const [alone, grouped, other] = threePlates()
  await site.addGroup([grouped, other], 1)
  for (const plate of [alone, grouped]) {
    const car = await site.addCar(plate)
    await t.call(suspendCars, { ids: [String(car.id)], reason: '欠费两个月' }, me)
    expect(await site.report('in', plate, morning)).toMatchObject({
      isOpen: true,
      carKind: 'temp',
      warning: '车辆已欠费停用，按临停计费',
    })
  }
  expect((await site.stays(grouped))[0]?.groupId).toBeUndefined()
})

it('a car whose place is taken from it while it is inside pays from that day on (PRK-7)', async () => {
  const today = dayOfInstant(t.app.clock())
  const plate = newPlate()
  const place = await t.call(
    addPlace,
    { projectCode, parkId: site.id, placeNo: 'U-1', placeType: 'plain', placeState: 'sold' },
    me,
  )
  await site.addCar(plate, { placeId: place.id, endDate: addDays(today, 90) })
  await site.report('in', plate, momentAt(addDays(today, -1), '20:00'))
  await t.call(unbindPlaceCars, { placeId: place.id, reason: '车位退租' }, me)
  expect(await site.report('out', plate, momentAt(today, '02:00'))).toMatchObject({
    isOpen: false,
    due: yuan(7),
  })
})

it('two places for three cars: the third waits, and has the right once one leaves (PRK-6)', async () => {
  const [first, second, third] = threePlates()
  await site.addGroup([first, second, third], 2)
  expect((await site.report('in', first, morning)).carKind).toBe('month')
  expect((await site.report('in', second, addMinutes(morning, 5))).carKind).toBe('month')
  expect(await site.report('in', third, addMinutes(morning, 10))).toMatchObject({
    carKind: 'temp',
    warning: '车辆分组的 2 个车位已停满，按临停计费',
  })
  expect(await site.report('out', first, addMinutes(morning, 100))).toMatchObject({ isOpen: true, due: 0 })
  expect(await site.stays(third)).toMatchObject([{ chargedTo: '2026-11-02 09:40:00' }])
  expect(await site.report('in', first, addMinutes(morning, 200))).toMatchObject({ carKind: 'temp' })
  expect(await site.report('out', third, addMinutes(morning, 900))).toMatchObject({
    isOpen: false,
    due: yuan(7),
  })
})

it('without the switch the third pays for all of its stay (PRK-6)', async () => {
  const [first, second, third] = threePlates()
  await site.addGroup([first, second, third], 2, { switchOnLeave: false })
  await site.report('in', first, morning)
  await site.report('in', second, morning)
  await site.report('in', third, morning)
  await site.report('out', first, addMinutes(morning, 50))
  expect(await site.report('out', third, addMinutes(morning, 121))).toMatchObject({
    isOpen: false,
    due: yuan(9),
  })
})

it('a car of a group that was never seen leaving comes in again on its own place (PRK-6)', async () => {
  const [first, second] = threePlates()
  await site.addGroup([first, second], 1)
  await site.report('in', first, morning)
  expect(await site.report('in', first, addMinutes(morning, 600))).toMatchObject({
    carKind: 'month',
    warning: '上次入场没有出场记录，已按异常出场处理',
  })
})

it('a group that ends while its car is inside leaves it as one that has expired (PRK-3)', async () => {
  const [first, second] = threePlates()
  await site.addGroup([first, second], 1, { endDate: '2026-11-02' })
  expect(await site.report('in', first, morning)).toMatchObject({ reason: '月租车，有效期至 2026-11-02' })
  expect(await site.report('out', first, '2026-11-03 01:00:00')).toMatchObject({
    isOpen: false,
    due: yuan(5),
  })
})

it('a place of a group in two car parks is given once, though both ask at the same time', async () => {
  const other = await ParkSite.open(t, me)
  for (let i = 0; i < 8; i++) {
    const [first, second] = threePlates()
    await site.addGroup([first, second], 1, { parkIds: [String(site.id), String(other.id)] })
    const answers = await Promise.all([
      site.report('in', first, morning),
      other.report('in', second, morning),
    ])
    expect(answers.map(answer => answer.carKind).toSorted()).toEqual(['month', 'temp'])
  }
})

it('a place that becomes free by hand goes to the one that waits (PRK-6)', async () => {
  const [first, second, third] = threePlates()
  await site.addGroup([first, second, third], 1)
  const stayOf = async (plate: string) => defined((await site.stays(plate))[0])
  for (const [i, plate] of [first, second, third].entries()) {
    await site.report('in', plate, addMinutes(morning, i))
  }
  const { id } = await stayOf(first)
  await t.call(releaseStay, { id, outLaneId: site.lanes.out.id, isFree: false, reason: '栏杆故障' }, me)
  expect((await stayOf(second)).chargedTo).toBeDefined()
  expect((await stayOf(third)).chargedTo).toBeUndefined()
  await t.call(clearStays, { ids: [String((await stayOf(second)).id)], reason: '盘点不在场' }, me)
  expect((await stayOf(third)).chargedTo).toBeDefined()
})

it('a corrected plate has the right of its own car, and the stay is that car’s (PRK-8)', async () => {
  const [misread, real, stranger] = threePlates()
  const car = await site.addCar(real)
  const other = await site.addCar(stranger)
  const entry = await site.report('in', misread, morning)
  const id = defined(entry.stayId)
  const reason = '识别有误'
  const corrected = await t.call(correctPlate, { id, plateNo: real, reason }, me)
  expect(corrected).toMatchObject({ plateNo: real, originalPlate: misread, carKind: 'month' })
  expect(await t.call(getStayFee, { id }, me)).toMatchObject({ due: 0 })
  const staysOf = async (carId: Id) => (await t.call(listStays, { carId }, me)).rows.map(stay => stay.id)
  expect([await staysOf(car.id), await staysOf(other.id)]).toEqual([[id], []])
  expect((await t.call(getStay, { id }, me)).carId).toBe(car.id)
  await t.call(correctPlate, { id, plateNo: stranger, reason }, me)
  expect([await staysOf(car.id), await staysOf(other.id)]).toEqual([[], [id]])
  const unknown = newPlate()
  const temporary = await t.call(correctPlate, { id, plateNo: unknown, reason }, me)
  expect(temporary).toMatchObject({ plateNo: unknown, originalPlate: misread, carKind: 'temp' })
  expect(await site.report('out', unknown, addMinutes(morning, 61))).toMatchObject({ due: yuan(7) })
})

it('a corrected plate waits for a place of its group, and gives back that of another (PRK-6)', async () => {
  const [first, second, misread] = threePlates()
  await site.addGroup([first, second], 1)
  const taken = await site.report('in', first, morning)
  const waiting = await site.report('in', misread, addMinutes(morning, 5))
  const reason = '识别有误'
  const corrected = await t.call(correctPlate, { id: defined(waiting.stayId), plateNo: second, reason }, me)
  expect(corrected).toMatchObject({ carKind: 'temp' })
  expect(corrected.chargedTo).toBeUndefined()
  await t.call(correctPlate, { id: defined(taken.stayId), plateNo: newPlate(), reason }, me)
  expect((await site.stays(second))[0]?.chargedTo).toBeDefined()
})

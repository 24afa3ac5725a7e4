import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, addSeconds, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { systemScope } from '#kit/server/scope.ts'
import { refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { collectStayFee, getStayFee, listCharges } from '../contract/charge.ts'
import { correctCounter, listParkCounters } from '../contract/counter.ts'
import { listParkDevices, parkLanes } from '../contract/park-lane.ts'
import { reportPassage } from '../contract/passage.ts'
import { getInOutStatistics, getStayStatistics } from '../contract/statistics.ts'
import {
  clearStays,
  correctPlate,
  getStay,
  listLeftAges,
  listParkingAges,
  mergeStays,
  releaseStay,
} from '../contract/stay.ts'
import { ParkSite, projectCode, yuan } from './park-site.fixtures.ts'
import { reportCar } from './passage/report.ts'
import { countingRoundTrips } from './round-trips.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let site: ParkSite

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  site = await ParkSite.open(t, me, { totalPlace: 100 })
  await site.addRule()
})

afterAll(() => t?.close())

const morning: Moment = '2026-11-02 08:00:00'
let plates = 10_000
const newPlate = (): string => `粤B${++plates}`

it('a temporary car comes in, pays at the exit and is out: one record with its fee', async () => {
  const plate = newPlate()
  const entry = await site.report('in', plate, morning)
  expect(entry).toMatchObject({ isOpen: true, carKind: 'temp', due: 0, plateNo: plate })
  const answer = await site.report('out', plate, addMinutes(morning, 125))
  expect(answer).toMatchObject({ isOpen: false, reason: '待收 9.00，请先缴费', due: yuan(9) })
  expect((await site.stays(plate)).map(stay => stay.state)).toEqual(['inside'])
  const free = await site.report('out', plate, addMinutes(morning, 30))
  expect(free).toMatchObject({ isOpen: true, due: 0 })
  expect(await site.stays(plate)).toMatchObject([
    { state: 'out', exitKind: 'auto', stayMinutes: 30, shouldPay: 0, outTime: '2026-11-02 08:30:00' },
  ])
})

it('the same message reported twice, at once or later, is one record and one answer', async () => {
  const plate = newPlate()
  const passKey = 'once'
  const reported = await Promise.all(
    Array.from({ length: 8 }, () => site.report('in', plate, morning, { passKey })),
  )
  const later = await site.report('in', plate, addMinutes(morning, 300), { passKey })
  for (const each of [...reported, later]) {
    expect(each).toEqual(reported[0])
  }
  expect(await site.stays(plate)).toHaveLength(1)
})

it('two lanes that see a car at the same moment make one stay', async () => {
  const plate = newPlate()
  await Promise.all([
    site.report('in', plate, morning),
    site.report('in', plate, addSeconds(morning, 5)),
    site.report('both', plate, addSeconds(morning, 2), { way: 'in' }),
  ])
  const stays = await site.stays(plate)
  expect(stays.filter(stay => stay.state === 'inside')).toHaveLength(1)
})

it('a car that was never seen leaving is closed as abnormal when it comes again (PRK-2)', async () => {
  const plate = newPlate()
  await site.report('in', plate, morning)
  const again = await site.report('in', plate, addMinutes(morning, 600))
  expect(again).toMatchObject({ isOpen: true, warning: '上次入场没有出场记录，已按异常出场处理' })
  expect((await site.stays(plate)).map(stay => stay.state)).toEqual(['abnormal', 'inside'])
})

it('an exit that is reported after the next entry ends the stay it belongs to', async () => {
  const plate = newPlate()
  await site.report('in', plate, morning)
  await site.report('in', plate, addMinutes(morning, 600))
  await site.report('out', plate, addMinutes(morning, 700), {
    passTime: addMinutes(morning, 100),
    hasPassed: true,
  })
  expect(await site.stays(plate)).toMatchObject([
    { state: 'out', stayMinutes: 100, shouldPay: yuan(7), paid: 0, exitKind: 'manual' },
    { state: 'inside' },
  ])
})

it('an entry that is reported after its exit completes that record', async () => {
  const plate = newPlate()
  const unknown = await site.report('out', plate, addMinutes(morning, 50))
  expect(unknown).toMatchObject({ isOpen: false, reason: expect.stringContaining('没有入场记录') })
  await site.report('out', plate, addMinutes(morning, 50), { hasPassed: true })
  expect(await site.stays(plate)).toMatchObject([{ state: 'abnormal', outTime: '2026-11-02 08:50:00' }])
  const late = { passTime: morning, hasPassed: true }
  const answer = await site.report('in', plate, addMinutes(morning, 90), late)
  expect(answer.warning).toBe('尚有 5.00 未收')
  expect(await site.stays(plate)).toMatchObject([
    {
      state: 'out',
      inTime: morning,
      outTime: '2026-11-02 08:50:00',
      stayMinutes: 50,
      shouldPay: yuan(5),
      exitKind: 'manual',
      releaseReason: '尚有 5.00 未收',
    },
  ])
})

it('a stay costs the same in whichever order its ends are known; a month right nothing (PRK-8)', async () => {
  const [inOrder, late, merged, month] = [newPlate(), newPlate(), newPlate(), newPlate()]
  await site.addCar(month)
  const out = addMinutes(morning, 200)
  const exitOf = (plate: string) => site.report('out', plate, out, { hasPassed: true })
  const enterLate = (plate: string) =>
    site.report('in', plate, addMinutes(morning, 300), { passTime: morning, hasPassed: true })
  await site.report('in', inOrder, morning)
  await exitOf(inOrder)
  for (const plate of [late, month]) {
    await exitOf(plate)
    await enterLate(plate)
  }
  const entry = await site.report('in', merged, morning)
  const unread = await exitOf(newPlate())
  const input = { id: defined(entry.stayId), exitId: defined(unread.stayId), reason: '核对抓拍' }
  await t.call(mergeStays, input, me)
  const [known] = await site.stays(inOrder)
  expect(known).toMatchObject({ shouldPay: yuan(11), paid: 0, releaseReason: '尚有 11.00 未收' })
  const figuresOf = async (plate: string) =>
    (await site.stays(plate)).map(stay => [stay.state, stay.carKind, stay.shouldPay, stay.stayMinutes])
  expect(await figuresOf(late)).toEqual(await figuresOf(inOrder))
  expect(await figuresOf(merged)).toEqual(await figuresOf(inOrder))
  expect((await site.stays(merged))[0]?.releaseReason).toBe('尚有 11.00 未收；核对抓拍')
  expect(await figuresOf(month)).toEqual([['out', 'month', 0, 200]])
})

it('a clock that is ten minutes off is not believed', async () => {
  const plate = newPlate()
  await site.report('in', plate, morning, { passTime: addMinutes(morning, -10) })
  expect(await site.stays(plate)).toMatchObject([{ inTime: morning, isTimeDoubtful: true }])
  const close = newPlate()
  await site.report('in', close, morning, { passTime: addMinutes(morning, -4) })
  expect(await site.stays(close)).toMatchObject([{ inTime: '2026-11-02 07:56:00', isTimeDoubtful: false }])
})

it('an exit seen twice is one exit', async () => {
  const plate = newPlate()
  await site.report('in', plate, morning)
  await site.report('out', plate, addMinutes(morning, 20))
  const again = await site.report('out', plate, addSeconds(addMinutes(morning, 20), 10))
  expect(again).toMatchObject({ isOpen: true, reason: '同一次出场' })
  expect(await site.stays(plate)).toHaveLength(1)
})

it('a full car park refuses temporary cars, lets month cars in, and counts by hand with a reason (PRK-9)', async () => {
  const small = await ParkSite.open(t, me, { totalPlace: 2, fullPolicy: 'refuse' })
  const [first, second, third, month] = [newPlate(), newPlate(), newPlate(), newPlate()]
  await small.addCar(month, { carKind: 'fixed', endDate: undefined })
  await small.report('in', first, morning)
  await small.report('in', second, morning)
  expect(await small.report('in', third, morning)).toMatchObject({
    isOpen: false,
    reason: '车场已满，临时车请稍后再来',
  })
  expect(await small.report('in', month, morning)).toMatchObject({ isOpen: true, carKind: 'fixed' })
  const counterOf = async () =>
    defined((await t.call(listParkCounters, { projectCode }, me)).find(each => each.parkId === small.id))
  expect(await counterOf()).toMatchObject({ inside: 3, free: 0, isFull: true, temporary: 2 })
  await t.call(correctCounter, { parkId: small.id, inside: 1, reason: '现场清点' }, me)
  expect(await counterOf()).toMatchObject({
    inside: 1,
    isFull: false,
    corrections: [{ inside: 1, reason: '现场清点' }],
  })
  expect(await small.report('in', third, morning)).toMatchObject({ isOpen: true })
})

it('a count that is less than recorded frees the places of temporary cars (PRK-9)', async () => {
  const small = await ParkSite.open(t, me, { totalPlace: 3, tempPlace: 3, fullPolicy: 'refuse' })
  for (let i = 0; i < 3; i += 1) {
    await small.report('in', newPlate(), morning)
  }
  const enter = () => small.report('in', newPlate(), morning)
  expect(await enter()).toMatchObject({ isOpen: false, reason: '车场已满，临时车请稍后再来' })
  await t.call(correctCounter, { parkId: small.id, inside: 1, reason: '现场清点' }, me)
  const counters = await t.call(listParkCounters, { projectCode }, me)
  expect(counters.find(each => each.parkId === small.id)).toMatchObject({
    inside: 1,
    temporary: 1,
    free: 2,
    isFull: false,
  })
  expect([await enter(), await enter(), await enter()].map(answer => answer.isOpen)).toEqual([
    true,
    true,
    false,
  ])
})

it('a count is right also after records were ended below an earlier count (PRK-9)', async () => {
  const counted = await ParkSite.open(t, me, { totalPlace: 9 })
  const { stayId } = await counted.report('in', newPlate(), morning)
  const count = (inside: number) =>
    t.call(correctCounter, { parkId: counted.id, inside, reason: '现场清点' }, me)
  await count(0)
  await t.call(clearStays, { ids: [String(stayId)], reason: '已离场' }, me)
  await count(2)
  const counters = await t.call(listParkCounters, { projectCode }, me)
  expect(counters.find(each => each.parkId === counted.id)).toMatchObject({ inside: 2, free: 7 })
})

it('a car without a plate has a number, and leaves by it', async () => {
  const entry = await site.report('in', undefined, morning)
  expect(entry.plateNo).toMatch(/^无牌\d{6}$/)
  const out = await site.report('out', entry.plateNo, addMinutes(morning, 10))
  expect(out).toMatchObject({ isOpen: true, stayId: entry.stayId })
  await expect(site.report('out', undefined, morning)).rejects.toThrow('无牌车填写入场时的编号')
})

it('a lane is for its direction and its kinds of car, and not while it is out of use', async () => {
  const plate = newPlate()
  await expect(site.report('in', plate, morning, { way: 'out' })).rejects.toThrow('为入口')
  await expect(site.report('both', plate, morning)).rejects.toThrow('请选择进出')
  const other = await ParkSite.open(t, me)
  const lane = other.lanes.in
  await t.call(parkLanes.edit, { ...lane, carKinds: ['month', 'fixed'] }, me)
  expect(await other.report('in', plate, morning)).toMatchObject({
    isOpen: false,
    reason: '本车道不允许临时车通行，请走其他车道',
  })
  await t.call(parkLanes.edit, { ...lane, version: defined(lane.version) + 1, state: 'off' }, me)
  await expect(other.report('in', plate, morning)).rejects.toThrow('已停用')
  const found = await t.call(listParkDevices, { projectCode, parkId: other.id }, me)
  expect(found.map(each => [each.laneName, each.direction, each.laneType])).toEqual([
    ['东入口', 'entrance', 'vehicle'],
    ['东出口', 'exit', 'vehicle'],
    ['西门', 'both', 'vehicle'],
  ])
})

const now = (): Moment => fromInstant(t.app.clock())

/** A stay that began some time ago, by the clock of the calls. */
async function insideSince(minutes: number): Promise<{ plate: string; id: Id }> {
  const plate = newPlate()
  const answer = await site.report('in', plate, addMinutes(now(), -minutes))
  return { plate, id: defined(answer.stayId) }
}

it('what is collected must be what is due; then the car leaves, and pays the rest when it stays (PRK-22)', async () => {
  const { plate, id } = await insideSince(124)
  const fee = await t.call(getStayFee, { id }, me)
  expect(fee).toMatchObject({ due: yuan(9), paid: 0, ruleName: '临停收费' })
  expect(fee.sentence).toContain('首 60 分钟 5.00，每 60 分钟 2.00×2')
  const wrong = t.call(collectStayFee, { id, amount: yuan(5), payMethod: 'cash' }, me)
  expect(await refusalTextOf(wrong)).toContain('待收金额为 9.00 元')
  const charge = await t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'cash' }, me)
  expect(charge).toMatchObject({ chargeType: 'stay', paidAmount: yuan(9), plateNo: plate })
  expect(await t.call(getStayFee, { id }, me)).toMatchObject({ due: 0, paid: yuan(9) })
  const answer = await site.report('out', plate, addMinutes(now(), 80))
  expect(answer).toMatchObject({ isOpen: false, due: yuan(2) })
  expect(await site.report('out', plate, addMinutes(now(), 10))).toMatchObject({ isOpen: true })
  expect(await site.stays(plate)).toMatchObject([{ state: 'out', shouldPay: yuan(9), paid: yuan(9) }])
  const { rows, sum } = await t.call(listCharges, { projectCode, plateNo: plate }, me)
  expect([rows.length, sum?.paidAmount]).toEqual([1, yuan(9)])
})

it('fifty cars pay at the same time: each pays once', async () => {
  const stays = await Promise.all(Array.from({ length: 50 }, () => insideSince(124)))
  const collect = ({ id }: { id: Id }) =>
    t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'wechat' }, me)
  const answers = await Promise.allSettled([...stays, ...stays].map(collect))
  expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(50)
  const paid = await Promise.all(stays.map(({ id }) => t.call(getStay, { id }, me)))
  expect(new Set(paid.map(stay => stay.paid))).toEqual(new Set([yuan(9)]))
})

it('a car is let out by hand: not while it owes, or free with the reason (PRK-10)', async () => {
  const { id } = await insideSince(124)
  const input = { id, outLaneId: site.lanes.out.id, reason: '设备故障' }
  expect(await refusalTextOf(t.call(releaseStay, { ...input, isFree: false }, me))).toContain('待收 9.00 元')
  const wrongLane = t.call(releaseStay, { ...input, outLaneId: site.lanes.in.id, isFree: true }, me)
  expect(await refusalTextOf(wrongLane)).toContain('是入口')
  const released = await t.call(releaseStay, { ...input, isFree: true }, me)
  expect(released).toMatchObject({
    state: 'out',
    exitKind: 'free',
    releaseReason: '设备故障',
    shouldPay: yuan(9),
    paid: 0,
  })
  expect(await refusalTextOf(t.call(releaseStay, { ...input, isFree: true }, me))).toContain('记录已结束')
})

it('a misread plate is corrected, and an entry and an exit become one record (PRK-8)', async () => {
  const [misread, real] = [newPlate(), newPlate()]
  const entry = await site.report('in', misread, morning)
  const corrected = await t.call(
    correctPlate,
    { id: defined(entry.stayId), plateNo: real, reason: '识别有误' },
    me,
  )
  expect(corrected).toMatchObject({ plateNo: real, originalPlate: misread })
  const exit = await site.report('out', misread, addMinutes(morning, 45), { hasPassed: true })
  const input = { id: defined(entry.stayId), exitId: defined(exit.stayId), reason: '核对抓拍' }
  const merged = await t.call(mergeStays, input, me)
  expect(merged).toMatchObject({ state: 'out', stayMinutes: 45, outTime: '2026-11-02 08:45:00' })
  expect(await t.call(getStay, { id: defined(exit.stayId) }, me)).toMatchObject({ state: 'merged' })
  expect(await refusalTextOf(t.call(mergeStays, input, me))).toContain('没有出场的记录')
})

it('what was collected goes with the plate that is corrected, before the exit or after it (PRK-8)', async () => {
  const { plate, id } = await insideSince(124)
  await t.call(collectStayFee, { id, amount: yuan(9), payMethod: 'cash' }, me)
  const chargesOf = async (plateNo: string) =>
    (await t.call(listCharges, { projectCode, plateNo }, me)).rows.map(charge => charge.paidAmount)
  const [paid, left] = [newPlate(), newPlate()]
  await t.call(correctPlate, { id, plateNo: paid, reason: '识别有误' }, me)
  expect([await chargesOf(plate), await chargesOf(paid)]).toEqual([[], [yuan(9)]])
  const car = await site.addCar(paid, { carKind: 'temp' })
  const ofCar = await t.call(listCharges, { projectCode, carId: car.id }, me)
  expect(ofCar.rows.map(charge => [charge.stayId, charge.paidAmount])).toEqual([[id, yuan(9)]])
  expect(await site.report('out', paid, now())).toMatchObject({ isOpen: true })
  await t.call(correctPlate, { id, plateNo: left, reason: '识别有误' }, me)
  expect([await chargesOf(paid), await chargesOf(left)]).toEqual([[], [yuan(9)]])
})

it('records of cars that are not there any more are ended, others are left with the reason', async () => {
  const { plate, id } = await insideSince(10)
  const result = await t.call(clearStays, { ids: [String(id)], reason: '夜间盘点不在场' }, me)
  expect(result).toMatchObject({ success: 1, fail: 0 })
  expect(await site.stays(plate)).toMatchObject([{ state: 'abnormal', exitKind: 'system' }])
  const again = await t.call(clearStays, { ids: [String(id)], reason: '夜间盘点不在场' }, me)
  expect(again.rows[0]?.reason).toContain('不需要清场')
})

it('who is inside is listed by how long, with what is owed now', async () => {
  const aged = await ParkSite.open(t, me)
  await aged.addRule()
  const [short, long] = [newPlate(), newPlate()]
  await aged.report('in', short, addMinutes(now(), -59))
  await aged.report('in', long, addMinutes(now(), -60 * 80))
  const ask = (ageBands?: readonly ('upTo2' | 'over72')[]) =>
    t.call(listParkingAges, { projectCode, parkId: [String(aged.id)], ...(ageBands ? { ageBands } : {}) }, me)
  expect((await ask()).total).toBe(2)
  await aged.report('in', newPlate(), addMinutes(now(), -1))
  expect((await ask()).rows.map(row => row.stayHours)).toContain('0.02')
  expect((await ask(['over72'])).rows).toMatchObject([
    { plateNo: long, ageBand: 'over72', stayHours: '80', fee: yuan(79) },
  ])
  expect((await ask(['upTo2'])).rows).toContainEqual(
    expect.objectContaining({ plateNo: short, fee: yuan(5) }),
  )
  await aged.report('out', short, addMinutes(now(), -30))
  const left = await t.call(listLeftAges, { projectCode, parkId: [String(aged.id)] }, me)
  expect(left.rows).toMatchObject([{ plateNo: short, ageBand: 'upTo2' }])
})

it('statistics count entries and exits by day, hour and kind', async () => {
  const counted = await ParkSite.open(t, me)
  const plate = newPlate()
  await counted.report('in', plate, morning)
  await counted.report('out', plate, addMinutes(morning, 65))
  await counted.report('in', newPlate(), addMinutes(morning, 5))
  const input = { projectCode, parkId: counted.id, dayFrom: '2026-11-01', dayTo: '2026-11-02' } as const
  expect(await t.call(getStayStatistics, input, me)).toMatchObject({
    inCount: 2,
    outCount: 1,
    insideCount: 1,
  })
  const figures = await t.call(getInOutStatistics, input, me)
  expect(figures.days.map(each => [each.key, each.inCount, each.outCount])).toEqual([
    ['2026-11-01', 0, 0],
    ['2026-11-02', 2, 1],
  ])
  expect(figures.hours.filter(each => each.inCount + each.outCount).map(each => each.key)).toEqual(['8', '9'])
  expect(figures.kinds).toMatchObject([{ key: 'temp', inCount: 2, outCount: 1 }])
})

it('the booth reports a car by the call; another company sees nothing of it', async () => {
  const plate = newPlate()
  const input = { laneId: site.lanes.in.id, passKey: 'booth-1', plateNo: `粤b·${plate.slice(2)}` }
  const answer = await t.call(reportPassage, input, me)
  expect(answer).toMatchObject({ isOpen: true, plateNo: plate })
  const stranger = await t.signedInAs(golden.second.owner, '')
  const seen = t.call(getStay, { id: defined(answer.stayId) }, stranger)
  expect((await refusalOf(seen)).code).toBe(10004)
  await refusalOf(t.call(reportPassage, input, stranger))
})

it('a decision takes three round trips to the database at most', async () => {
  const plate = newPlate()
  await site.addCar(plate)
  const scope = systemScope(t.ownerId, new Date().toISOString())
  const tripsOf = (lane: 'in' | 'out', at: Moment): Promise<number> =>
    t.app.database.tx(t.ownerId, async tx => {
      const counting = countingRoundTrips(tx)
      const report = { laneId: site.lanes[lane].id, passKey: `trips-${lane}`, plateNo: plate }
      await reportCar(counting.tx, scope, report, at)
      return counting.roundTrips()
    })
  expect(await tripsOf('in', morning)).toBeLessThanOrEqual(3)
  expect(await tripsOf('out', addMinutes(morning, 10))).toBeLessThanOrEqual(3)
  expect(await site.stays(plate)).toMatchObject([{ state: 'out' }])
})

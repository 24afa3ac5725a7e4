import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, secondsBetween, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addPark } from '#modules/parking/contract/park.ts'
import { collectStayFee } from '#modules/parking-lanes/contract/charge.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { parkingStay, releaseStay } from '#modules/parking-lanes/contract/stay.ts'
import { endLaneCommand, takeLaneCommands } from '#modules/parking-lanes/server/public.ts'
import { projectCode, yuan } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { getFlowStatistics, listFlowDays, maxFlowDays } from '../contract/flow.ts'
import { listLaneViews, openLane, passLane } from '../contract/lane-view.ts'
import { onlyBooth } from '../contract/shift.ts'
import { BoothSite } from './booth.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let site: BoothSite

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  site = await BoothSite.open(t, me)
})

afterAll(() => t?.close())

const minutesBetween = (from: Moment, to: Moment): number => secondsBetween(from, to) / 60

let plates = 10_000
const newPlate = (): string => `粤T${++plates}`

const viewOf = async (lane: 'in' | 'out' | 'both') => {
  const views = await t.call(listLaneViews, { parkId: site.park.id, boothName: onlyBooth }, me)
  return defined(views.find(view => view.laneId === site.park.lanes[lane].id))
}

/** What the camera of the lane does with its commands. */
async function executeCommands(lane: 'in' | 'out' | 'both', isDone: boolean) {
  const scope = clockScope(t.app, t.ownerId)
  return t.database.tx(t.ownerId, async tx => {
    const laneId = site.park.lanes[lane].id
    const commands = await takeLaneCommands(tx, scope, laneId)
    for (const { id } of commands) {
      await endLaneCommand(tx, scope, { id, laneId }, { isDone, result: isDone ? '已抬杆' : '栏杆故障' })
    }
    return commands
  })
}

async function carAtExit(): Promise<{ readonly plate: string; readonly id: Id }> {
  const plate = newPlate()
  const { stayId } = await site.park.report('in', plate, addMinutes(site.now, -120))
  await site.park.report('out', plate, site.now)
  return { plate, id: defined(stayId) }
}

it('a lane shows the car that waits with the reason; released by hand, its barrier opens with the record', async () => {
  const { plate, id } = await carAtExit()
  const waiting = await viewOf('out')
  expect(waiting).toMatchObject({ isWaiting: true, direction: 'exit', laneName: '东出口' })
  expect(waiting.events[0]).toMatchObject({
    plateNo: plate,
    isOpen: false,
    stayId: id,
    due: yuan(7),
    reason: '待收 7.00，请先缴费',
    way: 'out',
    hasLeft: false,
    inTime: addMinutes(site.now, -120),
  })
  const outLaneId = site.park.lanes.out.id
  const asked = { id, outLaneId, isFree: true, reason: '业主搬家' }
  await t.call(releaseStay, asked, me)
  expect(await refusalTextOf(t.call(releaseStay, asked, me))).toContain('记录已结束')
  expect(await executeCommands('out', true)).toMatchObject([{ plateNo: plate }])
  expect(await viewOf('out')).toMatchObject({
    isWaiting: false,
    commandState: 'done',
    commandResult: '已抬杆',
  })
  expect((await viewOf('out')).events[0]).toMatchObject({ plateNo: plate, isOpen: false, hasLeft: true })
})

it('a barrier is opened from afar by permission, with a reason; what became of it is shown', async () => {
  const laneId = site.park.lanes.in.id
  const clerk = await t.addClerk(['parking-booth.booth.view'])
  expect(await refusalTextOf(t.call(openLane, { laneId, reason: '送货' }, clerk.as))).toContain('远程开闸')
  await t.call(openLane, { laneId, reason: '送货', plateNo: '粤B00001' }, me)
  expect(await viewOf('in')).toMatchObject({ commandState: 'waiting' })
  await executeCommands('in', false)
  expect(await viewOf('in')).toMatchObject({ commandState: 'failed', commandResult: '栏杆故障' })
  await t.call(openLane, { laneId, reason: '送货' }, me)
  t.advanceClock(16_000)
  expect(await viewOf('in')).toMatchObject({ commandState: 'expired' })
  expect(await executeCommands('in', true)).toEqual([])
  expect(await viewOf('in')).toMatchObject({ commandState: 'expired' })
})

it('a car that is not let in waits until it is let through or something else is there', async () => {
  const plate = newPlate()
  const blocked = await site.park.report('out', plate, site.now)
  expect(blocked.isOpen).toBe(false)
  expect(await viewOf('out')).toMatchObject({ isWaiting: true })
  await t.call(openLane, { laneId: site.park.lanes.out.id, reason: '核对后放行' }, me)
  expect(await viewOf('out')).toMatchObject({ isWaiting: false })
  await executeCommands('out', false)
  expect(await viewOf('out')).toMatchObject({ isWaiting: true })
  t.advanceClock(31 * 60_000)
  expect(await viewOf('out')).toMatchObject({ isWaiting: false })
})

it('a car that the booth enters is decided as at the lane, whose barrier opens only if it may pass', async () => {
  const laneId = site.park.lanes.in.id
  const plateNo = newPlate()
  const report = { laneId, passKey: `booth-${plateNo}`, plateNo }
  expect(await t.call(passLane, report, me)).toMatchObject({ isOpen: true, plateNo })
  expect(await executeCommands('in', true)).toMatchObject([{ plateNo, reason: '岗亭登记通行' }])
  t.advanceClock(90 * 60_000)
  const out = { laneId: site.park.lanes.out.id, passKey: `out-${plateNo}`, plateNo }
  const answer = await t.call(passLane, out, me)
  expect(answer).toMatchObject({ isOpen: false, due: yuan(7) })
  expect(await executeCommands('out', true)).toEqual([])
  const paid = { id: defined(answer.stayId), amount: yuan(7), payMethod: 'cash' } as const
  await t.call(collectStayFee, paid, me)
  await executeCommands('out', true)
  const passed = { ...out, passKey: `passed-${plateNo}`, hasPassed: true }
  expect(await t.call(passLane, passed, me)).toMatchObject({ isOpen: true })
  expect(await executeCommands('out', true)).toEqual([])
})

it('a lane out of use is not shown, and its barrier is not opened', async () => {
  const { both } = site.park.lanes
  await t.call(parkLanes.edit, { ...both, state: 'off' }, me)
  const views = await t.call(listLaneViews, { parkId: site.park.id }, me)
  expect(views.map(view => view.laneName)).toEqual(['东出口', '东入口'])
  expect(await refusalTextOf(t.call(openLane, { laneId: both.id, reason: '送货' }, me))).toContain('已停用')
})

let seed = 20_261_129
const next = (limit: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

interface MadeStay {
  readonly inTime?: Moment
  readonly outTime?: Moment
  readonly state: 'inside' | 'out' | 'abnormal' | 'merged'
}

/** Short, long, still inside, without entry, without exit, merged. */
function randomStay(from: Moment, i: number): MadeStay {
  const inTime = addMinutes(from, next(9 * 1440))
  const outTime = addMinutes(inTime, 1 + next(i % 5 ? 600 : 6000))
  const lot = next(12)
  if (lot === 0) return { inTime, state: 'inside' }
  if (lot === 1) return { outTime, state: 'abnormal' }
  if (lot === 2) return { inTime, state: 'abnormal' }
  return { inTime, outTime, state: lot === 3 ? 'merged' : 'out' }
}

const isInsideAt = ({ inTime, outTime, state }: MadeStay, at: Moment): boolean =>
  inTime !== undefined && inTime < at && (outTime === undefined ? state === 'inside' : outTime >= at)

/** Counted one by one, hour by hour. */
function expectedFlow(stays: readonly MadeStay[], from: Day, to: Day, now: Moment) {
  const counted = stays.filter(stay => stay.state !== 'merged')
  const [begin, end] = [startOfDay(from), startOfDay(addDays(to, 1))]
  const isWithin = (moment: Moment | undefined) => moment !== undefined && moment >= begin && moment < end
  const timed = counted.flatMap(({ inTime, outTime }) =>
    inTime && outTime && isWithin(outTime) ? [minutesBetween(inTime, outTime)] : [],
  )
  const insideCounts: number[] = []
  for (let at = begin; at <= end && at <= addMinutes(now, 60); at = addMinutes(at, 60)) {
    insideCounts.push(counted.filter(stay => isInsideAt(stay, at)).length)
  }
  return {
    inCount: counted.filter(stay => isWithin(stay.inTime)).length,
    outCount: counted.filter(stay => isWithin(stay.outTime)).length,
    avgMinutes: timed.length
      ? Math.round(timed.reduce((sum, minutes) => sum + minutes, 0) / timed.length)
      : undefined,
    maxInside: Math.max(...insideCounts),
  }
}

it('the flow of a time is what counting every stay hour by hour gives (oracle)', async () => {
  const lot = await t.call(
    addPark,
    { projectCode, name: '统计车场', parkType: 'below', state: 'on', totalPlace: 40 },
    me,
  )
  const today = dayOfMoment(site.now)
  const from = startOfDay(addDays(today, -9))
  const stays = Array.from({ length: 300 }, (_, i) => randomStay(from, i)).filter(
    ({ inTime, outTime }) => (inTime ?? from) <= site.now && (outTime ?? from) <= site.now,
  )
  await t.database.tx(t.ownerId, tx =>
    insertAll(
      tx,
      parkingStay,
      clockScope(t.app, t.ownerId),
      stays.map(({ inTime, outTime, state }, i) => ({
        projectCode,
        parkId: lot.id,
        plateNo: `粤U${10_000 + i}`,
        carKind: 'temp' as const,
        passTime: inTime ?? outTime ?? from,
        inTime,
        outTime,
        ...(inTime && outTime ? { stayMinutes: minutesBetween(inTime, outTime) } : {}),
        shouldPay: 0 as const,
        discount: 0 as const,
        paid: 0 as const,
        state,
        isTimeDoubtful: false,
      })),
    ),
  )
  for (const [back, to] of [
    [0, 0],
    [6, 0],
    [5, 3],
    [8, 1],
  ] as const) {
    const [dayFrom, dayTo] = [addDays(today, -back), addDays(today, -to)]
    const asked = { projectCode, parkId: lot.id, dayFrom, dayTo }
    const flow = await t.call(getFlowStatistics, asked, me)
    const expected = expectedFlow(stays, dayFrom, dayTo, site.now)
    expect({ ...flow.parks[0], back }).toMatchObject({ ...expected, back })
    expect(flow.hours.reduce((sum, hour) => sum + hour.inCount, 0)).toBe(expected.inCount)
    expect(flow.hours.reduce((sum, hour) => sum + hour.outCount, 0)).toBe(expected.outCount)
    const days = await t.call(listFlowDays, { ...asked, size: 100 }, me)
    expect(days.total).toBe(back - to + 1)
    expect(days.sum).toMatchObject({ inCount: expected.inCount, outCount: expected.outCount })
    const [latest] = days.rows
    expect(latest).toMatchObject(expectedFlow(stays, dayTo, dayTo, site.now))
  }
})

it('income is by kind and pay method, of the car parks asked for; too long a time is refused', async () => {
  const today = dayOfMoment(site.now)
  const asked = { projectCode, parkId: site.park.id, dayFrom: today, dayTo: today }
  const before = await t.call(getFlowStatistics, asked, me)
  await site.chargeNow(asId(1), yuan(5))
  await site.chargeNow(asId(1), yuan(3))
  await site.chargeNow(asId(1), yuan(2), 'card')
  const after = await t.call(getFlowStatistics, asked, me)
  const amountOf = (flow: typeof after, method: string) =>
    flow.incomes.find(row => row.kind === '临停' && row.payMethod === method)?.amount ?? 0
  expect(amountOf(after, 'cash') - amountOf(before, 'cash')).toBe(yuan(8))
  expect(amountOf(after, 'card') - amountOf(before, 'card')).toBe(yuan(2))
  expect(after.income - before.income).toBe(yuan(10))
  const { rows } = await t.call(listFlowDays, asked, me)
  expect(rows.map(row => row.income)).toEqual([after.income])
  const tooLong = { ...asked, dayFrom: addDays(today, -maxFlowDays) }
  expect(await refusalTextOf(t.call(getFlowStatistics, tooLong, me))).toContain('一次最多统计 92 天')
})

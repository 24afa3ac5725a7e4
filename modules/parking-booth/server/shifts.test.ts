import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes } from '#kit/domain/moment.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { collectStayFee, listCharges } from '#modules/parking-lanes/contract/charge.ts'
import { correctPlate, getStay, mergeStays, releaseStay } from '#modules/parking-lanes/contract/stay.ts'
import { yuan } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { collectAtBooth, listUnhanded, releaseUnseen, repriceAtBooth } from '../contract/booth-money.ts'
import { getFlowStatistics } from '../contract/flow.ts'
import { listLaneViews, openLane } from '../contract/lane-view.ts'
import { listShiftCharges, listShiftEvents } from '../contract/shift-event.ts'
import {
  beginShift,
  confirmShift,
  handOverShift,
  listBooths,
  listShifts,
  onlyBooth,
  type BoothShift,
} from '../contract/shift.ts'
import { BoothSite, boothClerkPermissions, type BoothClerk } from './booth.fixtures.ts'

let t: GoldenApp
let site: BoothSite
let first: BoothClerk
let second: BoothClerk

beforeAll(async () => {
  t = await openGoldenApp()
  site = await BoothSite.open(t, await t.owner)
  first = await site.addClerk()
  second = await site.addClerk(['parking-booth.shift.confirm'])
})

afterAll(() => t?.close())

let plates = 10_000
const newPlate = (): string => `粤S${++plates}`

/** A temporary car that came two hours ago: it owes 7.00. */
async function carInside() {
  const plate = newPlate()
  const { stayId } = await site.park.report('in', plate, addMinutes(site.now, -120))
  return { plate, id: defined(stayId) }
}

const chargesOf = async (shift: BoothShift): Promise<readonly Fen[]> =>
  (await t.call(listShiftCharges, { shiftId: shift.id, size: 1000 }, first.as)).rows.map(
    row => row.paidAmount,
  )

it('a booth has one person on duty, a person one booth, however many begin at once', async () => {
  const begun = await Promise.allSettled([site.begin(first.as), site.begin(second.as), site.begin(first.as)])
  const shifts = begun.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  expect(shifts).toHaveLength(1)
  const shift = defined(shifts[0])
  const [owner, other] = shift.offStaffId === first.id ? [first, second] : [second, first]
  expect(await refusalTextOf(site.begin(other.as))).toContain('该岗亭有人当班')
  expect(await refusalTextOf(site.begin(owner.as))).toMatch(/当班/)
  const nowhere = { parkId: site.park.id, boothName: '没有的岗亭' }
  expect(await refusalTextOf(t.call(beginShift, nowhere, other.as))).toContain('未填写该岗亭')
  const booths = await t.call(listBooths, {}, owner.as)
  expect(booths.find(booth => booth.parkId === site.park.id)).toMatchObject({
    boothName: onlyBooth,
    laneNames: '东入口、东出口、西门',
    shiftId: shift.id,
    isOwn: true,
  })
  await site.handOver(shift.id, owner.as)
})

it('the own shift is in every answer, whatever became of its lanes (PRK-10)', async () => {
  const shift = await site.begin(first.as)
  const own = async (projectCode?: string) =>
    (await t.call(listBooths, projectCode ? { projectCode } : {}, first.as)).filter(booth => booth.isOwn)
  expect(await own()).toMatchObject([{ shiftId: shift.id, boothName: onlyBooth }])
  const rename = (from: string, to: string) =>
    t.database.tx('*', tx =>
      tx.execute(sql`
        update park_lane set booth_name = nullif(${to}, '')
        where park_id = ${site.park.id} and coalesce(booth_name, '') = ${from}
      `),
    )
  await rename('', '旧亭')
  expect(await own()).toMatchObject([{ shiftId: shift.id, boothName: onlyBooth }])
  // Nobody else sees a booth that is no more.
  expect((await t.call(listBooths, {}, second.as)).some(({ shiftId }) => shiftId === shift.id)).toBe(false)
  await rename('旧亭', '')
  await site.handOver(shift.id, first.as)
  expect(await own()).toEqual([])
})

it('a price is lowered with its permission and reason, within what is due; sheet, audit and figures say so', async () => {
  const clerk = await site.addClerk(['parking-lanes.charge.reprice', 'parking-booth.flow.view'])
  const shift = await site.begin(clerk.as)
  const before = await t.call(getFlowStatistics, { parkId: site.park.id }, clerk.as)
  const car = await carInside()
  const input = { id: car.id, due: yuan(7), amount: yuan(3), payMethod: 'cash', reason: '绕行施工' } as const
  const lower = (changed: object = {}) => t.call(repriceAtBooth, { ...input, ...changed }, clerk.as)
  expect(await refusalTextOf(t.call(repriceAtBooth, input, first.as))).toContain('无权')
  expect(await refusalTextOf(lower({ due: yuan(9) }))).toContain('待收金额已变为 7.00 元')
  expect(await refusalTextOf(lower({ amount: yuan(7) }))).toContain('应小于待收 7.00 元')
  expect(await refusalTextOf(lower({ amount: yuan(-1) }))).not.toBe('')
  expect(await refusalTextOf(lower({ reason: '' }))).not.toBe('')
  // Of those at once one is done.
  const answers = await Promise.allSettled([lower(), lower(), lower()])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await t.call(getStay, { id: car.id }, clerk.as)).toMatchObject({
    paid: yuan(3),
    discount: yuan(4),
    shouldPay: yuan(7),
    state: 'paid',
  })
  const { rows: charges } = await t.call(listShiftCharges, { shiftId: shift.id }, clerk.as)
  expect(charges).toMatchObject([{ amount: yuan(7), waivedAmount: yuan(4), paidAmount: yuan(3) }])
  const { rows: events } = await t.call(listShiftEvents, { shiftId: shift.id }, clerk.as)
  expect(events).toMatchObject([
    { kind: 'price', plateNo: car.plate, waived: yuan(4), reason: '待收 7.00 元改收 3.00 元：绕行施工' },
  ])
  // For nothing at all, too; what was paid before stays paid.
  const free = await carInside()
  await lower({ id: free.id, amount: 0 })
  expect(await site.preview(shift.id, clerk.as)).toMatchObject({
    cashAmount: yuan(3),
    waivedAmount: yuan(11),
    priceCount: 2,
  })
  const after = await t.call(getFlowStatistics, { parkId: site.park.id }, clerk.as)
  expect(after.waived - before.waived).toBe(yuan(11))
  expect([after.priceCount - before.priceCount, after.income - before.income]).toEqual([2, yuan(3)])
  const audited = await t.database.reader(t.ownerId).rows<{ reason: string }>(sql`
    select reason from audit_log
    where owner_id = ${t.ownerId} and entity = 'parkingStay' and entity_id = ${car.id} and reason like '改价%'
  `)
  expect(audited).toEqual([{ reason: '改价：待收 7.00 元改收 3.00 元，绕行施工' }])
  await site.handOver(shift.id, clerk.as)
})

it('a shift with a free release and a shortage: every act is on the sheet, the next person confirms', async () => {
  const shift = await site.begin(first.as)
  const [paid, byCard, free, misread] = [
    await carInside(),
    await carInside(),
    await carInside(),
    await carInside(),
  ]
  await t.call(collectStayFee, { id: paid.id, amount: yuan(7), payMethod: 'cash' }, first.as)
  await t.call(collectStayFee, { id: byCard.id, amount: yuan(7), payMethod: 'card' }, first.as)
  const outLaneId = site.park.lanes.out.id
  await t.call(releaseStay, { id: free.id, outLaneId, isFree: true, reason: '业主搬家' }, first.as)
  await t.call(releaseStay, { id: paid.id, outLaneId, isFree: false, reason: '栏杆故障' }, first.as)
  const plateNo = newPlate()
  await t.call(correctPlate, { id: misread.id, plateNo, reason: '看错一位' }, first.as)
  await t.call(openLane, { laneId: outLaneId, reason: '救护车' }, first.as)
  await t.call(openLane, { laneId: outLaneId, reason: '不在此班' }, second.as)

  const expected = { cashAmount: yuan(7), onlineAmount: yuan(7), waivedAmount: yuan(7), chargeCount: 2 }
  expect(await site.preview(shift.id, first.as)).toMatchObject({ ...expected, freeCount: 1, openCount: 1 })
  const hand = { id: shift.id, expectCash: yuan(7), handAmount: yuan(5) }
  expect(await refusalTextOf(t.call(handOverShift, hand, first.as))).toContain('短款 2.00 元，请填写交班说明')
  const changed = { ...hand, expectCash: yuan(9), remark: '少收' }
  expect(await refusalTextOf(t.call(handOverShift, changed, first.as))).toContain(
    '原为 9.00 元，现为 7.00 元',
  )
  const handed = await t.call(handOverShift, { ...hand, remark: '找零找错' }, first.as)
  expect(handed).toMatchObject({ ...expected, state: 'waiting', diff: yuan(-2), freeCount: 1, openCount: 1 })
  expect(await chargesOf(handed)).toEqual([yuan(7), yuan(7)])
  const { rows: events } = await t.call(listShiftEvents, { shiftId: shift.id, order: 'id' }, first.as)
  expect(events).toMatchObject([
    { kind: 'free', plateNo: free.plate, waived: yuan(7), reason: '业主搬家', laneName: '东出口' },
    { kind: 'manual', plateNo: paid.plate, waived: 0 },
    { kind: 'plate', plateNo, oldPlate: misread.plate },
    { kind: 'open', reason: '救护车', laneName: '东出口' },
  ])

  const count = { id: shift.id, confirmAmount: yuan(5) }
  const supervisor = { ...second.as }
  expect(await refusalTextOf(t.call(confirmShift, count, first.as))).toContain('接班确认')
  const other = { ...count, confirmAmount: yuan(4) }
  expect(await refusalTextOf(t.call(confirmShift, other, supervisor))).toContain('请填写接班说明')
  expect(await t.call(confirmShift, count, supervisor)).toMatchObject({
    state: 'different',
    diff: yuan(-2),
    confirmAmount: yuan(5),
    onStaffId: second.id,
  })
  expect(await refusalTextOf(t.call(confirmShift, count, supervisor))).toContain('已确认')
  const inState = { state: ['different'], parkId: [String(site.park.id)] } as const
  const { rows, sum } = await t.call(listShifts, inState, first.as)
  expect(rows.map(row => row.id)).toEqual([shift.id])
  expect(sum).toMatchObject({ cashAmount: yuan(7), handAmount: yuan(5), diff: yuan(-2) })
})

it('nobody confirms the own shift; that of somebody who has gone is handed over with the reason', async () => {
  const shift = await site.begin(second.as)
  await site.handOver(shift.id, second.as)
  const count = { id: shift.id, confirmAmount: 0 as const }
  expect(await refusalTextOf(t.call(confirmShift, count, second.as))).toContain('不能确认自己的交班')
  const left = await site.begin(first.as)
  await site.chargeNow(first.id, yuan(3))
  expect(await refusalTextOf(site.handOver(left.id, second.as))).toContain('请填写原因')
  expect(await site.handOver(left.id, second.as, 0, '未交班离岗')).toMatchObject({
    offStaffId: first.id,
    cashAmount: yuan(3),
  })
  const own = await site.begin(second.as)
  expect(await refusalTextOf(site.handOver(own.id, first.as))).toContain('接班确认')
  await site.handOver(own.id, second.as)
})

it('a payment that commits after the hand-over it was dated before is on the next sheet', async () => {
  const shift = await site.begin(first.as)
  let commit = (): void => {}
  const isHandedOver = new Promise<void>(done => {
    commit = done
  })
  let begun = (): void => {}
  const hasBegun = new Promise<void>(done => {
    begun = done
  })
  const underWay = t.database.tx(t.ownerId, async tx => {
    await site.charge(tx, first.id, yuan(11))
    begun()
    await isHandedOver
  })
  await hasBegun
  t.advanceClock(1000)
  const handed = await site.handOver(shift.id, first.as)
  commit()
  await underWay
  expect(await chargesOf(handed)).toEqual([])
  t.advanceClock(60_000)
  const next = await site.begin(first.as)
  const later = await site.handOver(next.id, first.as)
  expect(later.cashAmount).toBe(yuan(11))
  expect(await chargesOf(later)).toEqual([yuan(11)])
})

it('two who hand over at once: one sheet, and nothing on two', async () => {
  const shift = await site.begin(first.as)
  await site.chargeNow(first.id, yuan(6))
  const input = { id: shift.id, expectCash: yuan(6), handAmount: yuan(6) }
  const ended = await Promise.allSettled([
    t.call(handOverShift, input, first.as),
    t.call(handOverShift, { ...input, remark: '代交' }, second.as),
  ])
  expect(ended.filter(each => each.status === 'fulfilled')).toHaveLength(1)
  const { rows } = await t.call(listShiftCharges, { shiftId: shift.id }, first.as)
  expect(rows).toHaveLength(1)
})

let seed = 20_261_129
const next = (limit: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

/** Hands over while payments come in; the cash that the screen showed may have changed. */
async function handOverUnderLoad(shift: BoothShift): Promise<BoothShift> {
  for (;;) {
    const handed = await site.handOver(shift.id, first.as).catch(() => undefined)
    if (handed) return handed
  }
}

it('whatever is collected during hand-overs is on exactly one sheet, and the sheets add up (model)', async () => {
  const collected: Fen[] = []
  const sheets: BoothShift[] = []
  for (let round = 0; round < 8; round++) {
    const shift = await site.begin(first.as)
    const amounts = Array.from({ length: 3 + next(6) }, () => asFen(1 + next(5000)))
    const payments = amounts.map(async (amount, i) => {
      if (i % 2) {
        await new Promise(done => setImmediate(done))
      }
      await site.chargeNow(first.id, amount, next(4) ? 'cash' : 'card')
    })
    collected.push(...amounts)
    sheets.push(await handOverUnderLoad(shift))
    await Promise.all(payments)
    t.advanceClock(1000)
  }
  const last = await site.begin(first.as)
  sheets.push(await site.handOver(last.id, first.as))
  const onSheets = (await Promise.all(sheets.map(chargesOf))).flat()
  expect(onSheets.toSorted((a, b) => a - b)).toEqual(collected.toSorted((a, b) => a - b))
  expect(sumFen(sheets.flatMap(({ cashAmount, onlineAmount }) => [cashAmount, onlineAmount]))).toBe(
    sumFen(collected),
  )
})

const newcomer = () => t.addClerk(boothClerkPermissions)

it('money at a booth is taken on duty only; what is taken elsewhere is shown until it is handed over (PRK-10)', async () => {
  const { as } = await newcomer()
  const [atBooth, byList] = [await carInside(), await carInside()]
  const payment = { amount: yuan(7), payMethod: 'cash' } as const
  const asked = { ...payment, id: atBooth.id }
  expect(await refusalTextOf(t.call(collectAtBooth, asked, as))).toContain('请先在「岗亭收费」开始当班')
  await t.call(collectStayFee, { ...payment, id: byList.id }, as)
  t.advanceClock(3 * 3_600_000)
  const unhanded = async () =>
    (await t.call(listUnhanded, {}, as)).filter(({ parkId }) => parkId === site.park.id).at(-1)
  expect(await unhanded()).toMatchObject({ count: 1, cashAmount: yuan(7), onlineAmount: 0 })
  const shift = await site.begin(as)
  expect((await unhanded())?.cashier).not.toBe(shift.offStaffId)
  const { id } = await carInside()
  await t.call(collectAtBooth, { ...payment, id }, as)
  const handed = await site.handOver(shift.id, as)
  expect(handed.cashAmount).toBe(yuan(14))
  expect(await chargesOf(handed)).toEqual([yuan(7), yuan(7)])
})

it('while a person is on duty the lanes stay with the booth; a second shift is refused with where the first is', async () => {
  const me = await t.owner
  const shift = await site.begin(first.as)
  const { out } = site.park.lanes
  const lane = defined((await t.call(parkLanes.list, { size: 100 }, me)).rows.find(({ id }) => id === out.id))
  const onDuty = `由${shift.offStaffName}当班`
  const renamed = { ...lane, boothName: '新名' }
  expect(await refusalTextOf(t.call(parkLanes.edit, renamed, me))).toContain(onDuty)
  expect(await refusalTextOf(t.call(parkLanes.edit, { ...lane, state: 'off' }, me))).toContain(onDuty)
  const removed = { ids: [String(lane.id)], reason: '拆除' }
  expect(await refusalTextOf(t.call(parkLanes.delete, removed, me))).toContain(onDuty)
  await t.call(parkLanes.edit, { ...lane, remark: '东侧' }, me)
  expect(await refusalTextOf(site.begin(first.as))).toContain(`· ${onlyBooth}」当班，请先在该岗亭交班`)
  await site.handOver(shift.id, first.as)
  const now = defined((await t.call(parkLanes.list, { size: 100 }, me)).rows.find(({ id }) => id === out.id))
  await t.call(parkLanes.edit, { ...now, boothName: '新名' }, me)
  await t.call(parkLanes.edit, { ...now, version: defined(now.version) + 1 }, me)
})

it('a car that nobody saw come in leaves by hand with a reason and, where wanted, an amount, on the sheet', async () => {
  const { as } = await newcomer()
  const laneId = site.park.lanes.out.id
  const plateNo = newPlate()
  await site.park.report('out', plateNo, site.now)
  const asked = {
    laneId,
    plateNo,
    amount: yuan(5),
    payMethod: 'cash',
    reason: '入口断网，按两小时收',
  } as const
  expect(await refusalTextOf(t.call(releaseUnseen, asked, as))).toContain('开始当班')
  const shift = await site.begin(as)
  const atEntrance = { ...asked, laneId: site.park.lanes.in.id }
  expect(await refusalTextOf(t.call(releaseUnseen, atEntrance, as))).toContain('是入口')
  const { plate } = await carInside()
  expect(await refusalTextOf(t.call(releaseUnseen, { ...asked, plateNo: plate }, as))).toContain('有在场记录')
  const stay = await t.call(releaseUnseen, asked, as)
  expect(await t.call(getStay, { id: stay.id }, as)).toMatchObject({
    state: 'abnormal',
    exitKind: 'manual',
    paid: yuan(5),
    releaseReason: asked.reason,
    outTime: site.now,
  })
  expect(await refusalTextOf(t.call(releaseUnseen, asked, as))).toContain('刚刚已放行')
  const free = { laneId, plateNo: newPlate(), reason: '访客，核对后放行' }
  await t.call(releaseUnseen, free, as)
  const views = await t.call(listLaneViews, { parkId: site.park.id }, as)
  expect(views.find(view => view.laneId === laneId)).toMatchObject({
    isWaiting: false,
    commandState: 'waiting',
    events: expect.arrayContaining([expect.objectContaining({ plateNo, hasLeft: true, isOpen: false })]),
  })
  const { rows: charges } = await t.call(listCharges, { plateNo }, as)
  expect(charges).toMatchObject([{ paidAmount: yuan(5), payMethod: 'cash' }])
  const handed = await site.handOver(shift.id, as)
  expect(handed.cashAmount).toBe(yuan(5))
  const entry = await carInside()
  const later = await site.begin(as)
  const paid = await t.call(releaseUnseen, { ...asked, plateNo: newPlate() }, as)
  await t.call(mergeStays, { id: entry.id, exitId: paid.id, reason: '同一辆车' }, as)
  expect(await t.call(getStay, { id: entry.id }, as)).toMatchObject({ paid: yuan(5), state: 'out' })
  expect(await chargesOf(await site.handOver(later.id, as))).toEqual([yuan(5)])
  const { rows: events } = await t.call(listShiftEvents, { shiftId: shift.id, order: 'id' }, as)
  expect(events).toMatchObject([
    { kind: 'manual', plateNo, reason: asked.reason },
    { kind: 'manual', plateNo: free.plateNo, reason: free.reason },
  ])
})

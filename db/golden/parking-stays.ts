import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { park } from '#modules/parking/contract/park.ts'
import { parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { parkFeeRule } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { feeOfMinutes } from '#modules/parking-lanes/domain/stay-fee.ts'
import { seedParkCameras } from './park-cameras.ts'
import { exampleFeeTerms } from './park-fee-terms.ts'
import { seedRegisteredCarStays, type ParkLanes } from './registered-car-stays.ts'

/** Minutes of stays that have ended, one after the other, and of cars that are still inside. */
const endedMinutes = [25, 95, 640, 180, 45, 1500, 70, 220, 12, 410, 55, 135]
const insideMinutes = [15, 80, 200, 600, 1700, 4600]
const plateLetters = 'ABCDEFGHJK'

const plateOf = (parkIndex: number, i: number): string =>
  `粤${plateLetters[parkIndex % 10]}${String(21_000 + parkIndex * 977 + i * 131).slice(0, 5)}`

interface SeededPark {
  readonly projectCode: string
  readonly parkId: Id
  readonly index: number
  readonly lanes: readonly Id[]
}

const seedLanes = (tx: Tx, scope: Scope, projectCode: string, parkId: Id): Promise<Id[]> =>
  insertAll(
    tx,
    parkLane,
    scope,
    (['entrance', 'exit'] as const).map(direction => ({
      projectCode,
      parkId,
      laneName: direction === 'entrance' ? '入口' : '出口',
      direction,
      laneType: 'vehicle' as const,
      boothName: '岗亭',
      state: 'on' as const,
    })),
  )

/** Stays that ended an hour apart, the last one shortly before `now`. */
async function seedEnded(
  tx: Tx,
  scope: Scope,
  { projectCode, parkId, index, lanes }: SeededPark,
  now: Moment,
) {
  const [inLaneId, outLaneId] = lanes
  const stays = endedMinutes.map((minutes, i) => {
    const outTime = addMinutes(now, -20 - i * 190)
    const inTime = addMinutes(outTime, -minutes)
    const { fee } = feeOfMinutes({ terms: exampleFeeTerms }, inTime, minutes)
    return {
      projectCode,
      parkId,
      plateNo: plateOf(index, i),
      carKind: 'temp' as const,
      passTime: inTime,
      inTime,
      inLaneId,
      outTime,
      outLaneId,
      stayMinutes: minutes,
      shouldPay: fee,
      discount: asFen(0),
      paid: fee,
      ...(fee > 0 ? { paidTime: addMinutes(outTime, -3) } : {}),
      state: 'out' as const,
      exitKind: 'auto' as const,
      isTimeDoubtful: false,
    }
  })
  const ids = await insertAll(tx, parkingStay, scope, stays)
  const charged = stays.flatMap((stay, i) => (stay.paid > 0 ? [{ ...stay, stayId: defined(ids[i]) }] : []))
  await insertAll(
    tx,
    parkingCharge,
    scope,
    charged.map(({ stayId, plateNo, inTime, outTime, paid, stayMinutes }, i) => ({
      projectCode,
      stayId,
      parkId,
      plateNo,
      chargeType: 'stay' as const,
      inTime,
      amount: paid,
      couponAmount: asFen(0),
      paidAmount: paid,
      payMethod: i % 3 === 0 ? ('cash' as const) : ('wechat' as const),
      payTime: addMinutes(outTime, -3),
      explanation: feeOfMinutes({ terms: exampleFeeTerms }, inTime, stayMinutes).blocks[0]?.reason,
      cashierName: '岗亭',
    })),
  )
}

const seedInside = (tx: Tx, scope: Scope, { projectCode, parkId, index, lanes }: SeededPark, now: Moment) =>
  insertAll(
    tx,
    parkingStay,
    scope,
    insideMinutes.map((minutes, i) => ({
      projectCode,
      parkId,
      plateNo: plateOf(index, 40 + i),
      carKind: 'temp' as const,
      passTime: addMinutes(now, -minutes),
      inTime: addMinutes(now, -minutes),
      inLaneId: lanes[0],
      shouldPay: asFen(0),
      discount: asFen(0),
      paid: asFen(0),
      state: 'inside' as const,
      isTimeDoubtful: false,
    })),
  )

/** What is not everyday: let out free, never seen leaving, misread, paid and about to leave. */
async function seedExceptions(
  tx: Tx,
  scope: Scope,
  { projectCode, parkId, index, lanes }: SeededPark,
  now: Moment,
) {
  const [inLaneId, outLaneId] = lanes
  const stayOf = (i: number, ago: number) => ({
    projectCode,
    parkId,
    plateNo: plateOf(index, 60 + i),
    carKind: 'temp' as const,
    passTime: addMinutes(now, -ago),
    inTime: addMinutes(now, -ago),
    inLaneId,
    shouldPay: asFen(0),
    discount: asFen(0),
    paid: asFen(0),
    isTimeDoubtful: false,
  })
  const free = { outTime: addMinutes(now, -400), outLaneId, stayMinutes: 100, shouldPay: asFen(700) }
  const paid = { paidTime: addMinutes(now, -4), shouldPay: asFen(700), paid: asFen(700) }
  const ids = await insertAll(tx, parkingStay, scope, [
    {
      ...stayOf(0, 500),
      ...free,
      state: 'out',
      exitKind: 'free',
      releaseReason: '业主搬家',
      operatorName: '岗亭',
    },
    { ...stayOf(1, 3000), state: 'abnormal', releaseReason: '再次入场，上次没有出场记录' },
    { ...stayOf(1, 130), state: 'inside' },
    { ...stayOf(2, 50), originalPlate: plateOf(index, 70), state: 'inside' },
    { ...stayOf(3, 110), ...paid, state: 'paid' },
  ])
  const { plateNo, inTime } = stayOf(3, 110)
  await insertAll(tx, parkingCharge, scope, [
    {
      projectCode,
      stayId: defined(ids.at(-1)),
      parkId,
      plateNo,
      chargeType: 'stay',
      inTime,
      amount: paid.paid,
      couponAmount: asFen(0),
      paidAmount: paid.paid,
      payMethod: 'wechat',
      payTime: paid.paidTime,
      explanation: feeOfMinutes({ terms: exampleFeeTerms }, inTime, 106).blocks[0]?.reason,
      cashierName: '岗亭',
    },
  ])
}

/** A rule, two lanes and the cars of the last days for each car park of a project. */
export async function seedParkingStays(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  nowMs: number,
): Promise<void> {
  const now = fromInstant(nowMs)
  const parks = await findAll(tx, park, scope, { projectCode })
  const allLanes: ParkLanes[] = []
  for (const [index, { id: parkId, name }] of parks.entries()) {
    const lanes = await seedLanes(tx, scope, projectCode, parkId)
    await insertAll(tx, parkFeeRule, scope, [
      {
        projectCode,
        parkId,
        ruleName: `${name}临停收费`.slice(0, 40),
        appliesOn: 'every',
        ...exampleFeeTerms,
        maxCoupons: 1,
        effectiveDate: '2026-01-01',
        state: 'on',
      },
    ])
    const seeded = { projectCode, parkId, index, lanes }
    await seedEnded(tx, scope, seeded, now)
    await seedInside(tx, scope, seeded, now)
    await seedExceptions(tx, scope, seeded, now)
    const [inLaneId, outLaneId] = lanes
    allLanes.push({ parkId, inLaneId: defined(inLaneId), outLaneId: defined(outLaneId) })
  }
  await seedParkCameras(tx, scope, projectCode, allLanes, now)
  await seedRegisteredCarStays(tx, scope, projectCode, allLanes, now)
}

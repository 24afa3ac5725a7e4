import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { stayState } from '../contract/choices.ts'
import type { ParkLane } from '../contract/park-lane.ts'
import { parkingStay, type ParkingStay } from '../contract/stay.ts'
import { publishBoothPayment, type BoothPayment } from './charge-event.ts'
import { judgeEntry } from './group-places.ts'
import { requestLaneOpen } from './lane-commands.ts'
import { publishLanes } from './live-lanes.ts'
import { parkLockStatement } from './passage/locks.ts'
import { writeCharge } from './settle-stay.ts'
import { publishStayHandled } from './stay-event.ts'
import { withPassNo } from './stays.ts'

interface UnseenCar {
  readonly lane: ParkLane
  readonly plateNo: string
  /** Agreed at the booth: without an entry nothing can be computed. */
  readonly amount: Fen
  readonly payMethod: BoothPayment['payMethod']
  readonly reason: string
}

function assertExit({ state, direction, laneName }: ParkLane): void {
  if (state !== 'on') {
    refuse(`车道「${laneName}」已停用，请先启用`)
  }
  if (direction === 'entrance') {
    refuseField('GateID', `「${laneName}」是入口，请选择出口`)
  }
}

/** A record of the car that is inside is charged and released itself; the same exit is let out once. */
async function assertUnseen(tx: Tx, scope: Scope, parkId: Id, plateNo: string, now: Moment): Promise<void> {
  const known = await tx.one<{ isInside: boolean }>(sql`
    select out_time is null as is_inside
    from parking_stay
    where owner_id = ${scope.ownerId}
      and park_id = ${parkId}
      and plate_no = ${plateNo}
      and ${notDeleted()}
      and (state in ${codes(stayState, 'inside', 'paid')} or out_time > ${addMinutes(now, -1)}::timestamptz)
    limit 1
  `)
  if (known?.isInside) {
    refuseField('PlateNo', `「${plateNo}」有在场记录，请按该车牌登记通行后收费或放行`)
  }
  if (known) {
    refuse(`「${plateNo}」刚刚已放行，请刷新`)
  }
}

async function takeAmount(tx: Tx, scope: Scope, stay: ParkingStay, car: UnseenCar, at: Moment) {
  const { amount, payMethod, reason } = car
  if (amount <= 0) return
  const explanation = `没有入场记录，由岗亭确定金额：${reason}`
  const untouched = { ...stay, paid: 0, discount: 0 } as const
  const chargeId = await writeCharge(tx, scope, untouched, { amount, uses: [], payMethod, explanation }, at)
  await publishBoothPayment(tx, scope, { stay, chargeId, amount, payMethod, explanation, at })
}

/** PRK-10: a car at an exit that nobody saw come in leaves by hand, with the reason and what it pays. */
export async function releaseUnseenCar(
  tx: Tx,
  scope: Scope,
  car: UnseenCar,
  now: Moment,
): Promise<ParkingStay> {
  const { lane, amount, reason } = car
  const { parkId, projectCode, id: laneId } = lane
  const plateNo = normalizePlate(car.plateNo)
  assertExit(lane)
  await tx.rows(parkLockStatement(scope.ownerId, sql`${parkId}`))
  await assertUnseen(tx, scope, parkId, plateNo, now)
  const { carKind } = await judgeEntry(tx, scope, { projectCode, parkId, plateNo }, now)
  const inserted = await insert(tx, parkingStay, scope, {
    projectCode,
    parkId,
    plateNo,
    carKind,
    passTime: now,
    outTime: now,
    outLaneId: laneId,
    shouldPay: amount,
    discount: 0,
    paid: amount,
    ...(amount > 0 ? { paidTime: now } : {}),
    state: 'abnormal',
    exitKind: 'manual',
    releaseReason: reason,
    isTimeDoubtful: false,
    operatorId: scope.operatorId,
    operatorName: scope.name,
  })
  const stay = await requireById(tx, parkingStay, scope, inserted.id)
  await takeAmount(tx, scope, stay, car, now)
  await requestLaneOpen(tx, scope, { laneId, stayId: stay.id, plateNo, origin: 'release', reason })
  await audit(tx, scope, [
    { action: 'state', entity: parkingStay.name, entityId: stay.id, projectCode, after: stay, reason },
  ])
  const handled = { kind: 'manual', stayId: stay.id, projectCode, parkId, plateNo, laneId } as const
  await publishStayHandled(tx, scope, [{ ...handled, waived: 0, reason }])
  publishLanes(tx, scope.ownerId)
  return withPassNo(stay)
}

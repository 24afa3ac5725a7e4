import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { displayYuan, formatYuan } from '#kit/domain/money.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { carKind as carKindChoice } from '#modules/parking/contract/car-labels.ts'
import { exitKind, stayState } from '../contract/choices.ts'
import { parkLane } from '../contract/park-lane.ts'
import {
  parkingStay,
  clearStays,
  correctPlate,
  mergeStays,
  releaseStay,
  type ParkingStay,
} from '../contract/stay.ts'
import { stayMinutes } from '../domain/stay-minutes.ts'
import { assertInside, isInside } from './charges.ts'
import { openTextOf, owedOfCompleted } from './completed-stay.ts'
import { givePlaces, judgeEntry, lockPassages, lockStay } from './group-places.ts'
import { closeStay } from './passage/write-passage.ts'
import { duesOf, pricedOf } from './inside-fees.ts'
import { takeChargesOver } from './merged-charges.ts'
import { requestLaneOpen } from './lane-commands.ts'
import { publishLanes } from './live-lanes.ts'
import { isCoveredByCoupons, settleByCoupons } from './settle-stay.ts'
import { stayCoupons } from './stay-coupons.ts'
import { publishStayHandled, type StayHandled } from './stay-event.ts'
import { withPassNo } from './stays.ts'

uniqueMessages({ parking_stay_inside: '该车牌已有在场记录，请先放行或清场' })

const stateEntry = (before: ParkingStay, after: object, reason: string): AuditEntry => ({
  action: 'state',
  entity: parkingStay.name,
  entityId: before.id,
  projectCode: before.projectCode,
  before,
  after: { ...before, ...after },
  reason,
})

const auditStay = (tx: Tx, scope: Scope, before: ParkingStay, after: object, reason: string): Promise<void> =>
  audit(tx, scope, [stateEntry(before, after, reason)])

const publishHandled = (
  tx: Tx,
  scope: Scope,
  stays: readonly ParkingStay[],
  about: Pick<StayHandled, 'kind' | 'reason'> & Partial<StayHandled>,
): Promise<void> =>
  publishStayHandled(
    tx,
    scope,
    stays.map(({ id, projectCode, parkId, plateNo }) => ({
      stayId: id,
      projectCode,
      parkId,
      plateNo,
      waived: 0,
      ...about,
    })),
  )

/** PRK-8: the plate as somebody saw it, of its charges too; what the camera read stays beside it. */
async function correct(
  { id, plateNo, reason }: { readonly id: Id; readonly plateNo: string; readonly reason: string },
  { tx, scope, now }: WriteContext,
): Promise<ParkingStay> {
  const plate = normalizePlate(plateNo)
  const stay = await lockStay(tx, scope, id, [plate])
  if (stay.state === 'merged') {
    refuse('已合并的记录不能修改车牌，请修改合并后的记录')
  }
  if (plate === stay.plateNo) {
    refuseField('PlateNo', '与现在的车牌相同')
  }
  await tx.execute(sql`
    update parking_stay
    set plate_no = ${plate}, original_plate = coalesce(original_plate, ${stay.plateNo}), ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
  await tx.execute(sql`
    update parking_charge
    set plate_no = ${plate}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and stay_id = ${id}
  `)
  await judgeAgain({ ...stay, plateNo: plate }, { tx, scope })
  await givePlaces(tx, scope, isInside(stay) ? [stay] : [], now)
  await auditStay(tx, scope, stay, { plateNo: plate }, reason)
  await publishHandled(tx, scope, [stay], { kind: 'plate', plateNo: plate, oldPlate: stay.plateNo, reason })
  publishLanes(tx, scope.ownerId)
  return withPassNo(await requireById(tx, parkingStay, scope, id))
}

/** A car that is inside has the right of its real plate, from the entry on. */
async function judgeAgain(
  stay: ParkingStay,
  { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>,
): Promise<void> {
  if (!isInside(stay) || !stay.inTime) return
  const { carKind, groupId } = await judgeEntry(tx, scope, stay, stay.inTime)
  await tx.execute(sql`
    update parking_stay
    set car_kind = ${codeOf(carKindChoice, carKind)}, group_id = ${groupId ?? null}, charged_to = null
    where owner_id = ${scope.ownerId} and id = ${stay.id}
  `)
}

/** The entry and the exit of what is one stay; refuses any other pair. */
function mergedTimes(
  entry: ParkingStay,
  exit: ParkingStay,
): { readonly inTime: Moment; readonly outTime: Moment } {
  const { inTime } = entry
  const { outTime } = exit
  if (!inTime || entry.outTime || entry.state === 'merged') return refuse('请选择有入场、没有出场的记录合并')
  if (exit.inTime || !outTime || exit.state === 'merged')
    return refuseField('ExitID', '请选择有出场、没有入场的记录')
  if (entry.parkId !== exit.parkId) {
    refuseField('ExitID', '两条记录不在同一个停车场')
  }
  if (outTime < inTime) {
    refuseField('ExitID', `出场 ${outTime} 早于入场 ${inTime}，请核对`)
  }
  return { inTime, outTime }
}

async function merge(
  { id, exitId, reason }: { readonly id: Id; readonly exitId: Id; readonly reason: string },
  { tx, scope }: WriteContext,
): Promise<ParkingStay> {
  await lockPassages(tx, scope, [id, exitId])
  const found = await findByIds(tx, parkingStay, scope, [id, exitId], { lock: true })
  const entry = found.find(stay => stay.id === id)
  const exit = found.find(stay => stay.id === exitId)
  if (!entry || !exit) throw notFound()
  const { inTime, outTime } = mergedTimes(entry, exit)
  const minutes = stayMinutes(inTime, outTime)
  const owed = await owedOfCompleted(
    tx,
    scope,
    { ...pricedOf(entry), projectCode: entry.projectCode },
    outTime,
  )
  const reasons = [openTextOf(owed), reason].filter(text => text !== undefined)
  await tx.execute(sql`
    update parking_stay
    set state = ${code(stayState, 'merged')}, merged_into = ${id}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${exitId}
  `)
  await tx.execute(sql`
    update parking_stay
    set out_time = ${outTime}::timestamptz, out_lane_id = ${exit.outLaneId ?? null},
      out_photo = ${exit.outPhoto ?? null}, stay_minutes = ${minutes}, state = ${code(stayState, 'out')},
      exit_kind = ${codeOf(exitKind, 'manual')}, release_reason = ${reasons.join('；').slice(0, 200)},
      should_pay = ${formatYuan(owed.shouldPay)}::numeric, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
  await takeChargesOver(tx, scope, exit, id)
  await givePlaces(tx, scope, isInside(entry) ? [entry] : [], outTime)
  await stayCoupons().release(tx, scope, [id, exitId])
  await auditStay(tx, scope, entry, { state: 'out', outTime, shouldPay: owed.shouldPay }, reason)
  return withPassNo(await requireById(tx, parkingStay, scope, id))
}

interface Release {
  readonly id: Id
  readonly outLaneId: Id
  readonly isFree: boolean
  readonly reason: string
}

/** By hand, with its reason: paid, or without what is still owed (PRK-10); the barrier opens with it. */
async function release({ id, outLaneId, isFree, reason }: Release, { tx, scope, now }: WriteContext) {
  const stay = await lockStay(tx, scope, id)
  assertInside(stay)
  const lane = await requireById(tx, parkLane, scope, outLaneId)
  if (lane.parkId !== stay.parkId) {
    refuseField('OutGateID', '请选择该停车场的出口')
  }
  if (lane.direction === 'entrance') {
    refuseField('OutGateID', `「${lane.laneName}」是入口，请选择出口`)
  }
  const owed = (await duesOf(tx, scope, [stay], now, { lock: true }))(stay)
  const { due, shouldPay } = owed
  if (due > 0 && !isFree) {
    refuse(`待收 ${displayYuan(due)} 元，请先收费，或选择免费放行`)
  }
  const isCovered = isCoveredByCoupons(owed)
  await (isCovered
    ? settleByCoupons(tx, scope, stay, owed, now)
    : stayCoupons().release(tx, scope, [stay.id]))
  const kind = isFree && due > 0 ? 'free' : 'manual'
  await tx.execute(
    closeStay(scope, {
      stayId: id,
      inTime: stay.inTime ?? now,
      outTime: now,
      outLaneId,
      shouldPay,
      discount: isCovered ? owed.couponDiscount : 0,
      exitKind: kind,
      reason,
    }),
  )
  await givePlaces(tx, scope, [stay], now)
  await requestLaneOpen(tx, scope, {
    laneId: outLaneId,
    stayId: id,
    plateNo: stay.plateNo,
    origin: 'release',
    reason,
  })
  await auditStay(tx, scope, stay, { state: 'out', exitKind: kind, shouldPay }, reason)
  await publishHandled(tx, scope, [stay], { kind, laneId: outLaneId, waived: due, reason })
  return withPassNo(await requireById(tx, parkingStay, scope, id))
}

/** The record ends, the car was not seen: nothing is charged (PRK-9). */
async function clear(
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  { tx, scope, now }: WriteContext,
) {
  await lockPassages(tx, scope, ids.map(parseId))
  const stays = await findByIds(tx, parkingStay, scope, ids.map(parseId), { lock: true })
  if (!stays.length) throw notFound()
  const { allowed, refused } = judgeRecords(
    stays,
    stay => (isInside(stay) ? undefined : `已是“${labelOf(stayState, stay.state)}”，不需要清场，请刷新列表`),
    stay => stay.plateNo,
  )
  await tx.execute(sql`
    update parking_stay
    set state = ${code(stayState, 'abnormal')}, exit_kind = ${codeOf(exitKind, 'system')},
      release_reason = ${reason}, operator_id = ${scope.operatorId}, operator_name = ${scope.name},
      ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${allowed.map(stay => stay.id)}::bigint[])
      and state in ${codes(stayState, 'inside', 'paid')}
  `)
  await givePlaces(tx, scope, allowed, now)
  await stayCoupons().release(
    tx,
    scope,
    allowed.map(stay => stay.id),
  )
  await audit(
    tx,
    scope,
    allowed.map(stay => stateEntry(stay, { state: 'abnormal', exitKind: 'system' }, reason)),
  )
  await publishHandled(tx, scope, allowed, { kind: 'clear', reason })
  return bulkResultOf(ids, stays, refused)
}

export const stayActionHandlers = [
  writes(correctPlate, correct),
  writes(mergeStays, merge),
  writes(releaseStay, release),
  writes(clearStays, clear),
]

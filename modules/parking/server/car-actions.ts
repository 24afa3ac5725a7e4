import { parseId, type Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { invalidField, notFound, refuse } from '#kit/contract/wire.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { saveSearchText } from '#kit/server/search-column.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insert, requireById, updateAll } from '#kit/server/table.ts'
import {
  addToBlackList,
  adjustValidity,
  blackCars,
  cancelCars,
  checkCars,
  resumeCars,
  suspendCars,
  unbindPlaceCars,
} from '../contract/car-actions.ts'
import { car, type Car } from '../contract/car.ts'
import { carState, type CarState } from '../contract/car-labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import { parkPlace } from '../contract/park-place.ts'
import { carDaysFault, stateAfterBlackList, stateByDays, stateFault } from '../domain/car-state.ts'
import { carSearchText } from './cars.ts'
import { changeValidity, lockCarsOfPlaces, unbindCars } from './car-validity.ts'

type Refusal = (row: Car) => string | undefined

async function lockCars(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Car[]> {
  const found = await findByIds(tx, car, scope, ids, { lock: true })
  if (!found.length) throw notFound()
  return found
}

const refusalOfBecoming =
  (to: CarState): Refusal =>
  row =>
    stateFault(row.carState, to)

interface StateChange {
  readonly ids: readonly string[]
  readonly reason?: string | undefined
  readonly refusal: Refusal
  /** What a car that may becomes. */
  readonly next: (row: Car) => Partial<Car> & { readonly carState: CarState }
}

/** One statement for each state that the cars come to; those that may not are answered with the reason. */
async function changeStates({ tx, scope }: WriteContext, change: StateChange) {
  const found = await lockCars(tx, scope, change.ids)
  const { allowed, refused } = judgeRecords(found, change.refusal, row => row.plateNo)
  for (const [, rows] of Map.groupBy(allowed, row => JSON.stringify(change.next(row)))) {
    const [first] = rows
    if (first) {
      await updateAll(tx, car, scope, rows, change.next(first), { action: 'state', reason: change.reason })
    }
  }
  return { allowed, result: bulkResultOf(change.ids, found, refused) }
}

/** 10 → 20 or 50: a refusal says why. */
const check = writes(checkCars, async ({ ids, pass, reason }, c) => {
  if (!pass && !reason) throw invalidField('Reason', '不通过请填写原因')
  const { result } = await changeStates(c, {
    ids,
    reason,
    refusal: row =>
      row.carState === 'pending' ? undefined : `车辆为“${labelOf(carState, row.carState)}”，无需审核`,
    next: row => ({
      carState: pass ? stateByDays(row.endDate, c.today) : 'cancelled',
      ...(pass ? {} : { placeId: undefined }),
    }),
  })
  return result
})

/** A cancelled car is history: its plate is listed by itself. */
const blackRefusal: Refusal = row =>
  row.carState === 'cancelled'
    ? '车辆已注销，请用「加入黑名单」登记该车牌'
    : row.carState === 'blocked'
      ? '已在黑名单中'
      : undefined

const blackValues = (row: Car, reason: string) => ({
  carState: 'blocked' as const,
  prevState: row.carState,
  blackReason: reason,
})

const black = writes(blackCars, async ({ ids, black: isBlack, reason }, c) => {
  const { result } = await changeStates(c, {
    ids,
    reason,
    refusal: isBlack ? blackRefusal : row => (row.carState === 'blocked' ? undefined : '不在黑名单中'),
    next: row =>
      isBlack
        ? blackValues(row, reason)
        : { carState: stateAfterBlackList(row, c.today), prevState: undefined, blackReason: undefined },
  })
  return result
})

/** The live car of a plate, locked. Needs car_plate_live. */
async function lockPlate(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  plateNo: string,
): Promise<Car | undefined> {
  const found = await tx.one<{ id: Id }>(sql`
    select id
    from car
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and plate_no = ${plateNo}
      and car_state <> ${code(carState, 'cancelled')}
      and ${notDeleted()}
    for update
  `)
  return found && requireById(tx, car, scope, found.id, { lock: true })
}

/** A plate without a car gets one of its own, of nobody, which is cancelled once it is taken off. */
const intoBlackList = writes(addToBlackList, async ({ projectCode, plateNo: typed, reason }, c) => {
  const { tx, scope } = c
  const project = requireProject(scope.domain, projectCode)
  const plateNo = normalizePlate(typed)
  const known = await lockPlate(tx, scope, project, plateNo)
  if (known?.carState === 'blocked') return refuse(`车牌 ${plateNo} 已在黑名单中`)
  if (known) {
    const values = blackValues(known, reason)
    await updateAll(tx, car, scope, [known], values, { action: 'state', reason })
    return bulkResultOf([known.id], [known], [])
  }
  const added = await insert(tx, car, scope, {
    projectCode: project,
    plateNo,
    plateColor: plateNo.length > 7 ? 'green' : 'blue',
    carKind: 'temp',
    carState: 'blocked',
    blackReason: reason,
  })
  await saveSearchText(tx, car, scope, carSearchText, added)
  return bulkResultOf([added.id], [added], [])
})

const suspend = writes(suspendCars, async ({ ids, reason }, c) => {
  const { result } = await changeStates(c, {
    ids,
    reason,
    refusal: refusalOfBecoming('suspended'),
    next: () => ({ carState: 'suspended' }),
  })
  return result
})

const resume = writes(resumeCars, async ({ ids, reason }, c) => {
  const { result } = await changeStates(c, {
    ids,
    reason,
    refusal: row =>
      row.carState === 'suspended' ? undefined : `车辆为“${labelOf(carState, row.carState)}”，无需恢复`,
    next: row => ({ carState: stateByDays(row.endDate, c.today) }),
  })
  return result
})

const cancel = writes(cancelCars, async ({ ids, reason }, c) => {
  const { result } = await changeStates(c, {
    ids,
    reason,
    refusal: refusalOfBecoming('cancelled'),
    next: () => ({ carState: 'cancelled', placeId: undefined }),
  })
  return result
})

const adjust = writes(adjustValidity, async ({ ids, beginDate, endDate, reason }, { tx, scope, today }) => {
  const found = await lockCars(tx, scope, ids)
  const { allowed, refused } = judgeRecords(
    found,
    row =>
      row.carState === 'cancelled'
        ? '车辆已注销'
        : carDaysFault({ carKind: row.carKind, beginDate, endDate }),
    row => row.plateNo,
  )
  await changeValidity(tx, scope, allowed, {
    type: 'adjusted',
    days: { beginDate, endDate },
    today,
    reason,
  })
  return bulkResultOf(ids, found, refused)
})

const unbind = writes(unbindPlaceCars, async ({ placeId, ids, reason }, { tx, scope, today }) => {
  const place = await requireById(tx, parkPlace, scope, placeId, { lock: true })
  const asked = new Set((ids ?? []).map(parseId))
  const bound = await lockCarsOfPlaces(tx, scope, [placeId])
  const rows = asked.size ? bound.filter(row => asked.has(row.id)) : bound
  if (!rows.length) return refuse(`车位「${place.placeNo}」暂无可解除的车辆，请刷新后重试`)
  await unbindCars(tx, scope, rows, { today, reason })
  return bulkResultOf(asked.size ? [...asked] : rows.map(row => row.id), rows, [])
})

export const carActionHandlers = [check, black, intoBlackList, suspend, resume, cancel, adjust, unbind]

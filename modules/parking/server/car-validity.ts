import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insertAll, updateAll } from '#kit/server/table.ts'
import { car, carValidity, type Car } from '../contract/car.ts'
import { carState, type validityChange } from '../contract/car-labels.ts'
import type { PlaceState } from '../contract/labels.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { stateByDays } from '../domain/car-state.ts'

type ValidityChange = ChoiceOf<typeof validityChange>

export interface CarDays {
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
}

interface ValidityEntry {
  readonly car: Pick<Car, 'id' | 'projectCode' | 'plateNo'>
  readonly before?: CarDays | undefined
  readonly after: CarDays
}

/** The history of the days of cars: what was, what is, who and why. */
export async function logValidity(
  tx: Tx,
  scope: Scope,
  changeType: ValidityChange,
  entries: readonly ValidityEntry[],
  reason?: string,
): Promise<void> {
  if (!entries.length) return
  await insertAll(
    tx,
    carValidity,
    scope,
    entries.map(entry => ({
      projectCode: entry.car.projectCode,
      carId: entry.car.id,
      plateNo: entry.car.plateNo,
      changeType,
      oldBegin: entry.before?.beginDate,
      oldEnd: entry.before?.endDate,
      newBegin: entry.after.beginDate,
      newEnd: entry.after.endDate,
      reason,
      operatorName: scope.name,
    })),
  )
}

interface NewValidity {
  readonly type: ValidityChange
  readonly days: CarDays
  readonly today: Day
  readonly reason?: string | undefined
}

/** Gives locked cars other days; what was normal or expired follows them. */
export async function changeValidity(
  tx: Tx,
  scope: Scope,
  rows: readonly Car[],
  { type, days, today, reason }: NewValidity,
): Promise<void> {
  const followsDays = (row: Car): boolean => row.carState === 'normal' || row.carState === 'expired'
  const patch = { beginDate: days.beginDate, endDate: days.endDate }
  const options = { reason }
  const dated = rows.filter(followsDays)
  const others = rows.filter(row => !followsDays(row))
  await updateAll(tx, car, scope, dated, { ...patch, carState: stateByDays(days.endDate, today) }, options)
  await updateAll(tx, car, scope, others, patch, options)
  const entries = rows.map(row => ({ car: row, before: row, after: days }))
  await logValidity(tx, scope, type, entries, reason)
}

const bound = codes(carState, 'pending', 'normal', 'expired', 'suspended', 'blocked')

/** The cars that hold a place, locked: all but the cancelled. Needs car_place. */
export async function lockCarsOfPlaces(tx: Tx, scope: Scope, placeIds: readonly Id[]): Promise<Car[]> {
  if (!placeIds.length) return []
  const found = await tx.rows<{ id: Id }>(sql`
    select id
    from car
    where owner_id = ${scope.ownerId}
      and place_id = any(${[...placeIds]}::bigint[])
      and car_state in ${bound}
      and ${notDeleted()}
    order by id
  `)
  const ids = found.map(({ id }) => id)
  return findByIds(tx, car, scope, ids, { lock: true })
}

/**
 * PRK-7: cars leave their place, and their month right ends at once: its last day was yesterday. A right that
 * had not begun is gone with its first day.
 */
export async function unbindCars(
  tx: Tx,
  scope: Scope,
  rows: readonly Car[],
  { today, reason }: { readonly today: Day; readonly reason: string },
): Promise<void> {
  const yesterday = addDays(today, -1)
  await updateAll(tx, car, scope, rows, { placeId: undefined }, { reason })
  const isRunning = (row: Car): boolean => row.endDate === undefined || row.endDate > yesterday
  for (const row of rows.filter(isRunning)) {
    const begun = row.beginDate !== undefined && row.beginDate <= yesterday
    const days = { beginDate: begun ? row.beginDate : undefined, endDate: yesterday }
    await changeValidity(tx, scope, [row], { type: 'unbound', days, today, reason })
  }
}

interface PlaceRelease {
  readonly to: PlaceState
  readonly today: Day
  readonly reason?: string | undefined
}

/** Cars of places that come back or are taken out of use leave them. */
export async function releaseCars(
  tx: Tx,
  scope: Scope,
  places: readonly { readonly id: Id; readonly placeNo: string }[],
  { to, today, reason }: PlaceRelease,
): Promise<void> {
  if (to !== 'free' && to !== 'off') return
  const placeIds = places.map(({ id }) => id)
  const rows = await lockCarsOfPlaces(tx, scope, placeIds)
  const change = `车位${to === 'free' ? '改为空闲' : '停用'}`
  await unbindCars(tx, scope, rows, { today, reason: reason ? `${change}：${reason}` : change })
}

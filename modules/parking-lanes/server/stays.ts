import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, startOfDay } from '#kit/domain/moment.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { findCarIds, isOfCar } from '#modules/parking/server/public.ts'
import { exportStays, parkingStays, type ParkingStay, type listStays } from '../contract/stay.ts'

export const defaultDays = 30

export const passNoOf = (id: Id): string => `TC${String(id).padStart(10, '0')}`

type StayQuery = NonNullable<typeof listStays.input.T>

/** Cars that are inside are shown whenever they came; so are all stays of one car. */
const asksOnlyInside = ({ state }: StayQuery): boolean =>
  state !== undefined && state.length > 0 && state.every(each => each === 'inside' || each === 'paid')

function stayConditions(query: StayQuery, { scope, today }: CrudContext): readonly RawBuilder<unknown>[] {
  const { plateNo, carId, passTimeFrom } = query
  return [
    ...(carId === undefined ? [] : [isOfCar(scope.ownerId, carId)]),
    ...(plateNo === undefined ? [] : [contains(sql`t.plate_no`, plateNo.toUpperCase())]),
    ...(passTimeFrom !== undefined || carId !== undefined || asksOnlyInside(query)
      ? []
      : [sql`t.pass_time >= ${addDaysToMoment(startOfDay(today), -defaultDays)}::timestamptz`]),
  ]
}

export const withPassNo = (row: ParkingStay): ParkingStay => ({ ...row, passNo: passNoOf(row.id) })

/** With their car: by the plate, as somebody corrected it. */
async function withCars(rows: readonly ParkingStay[], { db, scope }: CrudContext): Promise<ParkingStay[]> {
  const idOfCar = await findCarIds(db, scope.ownerId, rows)
  return rows.map(row => ({ ...withPassNo(row), carId: idOfCar(row) }))
}

export const stayServer = crudHandlers(parkingStays, {
  filter: stayConditions,
  keyword: word => contains(sql`t.plate_no`, word.toUpperCase()),
  enrich: withCars,
  export: exportStays,
})

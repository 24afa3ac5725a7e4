import { keyOf, keysOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById, tenantFilter } from '#kit/server/table.ts'
import { requireResident } from '#modules/residents/server/public.ts'
import {
  car,
  carValidities,
  countCarsByState,
  getCarWithOwner,
  listCarsAndPlacesOfResident,
  listCarsOfPlace,
  listCarsOfResident,
  type Car,
} from '../contract/car.ts'
import { carState } from '../contract/car-labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import { parkPlace } from '../contract/park-place.ts'
import { withOwners } from './car-owner.ts'

const maxShown = 100
const isLive = sql`t.car_state <> ${code(carState, 'cancelled')}`

/** The live cars that fulfil a condition. */
export const findCars = (
  db: Db,
  scope: Scope,
  where: RawBuilder<unknown>,
  projectCode?: string,
): Promise<Car[]> =>
  findAll(db, car, scope, projectCode ? { projectCode } : {}, { where: [where, isLive], limit: maxShown })

const carsOfResident = async (db: Db, scope: Scope, userId: Id): Promise<Car[]> => {
  await requireResident(db, scope, userId)
  return findCars(db, scope, sql`t.user_id = ${userId}`)
}

export const carValidityServer = crudHandlers(carValidities)

export const carQueryHandlers = [
  reads(getCarWithOwner, async ({ plateNo, projectCode }, { db, scope }) => {
    const plate = normalizePlate(plateNo)
    const [found] = await findCars(db, scope, sql`t.plate_no = ${plate}`, projectCode)
    if (!found) throw notFound()
    return defined((await withOwners(db, scope.ownerId, [found]))[0])
  }),
  reads(countCarsByState, async ({ projectCode }, { db, scope }) => {
    const found = await db.rows<{ carState: number; count: number }>(sql`
      select t.car_state, count(*)::int as count
      from car as t
      where ${tenantFilter(car, scope, projectCode)}
      group by 1
    `)
    const counts = new Map(found.map(row => [keyOf(carState, row.carState), row.count]))
    return keysOf(carState).map(state => ({ carState: state, count: counts.get(state) ?? 0 }))
  }),
  reads(listCarsOfPlace, async ({ placeId }, { db, scope }) => {
    await requireById(db, parkPlace, scope, placeId)
    return findCars(db, scope, sql`t.place_id = ${placeId}`)
  }),
  reads(listCarsAndPlacesOfResident, ({ userId }, { db, scope }) => carsOfResident(db, scope, userId)),
  reads(listCarsOfResident, ({ userId }, { db, scope }) => carsOfResident(db, scope, userId)),
]

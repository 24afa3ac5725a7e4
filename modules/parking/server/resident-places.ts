import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { findRoomsOfResident, requireResident } from '#modules/residents/server/public.ts'
import { carState } from '../contract/car-labels.ts'
import { listPlacesOfResident, parkPlace } from '../contract/park-place.ts'

export const residentPlaceHandlers = [
  reads(listPlacesOfResident, async ({ userId }, { db, scope }) => {
    await requireResident(db, scope, userId)
    const homes = (await findRoomsOfResident(db, scope, userId)).flatMap(({ projectCode, roomCode }) =>
      roomCode === undefined ? [] : [{ projectCode, roomCode }],
    )
    const ofHome = sql`(t.project_code, t.room_code) in (
      select * from unnest(
        ${homes.map(home => home.projectCode)}::text[], ${homes.map(home => home.roomCode)}::text[]
      )
    )`
    const ofCar = sql`t.id in (
      select c.place_id
      from car c
      where c.owner_id = ${scope.ownerId}
        and c.user_id = ${userId}
        and c.place_id is not null
        and c.car_state <> ${code(carState, 'cancelled')}
        and ${notDeleted('c')}
    )`
    return findAll(db, parkPlace, scope, {}, { where: [sql`(${ofHome} or ${ofCar})`], limit: 100 })
  }),
]

import './personal-data.ts'
import './car-move-step.ts'
import './car-panels.ts'
import './car-people.ts'
import { joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { code } from '#kit/server/sql.ts'
import { carState } from '../contract/car-labels.ts'
import type { Park } from '../contract/park.ts'
import './move-step.ts'
import './place-panels.ts'
import { carActionHandlers } from './car-actions.ts'
import { carExpiryCron } from './car-expiry.ts'
import { carGroupHandlers, carGroupServer } from './car-group.ts'
import { carQueryHandlers, carValidityServer } from './car-queries.ts'
import { carQueues } from './car-queues.ts'
import { carServer } from './cars.ts'
import { placeNodeHandlers } from './place-nodes.ts'
import { residentPlaceHandlers } from './resident-places.ts'
import { parkHandlers, parkServer } from './park.ts'
import { placeHandlers, placeServer } from './park-place.ts'

// BASE-5: what still refers to an estate, a room, a car park.
registerDependentRows('estate', {
  label: '停车场',
  table: 'park',
  where: (e: Estate) => sql`project_code = ${e.projectCode}`,
})

registerDependentRows('room', {
  label: '关联车位',
  table: 'park_place',
  where: (r: Room) => sql`project_code = ${r.projectCode} and room_code = ${r.code}`,
})

registerDependentRows('park', {
  label: '车位',
  table: 'park_place',
  where: (p: Park) => sql`park_id = ${p.id}`,
})

registerDependentRows('estate', {
  label: '车辆',
  table: 'car',
  where: (e: Estate) => sql`project_code = ${e.projectCode} and car_state <> ${code(carState, 'cancelled')}`,
})

registerDependentRows('room', {
  label: '车辆',
  table: 'car',
  where: (r: Room) => sql`
    project_code = ${r.projectCode}
    and room_code = ${r.code}
    and car_state <> ${code(carState, 'cancelled')}
  `,
})

registerDependentRows(
  'park',
  {
    label: '授权车辆',
    table: 'car',
    where: (p: Park) => sql`
      ${String(p.id)} = any(park_ids) and car_state <> ${code(carState, 'cancelled')}
    `,
  },
  {
    label: '车辆分组',
    table: 'car_group',
    where: (p: Park) => sql`${String(p.id)} = any(park_ids)`,
  },
)

export const server = joinServers(parkServer, placeServer, carServer, carValidityServer, carGroupServer, {
  crons: [carExpiryCron],
  queues: carQueues,
  handlers: [
    ...parkHandlers,
    ...placeHandlers,
    ...placeNodeHandlers,
    ...residentPlaceHandlers,
    ...carQueryHandlers,
    ...carActionHandlers,
    ...carGroupHandlers,
  ],
})

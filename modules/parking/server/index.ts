import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import type { Park } from '../contract/park.ts'
import './move-step.ts'
import './place-panels.ts'
import { placeNodeHandlers } from './place-nodes.ts'
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

export const server = joinServers(parkServer, placeServer, {
  handlers: [...parkHandlers, ...placeHandlers, ...placeNodeHandlers],
})

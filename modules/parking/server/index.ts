import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { findPage } from '#kit/server/table.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { menu } from '../module.ts'
import type { Park } from '../contract/park.ts'
import { parkPlace } from '../contract/park-place.ts'
import { placeState } from '../contract/labels.ts'
import { placeNodeHandlers } from './place-nodes.ts'
import { parkHandlers, parkServer } from './park.ts'
import { placeHandlers, placeServer } from './park-place.ts'

// BASE-5: what still hangs on an estate, a room, a car park.
registerDependentRows('estate', {
  what: '停车场',
  table: 'park',
  where: (e: Estate) => sql`project_code = ${e.projectCode}`,
})

registerDependentRows('room', {
  what: '关联车位',
  table: 'park_place',
  where: (r: Room) => sql`project_code = ${r.projectCode} and room_code = ${r.code}`,
})

registerDependentRows('park', {
  what: '车位',
  table: 'park_place',
  where: (p: Park) => sql`park_id = ${p.id}`,
})

registerRoomPanelSection({
  key: 'places',
  order: 300,
  needs: menu.place.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findPage(
      db,
      parkPlace,
      scope,
      { size: 5 },
      { where: [sql`t.project_code = ${room.projectCode} and t.room_code = ${defined(room.code)}`] },
    )
    return found.total
      ? {
          title: '车位',
          count: found.total,
          lines: found.rows.map(p => ({
            label: p.placeNo,
            value: labelOf(placeState, p.placeState),
            note: [p.parkName, p.areaName, p.endDate && `至 ${p.endDate}`].filter(Boolean).join(' · '),
          })),
        }
      : undefined
  },
})

export const server = joinServers(parkServer, placeServer, {
  handlers: [...parkHandlers, ...placeHandlers, ...placeNodeHandlers],
})

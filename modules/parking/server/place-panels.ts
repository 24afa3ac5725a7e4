import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage } from '#kit/server/table.ts'
import type { PanelSectionContent } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { findRoomsOfResident, registerResidentPanelSection } from '#modules/residents/server/public.ts'
import { placeState } from '../contract/labels.ts'
import { parkPlace } from '../contract/park-place.ts'
import { menu } from '../module.ts'

interface RoomKey {
  readonly projectCode: string
  readonly code: string
}

const shownPlaces = 5

/** The parking places that belong to rooms; nothing where there is none. */
async function placeSection(
  db: Db,
  scope: Scope,
  rooms: readonly RoomKey[],
): Promise<Omit<PanelSectionContent, 'key'> | undefined> {
  const { total, rows } = await findPage(
    db,
    parkPlace,
    scope,
    { size: shownPlaces },
    {
      where: [
        sql`(t.project_code, t.room_code) in (
          select * from unnest(${rooms.map(room => room.projectCode)}::text[], ${rooms.map(room => room.code)}::text[])
        )`,
      ],
    },
  )
  if (!total) return undefined
  return {
    title: '车位',
    count: total,
    lines: rows.map(place => ({
      label: place.placeNo,
      value: labelOf(placeState, place.placeState),
      note: [place.parkName, place.areaName, place.endDate && `至 ${place.endDate}`]
        .filter(Boolean)
        .join(' · '),
    })),
  }
}

registerRoomPanelSection({
  key: 'places',
  order: 300,
  needs: menu.place.permissions.view,
  load: async ({ db, scope, room: { projectCode, code } }) =>
    code === undefined ? undefined : placeSection(db, scope, [{ projectCode, code }]),
})

registerResidentPanelSection({
  key: 'places',
  order: 300,
  needs: menu.place.permissions.view,
  load: async ({ db, scope, person }) => {
    const rooms = await findRoomsOfResident(db, scope, person.id)
    return placeSection(
      db,
      scope,
      rooms.flatMap(({ projectCode, roomCode }) =>
        roomCode === undefined ? [] : [{ projectCode, code: roomCode }],
      ),
    )
  },
})

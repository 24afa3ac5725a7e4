import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection, sectionOfRecords } from '#modules/rooms/server/public.ts'
import { registerResidentPanelSection } from '#modules/residents/server/public.ts'
import type { Car } from '../contract/car.ts'
import { carKind, carState } from '../contract/car-labels.ts'
import { carScreens, menu } from '../module.ts'
import { findCars } from './car-queries.ts'

const shownCars = 5

function carLine(row: Car): PanelSectionLine {
  const tone = carState.rows[row.carState][2]
  return {
    label: row.plateNo,
    value: labelOf(carState, row.carState),
    note: [
      labelOf(carKind, row.carKind),
      row.placeNo && `车位 ${row.placeNo}`,
      row.endDate && `至 ${row.endDate}`,
    ]
      .filter(Boolean)
      .join(' · '),
    to: `${carScreens.paths.detail}?id=${row.id}`,
    ...(tone ? { tone } : {}),
  }
}

const sectionOfCars = (rows: readonly Car[]) =>
  sectionOfRecords('车辆', rows.slice(0, shownCars), carLine, rows.length)

registerRoomPanelSection({
  key: 'cars',
  order: 305,
  needs: menu.car.permissions.view,
  load: async ({ db, scope, room: { projectCode, code } }) =>
    code === undefined
      ? undefined
      : sectionOfCars(await findCars(db, scope, sql`t.room_code = ${code}`, projectCode)),
})

registerResidentPanelSection({
  key: 'cars',
  order: 305,
  needs: menu.car.permissions.view,
  load: async ({ db, scope, person }) =>
    sectionOfCars(await findCars(db, scope, sql`t.user_id = ${person.id}`)),
})

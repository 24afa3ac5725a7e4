export { appendsPeople, type Appending, type RowPeople, type SaidPerson } from './append.ts'
export { areasOfRooms, areaSpansOfRooms, noteChanges, type Noted } from './areas.ts'
export { chargedRooms, roomTotals, unitKey, type ChargedRoom, type RoomTotals } from './charging.ts'

export {
  knowCompany,
  knowPeople,
  roomMoved,
  roomsCalled,
  roomsNamed,
  roomsRepathed,
  shortBuilding,
  type KnownCompany,
  type KnownPeople,
  type NamedRoom,
} from './people.ts'

export { moveRooms } from './change.ts'
export { panelSection, type PanelSection } from './panel.ts'

export { areasOfRooms, areaSpansOfRooms, noteChanges, type Noted } from './areas.ts'
export { knowCompany, knowPeople, roomMoved, roomsCalled, roomsNamed, shortBuilding, type KnownCompany, type KnownPeople, type NamedRoom } from './people.ts'
export { moveRooms } from './change.ts'
export { panelSection, type PanelSection } from './panel.ts'

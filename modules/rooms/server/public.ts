export { areasOfRooms, areaSpansOfRooms, noteChanges, type Noted } from './areas.ts'
export { moveRooms } from './change.ts'
export { panelSection, type PanelSection } from './panel.ts'

/** What other modules' screens may use of rooms and shops. */
export { AreaPicker, MultiRoomPicker, RoomPicker, type RoomPickerProps } from './room-picker.tsx'
export { leafOf, roomsByCode, roomSource, wordsOfFailure, type PickedRoom, type Scene } from './picker-nodes.ts'
export { areaLabel } from '../domain/label.ts'
export { PanelSection } from './panel.tsx'

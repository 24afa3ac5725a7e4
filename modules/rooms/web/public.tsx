import { later } from '#kit/web/later.tsx'

/**
 * What other modules' screens may use of rooms and shops; pickers and panels are fetched when one is drawn.
 */
export type { RoomPickerProps } from './room-picker.tsx'
export const AreaPicker = later(() => import('./room-picker.tsx').then(m => m.AreaPicker))
export const MultiRoomPicker = later(() => import('./room-picker.tsx').then(m => m.MultiRoomPicker))
export const RoomPicker = later(() => import('./room-picker.tsx').then(m => m.RoomPicker))

export {
  leafOf,
  roomsByCode,
  roomSource,
  wordsOfFailure,
  type PickedRoom,
  type Scene,
} from './picker-nodes.ts'

export { areaLabel } from '../domain/label.ts'
export const PanelSection = later(() => import('./panel.tsx').then(m => m.PanelSection))

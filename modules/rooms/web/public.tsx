import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What other modules' screens may use of rooms and shops; pickers and panels are fetched when one is drawn.
 */
export type { RoomPickerProps } from './room-picker.tsx'
export const AreaPicker = lazyComponent(() => import('./room-picker.tsx').then(m => m.AreaPicker))
export const MultiRoomPicker = lazyComponent(() => import('./room-picker.tsx').then(m => m.MultiRoomPicker))
export const RoomPicker = lazyComponent(() => import('./room-picker.tsx').then(m => m.RoomPicker))

export {
  roomNode,
  roomsByCode,
  roomSource,
  failureText,
  type PickedRoom,
  type RoomScene,
} from './room-picker-nodes.ts'

export { useEffectiveDateLimit } from './effective-date.ts'
export { roomChangeNotices } from './public.actions.ts'
export { formatAreaLabel } from '../domain/position-label.ts'
export const RoomSections = lazyComponent(() => import('./room-panel.tsx').then(m => m.RoomSections))
export const PanelSection = lazyComponent(() => import('./room-panel.tsx').then(m => m.PanelSection))

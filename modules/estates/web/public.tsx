import { later } from '#kit/web/later.tsx'

/**
 * What other modules' screens may use of estates. Pickers are fetched when one is drawn: most screens only
 * ask which project is chosen.
 */
export const EstatePicker = later(() => import('./estate-picker.tsx').then(m => m.EstatePicker))
export const ProjectSelect = later(() => import('./estate-picker.tsx').then(m => m.ProjectSelect))
export const FloorPicker = later(() => import('./floor-picker.tsx').then(m => m.FloorPicker))
export type { EstateSelection } from './estate-picker.tsx'
export type { Floor } from './floor-picker.tsx'
export { floorWord, unitWord } from '../domain/floors.ts'
export { useProject } from './project.ts'

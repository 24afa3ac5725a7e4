import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What other modules' screens may use of estates. Pickers are fetched when one is drawn: most screens only
 * ask which project is chosen.
 */
export const EstatePicker = lazyComponent(() => import('./estate-picker.tsx').then(m => m.EstatePicker))
export const ProjectSelect = lazyComponent(() => import('./estate-picker.tsx').then(m => m.ProjectSelect))
export const FloorPicker = lazyComponent(() => import('./floor-picker.tsx').then(m => m.FloorPicker))
export type { EstateSelection } from './estate-picker.tsx'
export type { FloorSelection } from './floor-picker.tsx'
export { floorLabel, unitLabel } from '../domain/floors.ts'
export { useProject } from './use-project.ts'
export { proposedProjectCode } from './proposed-code.ts'

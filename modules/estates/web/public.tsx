import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What other modules' screens may use of estates. The picker is fetched when it is drawn: most screens
 * only ask which project is chosen.
 */
export const FloorPicker = lazyComponent(() => import('./floor-picker.tsx').then(m => m.FloorPicker))
export type { FloorSelection } from './floor-picker.tsx'
export { floorLabel, unitLabel } from '../domain/floors.ts'
export { useProject } from './use-project.ts'
export { proposedProjectCode } from './proposed-code.ts'

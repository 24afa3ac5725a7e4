/** What other modules' screens may use of estates. */
export { EstatePicker, ProjectSelect, type EstateSelection } from './estate-picker.tsx'
export { FloorPicker, type Floor } from './floor-picker.tsx'
export { floorWord, unitWord } from '../domain/floors.ts'
export { useProject } from './project.ts'

/** What other modules' screens may use of residents. */
export {
  ResidentPicker,
  RoomPersonPicker,
  type ResidentPickerProps,
  type RoomPersonPickerProps,
} from './person-pickers.tsx'

export type { PersonInRoom, PickedPerson } from './person-nodes.ts'
export { residentPath } from './paths.ts'
export { MovePlanChoices, MovePlanSteps } from './move-plan-steps.tsx'

/** What other modules' screens may use of residents. */
export {
  ResidentPicker,
  RoomPersonPicker,
  type ResidentPickerProps,
  type RoomPersonPickerProps,
} from './person-pickers.tsx'

export type { PersonInRoom, PickedPerson } from './person-nodes.ts'
export { seeResident } from './places.ts'
export { PlanChoices, PlanSteps } from './plan-steps.tsx'

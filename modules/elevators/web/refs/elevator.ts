import { createRefSource } from '#kit/web/refs.ts'
import { pickElevators } from '../../contract/elevator.ts'

/** Lifts of the form's project by name or number. */
export default createRefSource(pickElevators, {
  value: lift => lift.id,
  label: lift => lift.name,
  note: lift => [lift.elevatorNo, lift.buildName, lift.unitName].filter(Boolean).join(' · '),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})

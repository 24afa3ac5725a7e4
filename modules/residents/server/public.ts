export { blockedFrom, type Suspect } from './block.ts'
export { residentContacts } from './contacts.ts'
export { follow } from './follow.ts'
export { noteMoves, type Note } from './log.ts'
export { residentsMerged } from './merge.ts'
export { base as movingOf, stayers } from './move.ts'

export {
  actMove,
  mayMove,
  planOf,
  strangeAnswers,
  whenMoving,
  type Coming,
  type Moved,
  type MovePart,
  type Moving,
  type Told,
} from './moving.ts'

export { residentSection, type PersonSection } from './panel.ts'
export { mobileChanged } from './person.ts'
export { belongs, needResident, residentsById } from './visible.ts'
export { arrearsPolicy } from './parts.ts'

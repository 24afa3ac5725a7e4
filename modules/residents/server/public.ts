export { findBlockReason, type BlockSubject } from './resident-block.ts'
export { findResidentContacts, type ResidentContact } from './resident-contacts.ts'
export { readResidentTemplate } from './fingerprint.ts'
export { recordFaceStates } from './face-state.ts'
export { syncRoomOccupancy } from './room-occupancy.ts'
export { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'
export { onResidentsMerged } from './resident-merge.ts'
export { createMoveContext, findCurrentResidencies, findRoomsOfResident } from './move-context.ts'

export {
  applyMove,
  assertMoveAllowed,
  planMoveSteps,
  unknownAnswerFaults,
  registerMoveStep,
  type NewOwner,
  type MoveApplyContext,
  type MoveStepProvider,
  type MoveContext,
  type MoveStepContent,
} from './move-steps.ts'

export { endsInPast, isOver, validityFaults } from './validity.ts'
export { holderFaults } from './holder-place.ts'
export { drawCodes, readCardNumbers, registerReaderCodes } from './reader-numbers.ts'
export { residencyLinkFacts } from './link-facts.ts'
export { leavingProject, ofProject, registerPresence, withoutPlaceIn } from './presence.ts'
export {
  onDeparture,
  planDeparture,
  publishDeparture,
  registerDepartureStep,
  type Departure,
} from './departure.ts'
export { registerResidentPanelSection, type ResidentPanelSection } from './resident-panel.ts'
export { onMobileChanged } from './resident-record.ts'
export {
  residencyDomainFilter,
  residentDomainFilter,
  requireResident,
  findResidentsByIds,
} from './resident-access.ts'
export { arrearsPolicy } from './resident-move-steps.ts'
export { maskName } from './resident-wechat.ts'
export { provideCompanyWechat, residentWechatOf } from './resident-wechat-account.ts'
export { checkFacePhoto } from './face-photo.ts'
export { certFault, normalizeCertNo } from '../domain/person.ts'
export { placesAnswer } from '../contract/move-step.ts'

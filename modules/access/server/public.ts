/** What other modules use of access control: visitors, lifts. */
export { canOpen } from './reach/decision.ts'
export type { OpenDecision } from './reach/open-decision.ts'
export { hasPassage } from './passage/reading.ts'
export {
  keyOfCredential,
  registerCredentialSource,
  type CodeEntrance,
  type CredentialSource,
  type EntranceDecision,
} from './reach/credential-source.ts'
export { ownLinkOf } from './own/own-person.ts'
export { readPersonLink, signPersonLink, type PersonLink } from './own/person-link.ts'
export { reportOveruse } from './passage/overuse.ts'
export { onPassage, type StoredPassage } from './passage/passage-event.ts'
export { credentialFault, findCredentialHolders, stayFault } from './reach/credential-holders.ts'
export { findPassedDoorways } from './reach/inner-doorway.ts'
export { recogniseCredentials, typedCredential, type RecognisedCredential } from './reach/typed-credential.ts'
export { isAsked } from './reach/asked-holders.ts'
export { holderCte, reachOfHolders } from './reach/reach.ts'
export type { ReachQuery, Sql } from './reach/query.ts'
export type { AffectedProject } from './sync/affected.ts'
export { planAffected } from './sync/plan-affected.ts'
export { registerDevicePlan } from './sync/device-plans.ts'
export { markCredentials, markDevices, markRecords } from './sync/dirty.ts'
export { deviceKeysOf, withdrawCredentials } from './sync/withdraw.ts'

/** What other modules use of access control: visitors, lifts. */
export { canOpen, type OpenDecision } from './reach/decision.ts'
export {
  keyOfCredential,
  registerCredentialSource,
  type CredentialSource,
} from './reach/credential-source.ts'
export type { ReachQuery } from './reach/query.ts'
export { markCredentials } from './sync/dirty.ts'

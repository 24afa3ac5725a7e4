/** How other modules have their records approved. */
export {
  registerApprovalKind,
  type ApprovalContext,
  type ApprovalEffects,
  type ApprovalEnd,
  type ApprovalRecord,
  type RequestContext,
} from './kinds.ts'
export { findApproval, findReturns } from './progress.ts'
export {
  cancelApproval,
  findWaitingRecords,
  hasDefinition,
  requestApproval,
  requiresApproval,
  waitsForApproval,
  type ApprovalRequest,
} from './requests.ts'

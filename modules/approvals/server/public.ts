/** How other modules have their records approved. */
export { cancelApproval } from './endings.ts'
export {
  registerApprovalKind,
  type ApprovalContext,
  type ApprovalEffects,
  type ApprovalEnd,
  type ApprovalRecord,
  type RequestContext,
} from './kinds.ts'
export { findIdsInForms, selectIdsInForms } from './form-ids.ts'
export { findApproval, findRequestedByCaller, findReturns, findUndecided } from './progress.ts'
export {
  findWaitingRecords,
  hasDefinition,
  requestApproval,
  requiresApproval,
  waitsForApproval,
  type ApprovalRequest,
} from './requests.ts'
export { resubmitApproval, withdrawApproval } from './resubmission.ts'

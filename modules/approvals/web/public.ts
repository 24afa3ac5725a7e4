/** What other modules show of approvals: who will be asked by their forms, and how a record stands. */
export { ApproverPreview, type ChosenApprovers } from './approver-preview.tsx'
export { ApprovalProgress } from './approval-progress.tsx'

import type { Id } from '#kit/domain/id.ts'
import type { FlowNode } from '../contract/process.ts'
import { findApprovers, isNodeEmpty, submitRefusal } from './approvers.ts'
import type { Flow } from './run.ts'

/** What a request would go through: each node with those who would be asked, and who of them would pass. */
export const planNode = (
  flow: Flow,
  node: FlowNode,
): {
  readonly approvers: readonly { readonly id: Id; readonly isPassed: boolean }[]
  readonly note?: string
  /** A request that goes through it is not accepted. */
  readonly isRefused?: true
} => {
  const refusal = submitRefusal(flow, node)
  if (refusal) return { approvers: [], note: refusal, isRefused: true }
  const approvers = (findApprovers(flow, node) ?? []).map(id => ({
    id,
    isPassed: id === flow.applicantId && !flow.isMoney,
  }))
  if (!approvers.length) return { approvers, note: '没有审批人，自动通过' }
  return isNodeEmpty(flow, node) ? { approvers, note: '没有审批人，转管理员' } : { approvers }
}

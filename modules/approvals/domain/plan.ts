import type { Id } from '#kit/domain/id.ts'
import type { FlowNode } from '../contract/process.ts'
import { approversOfNode, FlowRefusal, isNodeEmpty, type Flow } from './run.ts'

/** What a request would go through: each node with those who would be asked, and who of them would pass. */
export const planNode = (
  flow: Flow,
  node: FlowNode,
): {
  readonly approvers: readonly { readonly id: Id; readonly isPassed: boolean }[]
  readonly note?: string
} => {
  try {
    const approvers = approversOfNode(flow, node).map(id => ({
      id,
      isPassed: id === flow.applicantId && !flow.isMoney,
    }))
    if (!approvers.length) return { approvers, note: '没有审批人，自动通过' }
    return isNodeEmpty(flow, node) ? { approvers, note: '没有审批人，转管理员' } : { approvers }
  } catch (error) {
    if (!(error instanceof FlowRefusal)) throw error
    return { approvers: [], note: error.message }
  }
}

import type { Id } from '#kit/domain/id.ts'
import type { FlowNode } from '../contract/process.ts'
import type { Flow } from './run.ts'

/**
 * Who decides in a node: the requester of money does not, an empty node goes by the policy (APR-2). Undefined
 * where nobody can decide.
 */
export function findApprovers(flow: Flow, node: FlowNode): readonly Id[] | undefined {
  const named = [...new Set(flow.approversOf(node))]
  const asked = flow.isMoney ? named.filter(id => id !== flow.applicantId) : named
  if (asked.length) return asked
  if (flow.emptyPolicy === 'pass' && !flow.isMoney) return []
  const { administrator } = flow
  const hasNobody = administrator === undefined || (flow.isMoney && administrator === flow.applicantId)
  return hasNobody ? undefined : [administrator]
}

/** Whether a node has nobody of its own: what a definition may forbid to send in (APR-2). */
export const isNodeEmpty = (flow: Flow, node: FlowNode): boolean =>
  !flow.approversOf(node).some(id => !flow.isMoney || id !== flow.applicantId)

/** Why a request that goes through this node is not accepted: nobody could finish it (APR-2). */
export function submitRefusal(flow: Flow, node: FlowNode): string | undefined {
  if (flow.emptyPolicy === 'refuse' && isNodeEmpty(flow, node))
    return `「${node.name}」没有审批人，不能提交，请联系管理员调整审批流程`
  return findApprovers(flow, node)
    ? undefined
    : `「${node.name}」除申请人外没有可以审批的人，不能提交，请联系管理员调整审批流程`
}

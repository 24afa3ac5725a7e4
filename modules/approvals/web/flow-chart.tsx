import { labelOf } from '#kit/contract/field.ts'
import { useRefNames } from '#kit/web/refs.ts'
import { approverRule, nodeMode, refuseTarget } from '../contract/choices.ts'
import type { FlowNode } from '../contract/process.ts'
import './approvals.css'

interface NamedProps {
  readonly target: string
  readonly ids: readonly string[]
}

function Names({ target, ids }: NamedProps) {
  const names = useRefNames(target, ids, {})
  return ids.map(id => names.get(id) ?? id).join('、')
}

function Approvers({ node }: { readonly node: FlowNode }) {
  if (node.rule === 'people') return <Names target="manager" ids={node.managerIds ?? []} />
  if (node.rule === 'role') return <Names target="role" ids={node.roleIds ?? []} />
  if (node.rule === 'departmentHead') return `申请人向上第 ${node.levels ?? 1} 级部门的负责人`
  if (node.rule === 'requesterChoice') return '由申请人选择'
  return (
    <>
      <Names target="department" ids={node.departmentIds ?? []} /> {node.tags?.join('、')}
    </>
  )
}

/** A definition as it runs, from the requester to its end. */
export const FlowChart = ({ nodes }: { readonly nodes: readonly FlowNode[] }) => (
  <section className="approval-section" aria-label="审批节点">
    <h3>审批节点</h3>
    <ol className="approval-flow">
      {nodes.map(node => (
        <li key={node.key}>
          <b>{node.name}</b>
          <span>
            {labelOf(approverRule, node.rule)} · {labelOf(nodeMode, node.mode)}
          </span>
          <p>
            <Approvers node={node} />
          </p>
          <small>
            驳回后{labelOf(refuseTarget, node.refuseTo)}
            {node.timeoutHours ? ` · ${node.timeoutHours} 小时超时` : ''}
            {node.conditions?.length ? ` · ${node.conditions.length} 个条件` : ''}
          </small>
        </li>
      ))}
    </ol>
  </section>
)

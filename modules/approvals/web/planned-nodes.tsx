import { labelOf } from '#kit/contract/field.ts'
import { approverRule, nodeMode } from '../contract/choices.ts'
import type { tryProcess } from '../contract/process.ts'
import './approvals.css'

export type PlannedNode = NonNullable<typeof tryProcess.output.T>['nodes'][number]

const approverText = ({ approvers, note }: PlannedNode): string =>
  [approvers.map(({ name, isPassed }) => (isPassed ? `${name}（自动通过）` : name)).join('、'), note]
    .filter(Boolean)
    .join('；')

const classOf = ({ applies, isRefused }: PlannedNode): string | undefined => {
  if (!applies) return 'off'
  return isRefused ? 'refused' : undefined
}

/** Who would be asked, node by node; those whose conditions do not hold are left out or shown grey. */
export const PlannedNodes = ({ nodes }: { readonly nodes: readonly PlannedNode[] }) => (
  <ol className="approval-flow">
    {nodes.map(node => (
      <li key={node.key} className={classOf(node)}>
        <b>{node.name}</b>
        <span>
          {node.applies
            ? `${labelOf(approverRule, node.rule)} · ${labelOf(nodeMode, node.mode)}`
            : '条件不成立，跳过'}
        </span>
        {node.applies && <p className={node.isRefused ? 'fault' : undefined}>{approverText(node)}</p>}
      </li>
    ))}
  </ol>
)

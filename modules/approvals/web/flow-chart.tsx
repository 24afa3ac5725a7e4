import { Fragment } from 'react'
import { labelOf, type Field } from '#kit/contract/field.ts'
import { useRefNames } from '#kit/web/refs.ts'
import { approverRule, conditionOperator, nodeMode, refuseTarget } from '../contract/choices.ts'
import type { FlowCondition, FlowNode, Process } from '../contract/process.ts'
import { conditionText } from '../domain/conditions.ts'
import { useConditionFields } from './condition-fields.ts'
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

/** A condition as people read it: 「金额 大于 1,000.00」. */
function Condition({
  condition: { operator, value },
  field,
}: {
  readonly condition: FlowCondition
  readonly field: Field | undefined
}) {
  const isDepartment = field?.target === 'department'
  return (
    <>
      {field?.label ?? '已删除的字段'} {labelOf(conditionOperator, operator)}{' '}
      {isDepartment ? <Names target="department" ids={[value]} /> : conditionText(field, value)}
    </>
  )
}

/** A definition as it runs, from the requester to its end. */
export const FlowChart = ({ process }: { readonly process: Process }) => {
  const fields = useConditionFields(process.bizType, process.formFields ?? [])
  return (
    <section className="approval-section" aria-label="审批节点">
      <h3>审批节点</h3>
      <ol className="approval-flow">
        {process.nodes.map(node => (
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
            </small>
            {node.conditions?.length ? (
              <small>
                条件：
                {node.conditions.map((condition, i) => (
                  <Fragment key={`${condition.field}-${i}`}>
                    {i > 0 && '，且'}
                    <Condition condition={condition} field={fields[condition.field]} />
                  </Fragment>
                ))}
              </small>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

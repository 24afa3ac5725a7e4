import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { readChoice, readRows } from '#kit/web/controls/read-value.ts'
import { approvalKind } from '../contract/choices.ts'
import type { FormField } from '../contract/form-field.ts'
import type { FlowNode } from '../contract/process.ts'
import { NodeCard } from './node-card.tsx'
import { useConditionFields, useKindLimits } from './condition-fields.ts'
import './approvals.css'

function newNode(nodes: readonly FlowNode[]): FlowNode {
  const used = new Set(nodes.map(node => node.key))
  const number = [...Array(nodes.length + 1).keys()].findLast(i => !used.has(`n${i + 1}`)) ?? nodes.length
  return {
    key: `n${number + 1}`,
    name: `审批 ${nodes.length + 1}`,
    rule: 'people',
    mode: 'any',
    refuseTo: 'end',
  }
}

/** The flow of a definition: its nodes in their order, each with who is asked and when. */
export function NodesControl({ value, onChange, disabled, formValues, nestedFaults, id }: ControlProps) {
  const nodes = readRows<FlowNode>(value)
  const bizType = readChoice(approvalKind, formValues.bizType)
  const formFields = readRows<FormField>(formValues.formFields)
  const fields = useConditionFields(bizType, formFields)
  const { offersNoChoice } = useKindLimits(bizType, formFields)
  const move = (from: number, to: number): void => {
    const node = nodes[from]
    if (node && to >= 0 && to < nodes.length) {
      onChange(nodes.toSpliced(from, 1).toSpliced(to, 0, node))
    }
  }
  return (
    <div className="approval-nodes" id={id}>
      <p className="end">发起申请</p>
      {nodes.map((node, i) => (
        <NodeCard
          key={node.key}
          node={node}
          index={i}
          count={nodes.length}
          fields={fields}
          offersNoChoice={offersNoChoice}
          disabled={disabled}
          faults={nestedFaults}
          onChange={changed => onChange(nodes.with(i, changed))}
          onMove={step => move(i, i + step)}
          onRemove={() => onChange(nodes.toSpliced(i, 1))}
        />
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={disabled}
        onClick={() => onChange([...nodes, newNode(nodes)])}
      >
        添加节点
      </Button>
      <p className="end">审批通过</p>
    </div>
  )
}

import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useId, type ReactNode } from 'react'
import { labelOf, keysOf, type Choices, type Fields } from '#kit/contract/field.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { readTexts } from '#kit/web/controls/read-value.ts'
import { approverRule, nodeMode, refuseTarget } from '../contract/choices.ts'
import { nodeFields, type FlowNode } from '../contract/process.ts'
import { NodeConditions } from './node-conditions.tsx'

interface NodeCardProps {
  readonly node: FlowNode
  readonly index: number
  readonly count: number
  readonly fields: Fields
  /** The requester is not asked for approvers: a rule that leaves it to them is not offered. */
  readonly offersNoChoice: boolean
  readonly disabled: boolean
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (node: FlowNode) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

const optionsOf = <K extends string>(choices: Choices<K>, keys: readonly K[]) =>
  keys.map(key => ({ value: key, label: labelOf(choices, key) }))

const Labelled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="labelled">
    <span>{label}</span>
    {children}
  </div>
)

type Change = (patch: Partial<FlowNode>) => void

/** Whom the rule of the node asks. */
function ApproverFields({ node, disabled, change }: { node: FlowNode; disabled: boolean; change: Change }) {
  const refs = (key: 'managerIds' | 'roleIds' | 'departmentIds' | 'tags') => (
    <Labelled label={nodeFields[key].label}>
      <RefSelect
        named
        multiple
        field={nodeFields[key]}
        value={node[key]}
        disabled={disabled}
        onChange={value => change({ [key]: readTexts(value) })}
      />
    </Labelled>
  )
  if (node.rule === 'people') return refs('managerIds')
  if (node.rule === 'role') return refs('roleIds')
  if (node.rule === 'departmentHead')
    return (
      <Labelled label="向上第几级">
        <NumberInput
          field={nodeFields.levels}
          id={`levels-${node.key}`}
          value={node.levels}
          disabled={disabled}
          onChange={value => change({ levels: typeof value === 'number' ? value : undefined })}
        />
      </Labelled>
    )
  if (node.rule === 'requesterChoice') return null
  return (
    <>
      {refs('departmentIds')}
      {refs('tags')}
    </>
  )
}

function CardHead({ node, index, count, disabled, onChange, onMove, onRemove }: NodeCardProps) {
  return (
    <header>
      <b>{index + 1}</b>
      <Input
        aria-label="节点名称"
        value={node.name}
        maxLength={40}
        disabled={disabled}
        onChange={event => onChange({ ...node, name: event.target.value })}
      />
      <Button
        type="text"
        aria-label={`上移「${node.name}」`}
        icon={<ArrowUpOutlined />}
        disabled={disabled || index === 0}
        onClick={() => onMove(-1)}
      />
      <Button
        type="text"
        aria-label={`下移「${node.name}」`}
        icon={<ArrowDownOutlined />}
        disabled={disabled || index === count - 1}
        onClick={() => onMove(1)}
      />
      <Button
        type="text"
        aria-label={`删除「${node.name}」`}
        icon={<DeleteOutlined />}
        disabled={disabled}
        onClick={onRemove}
      />
    </header>
  )
}

/** One node of the flow: its name, who is asked and how, when it applies. */
export function NodeCard(props: NodeCardProps) {
  const { node, index, fields, disabled, faults, onChange } = props
  const change: Change = patch => onChange({ ...node, ...patch })
  const name = useId()
  const own = Object.entries(faults).flatMap(([key, fault]) => (key.startsWith(`[${index}]`) ? [fault] : []))
  const rules = keysOf(approverRule).filter(
    key => key !== 'requesterChoice' || !props.offersNoChoice || node.rule === key,
  )
  const choiceOf = <K extends string>(
    label: string,
    choices: Choices<K>,
    value: K,
    key: keyof FlowNode,
    offered: readonly K[] = keysOf(choices),
  ) => (
    <Labelled label={label}>
      <Select
        id={`${name}-${key}`}
        aria-label={label}
        value={value}
        options={optionsOf(choices, offered)}
        disabled={disabled}
        onChange={chosen => change({ [key]: chosen })}
      />
    </Labelled>
  )
  return (
    <article aria-label={`节点 ${index + 1}`}>
      <CardHead {...props} />
      <div className="fields">
        {choiceOf('审批人', approverRule, node.rule, 'rule', rules)}
        <ApproverFields node={node} disabled={disabled} change={change} />
        {choiceOf('审批方式', nodeMode, node.mode, 'mode')}
        {choiceOf('驳回后', refuseTarget, node.refuseTo, 'refuseTo')}
        <Labelled label="超时（小时）">
          <NumberInput
            field={nodeFields.timeoutHours}
            id={`${name}-timeout`}
            value={node.timeoutHours}
            disabled={disabled}
            onChange={value => change({ timeoutHours: typeof value === 'number' ? value : undefined })}
          />
        </Labelled>
      </div>
      <NodeConditions
        conditions={node.conditions ?? []}
        fields={fields}
        disabled={disabled}
        onChange={conditions => change({ conditions })}
      />
      {own.map(fault => (
        <p className="fault" role="alert" key={fault}>
          {fault}
        </p>
      ))}
    </article>
  )
}

import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { keysOf, labelOf, type Field, type Fields } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { conditionOperator } from '../contract/choices.ts'
import type { FlowCondition } from '../contract/process.ts'

interface NodeConditionsProps {
  readonly conditions: readonly FlowCondition[]
  readonly fields: Fields
  readonly disabled: boolean
  readonly onChange: (conditions: readonly FlowCondition[]) => void
}

const orderedKinds = ['int', 'decimal', 'money', 'day', 'moment']

const operatorsOf = (field: Field | undefined) =>
  keysOf(conditionOperator)
    .filter(key => key === 'equal' || key === 'notEqual' || orderedKinds.includes(field?.kind ?? ''))
    .map(key => ({ value: key, label: labelOf(conditionOperator, key) }))

interface ValueProps {
  readonly field: Field | undefined
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (value: string) => void
}

const yesOrNo = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
]

/** The values that there are to choose from; none where the value is typed. */
function valueOptions(field: Field | undefined) {
  if (field?.kind === 'flag') return yesOrNo
  const choices = field?.choices
  return choices && keysOf(choices).map(key => ({ value: key, label: labelOf(choices, key) }))
}

function ConditionValue({ field, value, disabled, onChange }: ValueProps) {
  if (field?.kind === 'ref')
    return (
      <RefSelect
        named
        field={field}
        value={value}
        disabled={disabled}
        onChange={v => onChange(typeof v === 'string' || typeof v === 'number' ? String(v) : '')}
      />
    )
  const options = valueOptions(field)
  if (options)
    return <Select aria-label="值" value={value} options={options} disabled={disabled} onChange={onChange} />
  return (
    <Input
      aria-label="值"
      value={value}
      placeholder={field?.kind === 'day' ? '2026-01-31' : undefined}
      suffix={field?.kind === 'money' ? '元' : undefined}
      maxLength={100}
      disabled={disabled}
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** When a node is part of the flow: all of its conditions hold. */
export function NodeConditions({ conditions, fields, disabled, onChange }: NodeConditionsProps) {
  const fieldOptions = Object.entries(fields).map(([key, field]) => ({ value: key, label: field.label }))
  const first = fieldOptions[0]?.value ?? ''
  return (
    <div className="conditions" role="group" aria-label="条件">
      <span>{conditions.length ? '以下条件都成立时，才由本节点审批' : '没有条件，每次都由本节点审批'}</span>
      {conditions.map((condition, i) => {
        const change = (patch: Partial<FlowCondition>): void =>
          onChange(conditions.with(i, { ...condition, ...patch }))
        return (
          <div key={i}>
            <Select
              aria-label="字段"
              value={condition.field}
              options={fieldOptions}
              disabled={disabled}
              onChange={field => change({ field, operator: 'equal', value: '' })}
            />
            <Select
              aria-label="比较"
              value={condition.operator}
              options={operatorsOf(fields[condition.field])}
              disabled={disabled}
              onChange={operator => change({ operator })}
            />
            <ConditionValue
              field={fields[condition.field]}
              value={condition.value}
              disabled={disabled}
              onChange={value => change({ value })}
            />
            <Button
              type="text"
              aria-label={`删除条件 ${i + 1}`}
              icon={<DeleteOutlined />}
              disabled={disabled}
              onClick={() => onChange(conditions.toSpliced(i, 1))}
            />
          </div>
        )
      })}
      <Button
        size="small"
        disabled={disabled || !first}
        onClick={() => onChange([...conditions, { field: first, operator: 'equal', value: '' }])}
      >
        添加条件
      </Button>
    </div>
  )
}

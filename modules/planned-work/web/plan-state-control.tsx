import { Radio } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { planState } from '../contract/choices.ts'

const stateOptions = (['draft', 'enabled', 'disabled'] as const).map(value => ({
  value,
  label: labelOf(planState, value),
}))

/** 已结束 comes with the last day of a plan alone. */
export const PlanStateControl: Control = ({ id, value, disabled, onChange }) => (
  <Radio.Group
    id={id}
    options={stateOptions}
    disabled={disabled}
    value={value}
    onChange={event => onChange(event.target.value)}
  />
)

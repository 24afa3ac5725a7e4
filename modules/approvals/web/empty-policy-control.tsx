import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { readChoice, readRows } from '#kit/web/controls/read-value.ts'
import { approvalKind, emptyPolicy } from '../contract/choices.ts'
import type { FormField } from '../contract/form-field.ts'
import { useKindLimits } from './condition-fields.ts'

const { pass: _pass, ...rowsWithoutPass } = emptyPolicy.rows
const withoutPass = { ...emptyPolicy, rows: rowsWithoutPass }

/** What happens where a node has no approver: money never passes by itself, so that it is not offered. */
export function EmptyPolicyControl(props: ControlProps) {
  const { isMoney } = useKindLimits(
    readChoice(approvalKind, props.formValues.bizType),
    readRows<FormField>(props.formValues.formFields),
  )
  const Choice = controls.choice
  const isOffered = !isMoney || props.value === 'pass'
  return <Choice {...props} field={isOffered ? props.field : { ...props.field, choices: withoutPass }} />
}

import { ref, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'

const feeItemField = ref('收费项目', 'feeItem') as Field

export const FeeItemsControl: Control = control => (
  <RefSelect
    multiple
    field={feeItemField}
    id={control.id}
    value={control.value}
    onChange={value => control.onChange(Array.isArray(value) ? value.map(String) : undefined)}
    onBlur={control.onBlur}
    formValues={control.formValues}
    disabled={control.disabled}
    status={control.invalid ? 'error' : undefined}
    describedBy={control.describedBy}
  />
)

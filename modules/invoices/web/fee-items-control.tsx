import { ref, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'

const feeItemField = ref('收费项目', 'feeItem') as Field

/** Several fee items. */
export const FeeItemsControl: Control = p => (
  <RefSelect
    multiple
    field={feeItemField}
    id={p.id}
    value={p.value}
    onChange={v => p.onChange((v as readonly unknown[] | undefined)?.map(String))}
    onBlur={p.onBlur}
    formValues={p.formValues}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

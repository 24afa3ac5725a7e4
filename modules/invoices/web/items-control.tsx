import { ref, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'

const item = ref('收费项目', 'feeItem') as Field

/** Several fee items. */
export const ItemsControl: Control = p => (
  <RefSelect
    many
    field={item}
    id={p.id}
    value={p.value}
    onChange={v => p.onChange((v as readonly unknown[] | undefined)?.map(String))}
    onBlur={p.onBlur}
    given={p.given}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

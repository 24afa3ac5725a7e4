import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { LinesControl } from '#kit/web/controls/lines.tsx'
import { readRows } from '#kit/web/controls/read-value.ts'
import type { FormField } from '../contract/form-field.ts'

/** A key that no field has yet: what a form is stored by is nobody's to type. */
function withKeys(rows: readonly Partial<FormField>[]): Partial<FormField>[] {
  const used = new Set(rows.map(row => row.key))
  let next = 1
  return rows.map(row => {
    if (row.key) return row
    while (used.has(`f${next}`)) {
      next++
    }
    used.add(`f${next}`)
    return { isRequired: false, fieldKind: 'text', ...row, key: `f${next}` }
  })
}

/** The fields of a general form, as the company draws them. */
export const FormFieldsControl = (props: ControlProps) => (
  <LinesControl
    {...props}
    controls={controls}
    hiddenMembers={['key', 'optionKeys']}
    onChange={rows => props.onChange(withKeys(readRows(rows)))}
  />
)

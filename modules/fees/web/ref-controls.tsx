import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'

/** Several records of an entity, chosen by what they are called. */
export const createMultiRefControl =
  (entity: string, by: 'id' | 'key' = 'id'): Control =>
  props => (
    <RefSelect
      field={{ ...props.field, target: entity, targetBy: by }}
      multiple
      id={props.id}
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onBlur}
      formValues={props.formValues}
      disabled={props.disabled}
      status={props.invalid ? 'error' : undefined}
      describedBy={props.describedBy}
    />
  )

export const createRefControl =
  (entity: string): Control =>
  props => (
    <RefSelect
      field={{ ...props.field, kind: 'ref', target: entity, targetBy: 'id' }}
      id={props.id}
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onBlur}
      formValues={props.formValues}
      disabled={props.disabled}
      status={props.invalid ? 'error' : undefined}
      describedBy={props.describedBy}
    />
  )

import { keysOf } from '#kit/contract/field.ts'
import { defineFormFields } from '#kit/web/form/form-fields.tsx'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import {
  audienceScope,
  audienceValueFields,
  listsOfScope,
  type AudienceScope,
  type AudienceValues,
} from '../contract/audience.ts'
import type { MemberKey, MemberProps } from './audience-members.tsx'
import './audience.css'

const Member = lazyComponent<MemberProps>(async () => (await import('./audience-members.tsx')).Member)

const narrowing: readonly MemberKey[] = ['relations', 'arrearsAmount', 'arrearsMonths']

/** Residents of homes can be narrowed; named people, staff and numbers are who they are. */
const canNarrow = (scope: AudienceScope): boolean => !['persons', 'departments', 'numbers'].includes(scope)

const scopeOf = (values: ControlProps['formValues']): AudienceScope => {
  const scope = values.scopeType
  return keysOf(audienceScope).find(key => key === scope) ?? 'all'
}

/** What the chosen scope selects: the members of `scopeJson` that it takes. */
export function AudienceControl(props: ControlProps) {
  const scope = scopeOf(props.formValues)
  const value = (props.value ?? {}) as AudienceValues
  const keys = [...listsOfScope[scope], ...(canNarrow(scope) ? narrowing : [])]
  return (
    <div
      id={props.id}
      role="group"
      aria-label="发送范围的内容"
      className="audience"
      aria-describedby={props.describedBy}
    >
      {keys.map(key => {
        const field = audienceValueFields[key]
        const id = `${props.id}-${key}`
        return (
          <div key={key}>
            <label htmlFor={id}>{field.label}</label>
            <Member
              {...props}
              memberKey={key}
              id={id}
              field={field}
              value={value[key]}
              describedBy={undefined}
              onChange={member => props.onChange({ ...value, [key]: member })}
            />
            {'help' in field && field.help ? <small>{field.help}</small> : null}
          </div>
        )
      })}
    </div>
  )
}

/** The two fields of an audience, for a group of a form. */
export const audienceFormFields = defineFormFields([
  { key: 'scopeType', wide: true },
  { key: 'scopeJson', label: '范围', control: AudienceControl, wide: true },
])

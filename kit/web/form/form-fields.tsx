import { defined } from '#kit/domain/defined.ts'
import { memo, useMemo, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { ExactList } from '../exact-keys.ts'
import { controls, type Control } from '../controls/control-kinds.tsx'
import type { Form } from './use-form.ts'
import { RequiredStar, isMarkedRequired } from '../required-star.tsx'
import './form.css'

/** A field on a form, with options. */
export interface FormField {
  readonly key: string
  readonly label?: string
  /** In place of the field's own; by the values where it depends on them. */
  readonly help?: ReactNode | ((values: any) => ReactNode)
  readonly control?: Control
  /** Must be filled in whenever it is shown, though the call requires it in some cases only. */
  readonly isRequired?: boolean
  /** Takes both columns. */
  readonly wide?: boolean
  /** Hidden while this is true; its value stays. */
  readonly isHidden?: (values: any) => boolean
  /** Why it cannot be changed now; enabled without a reason. */
  readonly disabledReason?: (values: any) => string | undefined
  /** One control for several fields: their values by key; `otherKeys` names the others. */
  readonly spreadValue?: (value: unknown) => Readonly<Record<string, unknown>>
  readonly otherKeys?: readonly string[]
  /** Other values to set when this one changes. */
  readonly deriveValues?: (value: any, values: any) => Readonly<Record<string, unknown>> | undefined
}

export interface FormFieldGroup {
  readonly title?: string
  readonly keys: readonly (string | FormField)[]
}

/** Fields of a form declared apart, or made by `map`: a misspelt option does not compile. */
export const defineFormFields = <const List extends readonly (string | FormField)[]>(
  fields: List & ExactList<FormField, List>,
): readonly (string | FormField)[] => fields

/** Groups of a form declared apart: a misspelt option of a group does not compile. */
export const defineFormGroups = <const List extends readonly FormFieldGroup[]>(
  groups: List & ExactList<FormFieldGroup, List>,
): readonly FormFieldGroup[] => groups

const formFieldsOf = (g: FormFieldGroup): FormField[] =>
  g.keys.map(k => (typeof k === 'string' ? { key: k } : k))

export const groupKeys = (groups: readonly FormFieldGroup[]): string[] =>
  groups.flatMap(g => formFieldsOf(g).flatMap(a => [a.key, ...(a.otherKeys ?? [])]))

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** Fields that must be filled in and are not, in the order of the form. */
export const findMissingKeys = (
  fields: Fields,
  groups: readonly FormFieldGroup[],
  values: Readonly<Record<string, unknown>>,
): string[] =>
  groups.flatMap(group =>
    formFieldsOf(group)
      .filter(
        ({ key, isRequired, isHidden }) =>
          (isRequired ?? fields[key]?.required) && !isHidden?.(values) && isBlank(values[key]),
      )
      .map(({ key }) => key),
  )

/** The fields of a form that declares no groups. */
export const formKeys = (fields: Fields): string[] =>
  Object.keys(fields).filter(k => {
    const f = defined(fields[k])
    return !f.hiddenIn?.includes('form') && !f.derived && f.kind !== 'id' && f.kind !== 'part'
  })

const isWide = (fieldType: Field, field: FormField): boolean =>
  field.wide ??
  (fieldType.kind === 'lines' ||
    fieldType.kind === 'file' ||
    (fieldType.kind === 'text' && (fieldType.max ?? 0) > 60) ||
    (fieldType.kind === 'choices' && Object.keys(fieldType.choices?.rows ?? {}).length > 3) ||
    field.control !== undefined)

interface FormItemProps {
  readonly field: Field
  readonly item: FormField
  readonly id: string
  readonly value: unknown
  readonly fault: string | undefined
  readonly nestedFaults: Readonly<Record<string, string>>
  readonly help: ReactNode
  readonly disabledReason: string | undefined
  readonly formValues: Readonly<Record<string, unknown>>
  readonly form: Pick<Form, 'set' | 'validateField' | 'patch' | 'readValues'>
  readonly wide: boolean
}

export const helpOf = (
  { help }: Pick<FormField, 'help'>,
  field: Pick<Field, 'help'>,
  values: Readonly<Record<string, unknown>>,
): ReactNode => (typeof help === 'function' ? help(values) : help) ?? field.help

/** Label above, help under it, the fault in the help's place: nothing moves. */
const FormItem = memo(function Item({
  field,
  item,
  id,
  value,
  fault,
  nestedFaults,
  help,
  disabledReason,
  formValues,
  form,
  wide,
}: FormItemProps) {
  const Control = item.control ?? controls[field.kind]
  const label = item.label ?? field.label
  const note = disabledReason ?? help
  const change = (newValue: unknown): void => {
    if (item.spreadValue) {
      form.patch(item.spreadValue(newValue))
      return
    }
    form.set(item.key, newValue)
    const derived = item.deriveValues?.(newValue, { ...form.readValues(), [item.key]: newValue })
    if (derived) {
      form.patch(derived)
    }
  }
  return (
    <div className={`ask${wide ? ' wide' : ''}${fault ? ' wrong' : ''}`} data-field={item.key}>
      <label htmlFor={id}>
        {isMarkedRequired(field, item.isRequired) && <RequiredStar />}
        {label}
      </label>
      <Control
        field={field}
        id={id}
        value={value}
        onChange={change}
        onBlur={() => form.validateField(item.key)}
        disabled={disabledReason !== undefined}
        invalid={fault !== undefined}
        describedBy={fault || note ? `${id}-note` : undefined}
        formValues={formValues}
        nestedFaults={nestedFaults}
      />
      <div id={`${id}-note`} className={fault ? 'note fault' : 'note'} {...(fault ? { role: 'alert' } : {})}>
        {fault ?? note}
      </div>
    </div>
  )
})

const noNestedFaults = {}

interface FormFieldsProps {
  readonly form: Form
  readonly fields: Fields
  readonly groups: readonly FormFieldGroup[]
  readonly name: string
  readonly columns: 1 | 2
  readonly fixed?: boolean
}

/** The fields of a form in one or two columns, groups under headings. */
export function FormFields({ form, fields, groups, name, columns, fixed }: FormFieldsProps) {
  const { set, validateField, patch, readValues } = form
  const formActions = useMemo(
    () => ({ set, validateField, patch, readValues }),
    [set, validateField, patch, readValues],
  )
  const all = useMemo(() => groups.map(g => ({ title: g.title, asks: formFieldsOf(g) })), [groups])
  const named = useMemo(
    () =>
      new Map(
        all.flatMap(group =>
          group.asks.flatMap(field =>
            fields[field.key]
              ? [
                  [
                    field.key,
                    field.label
                      ? { ...defined(fields[field.key]), label: field.label }
                      : defined(fields[field.key]),
                  ] as const,
                ]
              : [],
          ),
        ),
      ),
    [all, fields],
  )
  return (
    <>
      {all.map((group, index) => (
        <section key={group.title ?? index} className="ask-group">
          {group.title && <h3>{group.title}</h3>}
          <div className={columns === 2 ? 'asks two' : 'asks'}>
            {group.asks.map(field => {
              const fieldType = named.get(field.key)
              if (!fieldType || field.isHidden?.(form.values)) return null
              const off =
                field.disabledReason?.(form.values) ??
                (fixed && fieldType.immutable ? '保存后不能修改' : undefined)
              const nested = Object.entries(form.faults).filter(([k]) => k.startsWith(`${field.key}[`))
              return (
                <FormItem
                  key={field.key}
                  field={fieldType}
                  item={field}
                  id={`${name}-${field.key}`}
                  value={form.values[field.key]}
                  fault={form.faults[field.key]}
                  nestedFaults={
                    nested.length
                      ? Object.fromEntries(nested.map(([k, v]) => [k.slice(field.key.length), v]))
                      : noNestedFaults
                  }
                  help={helpOf(field, fieldType, form.values)}
                  disabledReason={off}
                  formValues={
                    field.control || fieldType.target || fieldType.kind === 'lines'
                      ? form.values
                      : noNestedFaults
                  }
                  form={formActions}
                  wide={columns === 2 && isWide(fieldType, field)}
                />
              )
            })}
          </div>
        </section>
      ))}
    </>
  )
}

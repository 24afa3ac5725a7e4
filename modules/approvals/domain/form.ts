import {
  choice,
  choiceTable,
  day,
  decimal,
  flag,
  list,
  moment,
  money,
  ref,
  text,
  type Field,
  type Fields,
} from '#kit/contract/field.ts'

import { formatValue, validateValue } from '#kit/contract/value.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { FormField } from '../contract/form-field.ts'

export type FormValues = Readonly<Record<string, unknown>>

const maxFiles = 9

const optionTable = (label: string, options: readonly string[], keys: readonly string[]) =>
  choiceTable(label, label, Object.fromEntries(options.map((o, i) => [keys[i] ?? o, [keys[i] ?? o, o]])))

/** The field of the toolkit behind one that the company drew. */
function fieldOf({ label, fieldKind, isRequired, options = [], optionKeys = options }: FormField): Field {
  const required = isRequired
  if (fieldKind === 'paragraph') return text(label, { required, max: 2000 })
  if (fieldKind === 'number') return decimal(label, { required })
  if (fieldKind === 'money') return money(label, { required, min: 0 })
  if (fieldKind === 'day') return day(label, { required })
  if (fieldKind === 'moment') return moment(label, { required })
  if (fieldKind === 'flag') return flag(label, { required })
  if (fieldKind === 'department') return ref(label, 'department', { required })
  if (fieldKind === 'files') return list(label, { required, max: maxFiles, holdsFiles: true })
  if (fieldKind === 'choice') return choice(label, optionTable(label, options, optionKeys), { required })
  return text(label, { required, max: 100 })
}

export const fieldsOfForm = (formFields: readonly FormField[]): Fields =>
  Object.fromEntries(formFields.map(f => [f.key, fieldOf(f)]))

const kindOfField = (field: Field): FormField['fieldKind'] => {
  if (field.kind === 'money' || field.kind === 'day' || field.kind === 'moment') return field.kind
  if (field.kind === 'int' || field.kind === 'decimal') return 'number'
  if (field.kind === 'choice' || field.kind === 'flag') return field.kind
  if (field.kind === 'file' || field.holdsFiles) return 'files'
  if (field.target === 'department') return 'department'
  return 'text'
}

/** What a kind keeps for its effect alone is shown to nobody. */
const isShown = ({ hiddenIn }: Field): boolean => !hiddenIn?.includes('detail')

/** The form of a registered kind, as the browser draws it. */
export const describeForm = (form: Fields): FormField[] =>
  Object.entries<Field>(form)
    .filter(([, field]) => isShown(field))
    .map(([key, field]) => ({
      key,
      label: field.label,
      fieldKind: kindOfField(field),
      isRequired: field.required,
      ...(field.choices
        ? {
            options: Object.values(field.choices.rows).map(row => row[1]),
            optionKeys: Object.keys(field.choices.rows),
          }
        : {}),
    }))

/** What a field holds in memory: text, a whole number, yes or no, or several texts. */
function isOfKind(field: Field, value: unknown): boolean {
  if (field.kind === 'list' || field.kind === 'choices')
    return Array.isArray(value) && value.every(item => typeof item === 'string')
  if (field.kind === 'flag') return typeof value === 'boolean'
  if (field.kind === 'money' || field.kind === 'int' || (field.kind === 'ref' && field.targetBy === 'id'))
    return Number.isSafeInteger(value)
  if (field.kind === 'decimal') return typeof value === 'string' && /^-?\d{1,12}(\.\d{1,6})?$/.test(value)
  if (field.kind === 'choice')
    return typeof value === 'string' && Object.hasOwn(field.choices?.rows ?? {}, value)
  return typeof value === 'string'
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** What is wrong with a form that came from outside; all faults together. */
export function formFaults(fields: Fields, form: FormValues): FieldFault[] {
  const unknown = Object.keys(form).filter(key => !Object.hasOwn(fields, key))
  if (unknown.length) return [{ Field: 'FormJson', Message: `表单没有字段：${unknown.join('、')}` }]
  return Object.entries<Field>(fields).flatMap(([key, field]) => {
    const value = form[key]
    if (!isEmpty(value) && !isOfKind(field, value))
      return [{ Field: key, Message: `${field.label}格式不正确` }]
    const fault = validateValue(field, value)
    return fault === undefined ? [] : [{ Field: key, Message: fault }]
  })
}

export interface FormLine {
  readonly label: string
  readonly value: string
  /** Keys of stored files, in place of a text. */
  readonly files?: readonly string[]
}

/** A form as people read it; `nameOf` names what a reference points at. */
export const formLines = (
  fields: Fields,
  form: FormValues,
  nameOf: (field: Field, value: unknown) => string | undefined = () => undefined,
): FormLine[] =>
  Object.entries<Field>(fields).flatMap(([key, field]) => {
    const value = form[key]
    if (isEmpty(value) || !isShown(field)) return []
    if (field.kind === 'file') return [{ label: field.label, value: '', files: [String(value)] }]
    if (field.holdsFiles && Array.isArray(value))
      return [{ label: field.label, value: '', files: value.map(String) }]
    return [{ label: field.label, value: nameOf(field, value) ?? formatValue(value, field) }]
  })

/** Every stored file that a form names. */
export const filesOfForm = (fields: Fields, form: FormValues): string[] =>
  formLines(fields, form).flatMap(line => line.files ?? [])

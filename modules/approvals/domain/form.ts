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

import { formatValue, kindBehaviour, UnreadableValue, validateValue } from '#kit/contract/value.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { AmendField, FormField } from '../contract/form-field.ts'

export type FormValues = Readonly<Record<string, unknown>>

const maxFiles = 9

const optionTable = (label: string, options: readonly string[], keys: readonly string[]) =>
  choiceTable(label, label, Object.fromEntries(options.map((o, i) => [keys[i] ?? o, [keys[i] ?? o, o]])))

/** The field of the toolkit behind one that the company drew. */
function fieldOf({
  label,
  fieldKind,
  isRequired,
  options = [],
  optionKeys = options,
  maxLength,
}: AmendField): Field {
  const required = isRequired
  if (fieldKind === 'paragraph') return text(label, { required, max: maxLength ?? 2000 })
  if (fieldKind === 'number') return decimal(label, { required })
  if (fieldKind === 'money') return money(label, { required, min: 0 })
  if (fieldKind === 'day') return day(label, { required })
  if (fieldKind === 'moment') return moment(label, { required })
  if (fieldKind === 'flag') return flag(label, { required })
  if (fieldKind === 'department') return ref(label, 'department', { required })
  if (fieldKind === 'files') return list(label, { required, max: maxFiles, holdsFiles: true })
  if (fieldKind === 'choice') return choice(label, optionTable(label, options, optionKeys), { required })
  return text(label, { required, max: maxLength ?? 100 })
}

export const fieldsOfForm = (formFields: readonly AmendField[]): Fields =>
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

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The key of an option, by its key or its code: the browser knows the keys of a kind alone. */
const readOption = (field: Field, raw: unknown): unknown =>
  typeof raw === 'string' && Object.hasOwn(field.choices?.rows ?? {}, raw)
    ? raw
    : kindBehaviour.choice.fromWire(raw, field)

function readValue(field: Field, raw: unknown): unknown {
  if (field.kind === 'choice') return readOption(field, raw)
  // A bare number could be meant in fen.
  if (field.kind === 'money' && typeof raw !== 'string')
    throw new UnreadableValue('应写成 "1500.00" 这样的文本')
  return kindBehaviour[field.kind].fromWire(raw, field)
}

export interface DecodedForm {
  readonly values: FormValues
  readonly faults: readonly FieldFault[]
}

/** A form as it is on the wire and stored, in the values of memory; what is not readable is a fault. */
export function decodeForm(fields: Fields, raw: FormValues): DecodedForm {
  const values: Record<string, unknown> = {}
  const unknown = Object.keys(raw).filter(key => !Object.hasOwn(fields, key))
  const faults: FieldFault[] = unknown.length
    ? [{ Field: 'FormJson', Message: `表单没有字段：${unknown.join('、')}` }]
    : []
  for (const [key, field] of Object.entries<Field>(fields)) {
    const value = raw[key]
    if (!isEmpty(value)) {
      try {
        values[key] = readValue(field, value)
      } catch (error) {
        if (!(error instanceof UnreadableValue)) throw error
        faults.push({ Field: key, Message: `${field.label}${error.message}` })
      }
    }
  }
  return { values, faults }
}

const writeValue = (field: Field | undefined, value: unknown): unknown => {
  // A list stays one: its texts may hold commas.
  if (!field || field.kind === 'list' || field.kind === 'choices') return value
  return kindBehaviour[field.kind].toWire(value, field)
}

/** A form as it goes over the wire and is stored: money as `"1500.00"`. */
export const encodeForm = (fields: Fields, values: FormValues): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        isEmpty(value) ? value : writeValue(fields[key], value),
      ]),
    ),
  )

/** What a request is about in money: what lists show and sort by. */
export function amountOfForm(fields: Fields, values: FormValues): Fen | undefined {
  const key = Object.entries<Field>(fields).find(([, field]) => field.kind === 'money')?.[0]
  const amount = values[fields.amount?.kind === 'money' ? 'amount' : (key ?? '')]
  return typeof amount === 'number' ? asFen(amount) : undefined
}

/** What is wrong with the values of a form; all faults together. */
export const formFaults = (fields: Fields, values: FormValues): FieldFault[] =>
  Object.entries<Field>(fields).flatMap(([key, field]) => {
    const fault = validateValue(field, values[key])
    return fault === undefined ? [] : [{ Field: key, Message: fault }]
  })

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

import type { Fields } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { AmendField } from '../contract/form-field.ts'
import type { ProcessInstance } from '../contract/instance.ts'
import { describeForm, encodeForm, fieldsOfForm, formFaults, type FormValues } from '../domain/form.ts'
import { findApprovalKind } from './kinds.ts'
import { recordOf } from './requests.ts'
import { readForm } from './store.ts'

const shortText = 100

/** The fields of a request that came back which its applicant changes on the page of the approvals. */
export function amendableFields(instance: ProcessInstance): Fields {
  const registered = findApprovalKind(instance.bizType)
  const keys = registered?.effects.amendable?.(recordOf(instance)) ?? []
  return Object.fromEntries(Object.entries(registered?.kind.form ?? {}).filter(([key]) => keys.includes(key)))
}

/** The fields as the browser draws them, with their current values. */
export function describeAmendment(
  instance: ProcessInstance,
): { fields: AmendField[]; form: string } | undefined {
  const fields = amendableFields(instance)
  const { onlyWith = {} } = findApprovalKind(instance.bizType)?.kind ?? {}
  const drawn = describeForm(fields).map((field): AmendField => {
    const maxLength = field.fieldKind === 'text' ? fields[field.key]?.max : undefined
    return {
      ...field,
      fieldKind: (maxLength ?? 0) > shortText ? 'paragraph' : field.fieldKind,
      maxLength,
      onlyWithField: onlyWith[field.key]?.field,
      onlyWithOption: onlyWith[field.key]?.option,
    }
  })
  if (!drawn.length) return undefined
  const { form } = recordOf(instance)
  const values = Object.fromEntries(drawn.map(({ key }) => [key, form[key]]))
  return { fields: drawn, form: encodeForm(fieldsOfForm(drawn), values) }
}

/** The whole form with what was amended in it; what may not be amended is refused as unknown. */
export function amendedForm(instance: ProcessInstance, text: string): FormValues {
  const fields = amendableFields(instance)
  const values = readForm(fields, text)
  const faults = formFaults(fields, values)
  if (faults.length) throw invalidInput(faults)
  const { form } = recordOf(instance)
  const kept = Object.entries(form).filter(([key]) => !Object.hasOwn(fields, key))
  return { ...Object.fromEntries(kept), ...values }
}

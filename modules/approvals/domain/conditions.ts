import type { ChoiceOf, Field, Fields } from '#kit/contract/field.ts'
import { formatValue, kindBehaviour } from '#kit/contract/value.ts'
import type { conditionOperator } from '../contract/choices.ts'
import type { FlowCondition } from '../contract/process.ts'
import type { FormValues } from './form.ts'

type Operator = ChoiceOf<typeof conditionOperator>

/** The department of the applicant and those above it: a fact of every request. */
export const departmentKey = '$department'

const ordered: ReadonlySet<Field['kind']> = new Set(['int', 'decimal', 'money', 'day', 'moment', 'month'])

const compare: Record<Operator, (order: number) => boolean> = {
  equal: order => order === 0,
  notEqual: order => order !== 0,
  more: order => order > 0,
  atLeast: order => order >= 0,
  less: order => order < 0,
  atMost: order => order <= 0,
}

const signOf = (a: number | string, b: number | string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The value of a condition in memory; undefined where it is none of the field's kind. */
export function conditionValue(field: Field, value: string): unknown {
  if (field.kind === 'flag') return value === '1'
  if (!ordered.has(field.kind)) return value
  try {
    const parsed: unknown = kindBehaviour[field.kind].parse(value, field)
    return field.kind === 'decimal' ? Number(parsed) : parsed
  } catch {
    return undefined
  }
}

/** The value of a condition as people read it. */
export function conditionText(field: Field | undefined, value: string): string {
  const parsed = field && conditionValue(field, value)
  return parsed === undefined || field === undefined ? value : formatValue(parsed, field)
}

const orderOf = (field: Field, actual: unknown, wanted: unknown): number => {
  const left = field.kind === 'decimal' ? Number(actual) : actual
  return typeof left === 'number' && typeof wanted === 'number'
    ? signOf(left, wanted)
    : signOf(String(left), String(wanted))
}

/** A value that is absent equals nothing and is neither more nor less than anything. */
export function conditionHolds(fields: Fields, form: FormValues, condition: FlowCondition): boolean {
  const { operator, value } = condition
  const actual = form[condition.field]
  if (condition.field === departmentKey || Array.isArray(actual)) {
    const isIn = Array.isArray(actual) && actual.map(String).includes(value)
    return operator === 'notEqual' ? !isIn : operator === 'equal' && isIn
  }
  const field = fields[condition.field]
  if (!field || actual === undefined || actual === null || actual === '') return operator === 'notEqual'
  return compare[operator](orderOf(field, actual, conditionValue(field, value)))
}

export const nodeApplies = (
  fields: Fields,
  form: FormValues,
  { conditions = [] }: { readonly conditions?: readonly FlowCondition[] },
): boolean => conditions.every(condition => conditionHolds(fields, form, condition))

const equalityOnly: readonly Operator[] = ['equal', 'notEqual']

/** What is wrong with a condition of a definition. */
export function conditionFault(fields: Fields, condition: FlowCondition): string | undefined {
  const isEquality = equalityOnly.includes(condition.operator)
  if (condition.field === departmentKey) return isEquality ? undefined : '部门只能等于或不等于'
  const field = fields[condition.field]
  if (!field) return '表单没有此字段，请重新选择'
  if (!ordered.has(field.kind)) return isEquality ? undefined : `${field.label}只能等于或不等于`
  return conditionValue(field, condition.value) === undefined ? `值应为${field.label}的格式` : undefined
}

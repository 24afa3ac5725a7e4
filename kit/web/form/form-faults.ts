import { defined } from '#kit/domain/defined.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { wireNameOf, type FieldFault } from '#kit/contract/wire.ts'
import { faultOf } from '../controls/invalid-input.ts'
import type { Values } from './drafts.ts'

/** Fault texts by field key; those of nested rows by `lines[2].amount`. */
export type Faults = Readonly<Record<string, string>>

/** Whether a fault belongs to a field: `lines[2].amount` to `lines`. */
export const isFaultOf = (faultKey: string, key: string): boolean =>
  faultKey === key || faultKey.startsWith(`${key}[`)

/** Faults of one field; nested rows have theirs at `lines[2].amount`. */
export function fieldFaults(key: string, field: Field, value: unknown): [string, string][] {
  const fault = faultOf(field, value)
  if (fault) return [[key, fault]]
  if (field.kind !== 'lines' || !Array.isArray(value)) return []
  const members = Object.entries(nestedFieldsOf(field)).filter(
    ([, m]) => !m.derived && !m.hiddenIn?.includes('form'),
  )
  return value.flatMap((row, i) =>
    members.flatMap(([k, m]) => fieldFaults(`${key}[${i}].${k}`, m, (row as Values)[k])),
  )
}

/**
 * `Lines[2].Amount` of the wire → `lines[2].amount`; `undefined` where none of these fields has that name.
 */
export function keyOfWirePath(
  path: string,
  fields: Fields,
  shape?: Pick<Shape, 'wireNames'>,
): string | undefined {
  const [, name, index = '', rest] = /^([^[.]+)(\[\d+\])?(?:\.(.+))?$/.exec(path) ?? []
  if (name === undefined) return undefined
  const lowerName = name.toLowerCase()
  const key = Object.keys(fields).find(
    k =>
      wireNameOf(k, defined(fields[k]), shape).toLowerCase() === lowerName ||
      k.toLowerCase() === lowerName ||
      [defined(fields[k]).wire ?? []].flat().some(w => w.toLowerCase() === lowerName),
  )
  if (!key) return undefined
  if (!rest) return `${key}${index}`
  const inner = keyOfWirePath(rest, nestedFieldsOf(defined(fields[key])))
  return inner && `${key}${index}.${inner}`
}

/** The server's faults by the keys of a form, and those that belong to no field of the form. */
export function placeServerFaults(
  faults: readonly FieldFault[],
  fields: Fields,
  keys: readonly string[],
  shape: Pick<Shape, 'wireNames'>,
): { readonly placed: Faults; readonly firstKey: string | undefined; readonly unplaced: FieldFault[] } {
  const placed: Record<string, string> = {}
  const unplaced: FieldFault[] = []
  for (const fault of faults) {
    const key = keyOfWirePath(fault.Field, fields, shape)
    if (key && keys.some(k => isFaultOf(key, k))) {
      placed[key] = fault.Message
    } else {
      unplaced.push(fault)
    }
  }
  return { placed, firstKey: Object.keys(placed)[0], unplaced }
}

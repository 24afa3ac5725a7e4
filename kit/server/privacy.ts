import { defined } from '#kit/domain/defined.ts'
import type { Permission } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { maskByKind } from '#kit/contract/text.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { valuesByKey } from './column-storage.ts'
import { hasPermission, type Caller } from './scope.ts'

/**
 * Rows as this caller may see them: phones and documents masked for those who may not see people's data in
 * full (PERM-7). Nested rows too.
 */
export function maskRows<T extends object>(
  fields: Fields,
  rows: readonly T[],
  caller: Pick<Caller, 'canSeePersonalData'>,
): readonly T[] {
  if (caller.canSeePersonalData) return rows
  const keys = Object.entries<Field>(fields).filter(
    ([, f]) => f.masked || f.kind === 'lines' || f.kind === 'part',
  )
  return rows.map(r => {
    const out = { ...r } as Record<string, unknown>
    for (const [k, f] of keys) {
      const v = out[k]
      if (v === undefined || v === null) continue
      if (f.masked) {
        out[k] = maskByKind[f.masked](String(v))
      } else if (Array.isArray(v)) {
        out[k] = maskRows(nestedFieldsOf(f), v as object[], caller)
      } else {
        out[k] = maskRows(nestedFieldsOf(f), [v], caller)[0]
      }
    }
    return out as T
  })
}

export const mask = <T extends object>(
  fields: Fields,
  row: T,
  caller: Pick<Caller, 'canSeePersonalData'>,
): T => defined(maskRows(fields, [row], caller)[0])

/**
 * The values to save from a form that showed masked values: those come back as they were shown, or empty, and
 * stay unchanged. From those who see everything all values are taken as they are.
 */
export function restoreMasked<T extends object>(
  fields: Fields,
  input: T,
  before: object,
  caller: Pick<Caller, 'canSeePersonalData'>,
): T {
  if (caller.canSeePersonalData) return input
  const out = { ...input } as Record<string, unknown>
  const previous = valuesByKey(before)
  for (const [key, field] of Object.entries<Field>(fields)) {
    if (!field.masked || previous[key] === undefined) continue
    if (out[key] === undefined || out[key] === maskByKind[field.masked](String(previous[key]))) {
      out[key] = previous[key]
    }
  }
  return out as T
}

/** Rows of a list open to everyone, without the fields that only a permission shows (PERM-3). */
export function omitUnlessPermitted<T extends object>(
  caller: Caller,
  permission: Permission,
  rows: readonly T[],
  keys: readonly (keyof T & string)[],
): readonly T[] {
  if (hasPermission(caller, permission)) return rows
  const hidden: ReadonlySet<string> = new Set(keys)
  // Only optional fields are ever named: what remains is a row still.
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.has(key))) as T)
}

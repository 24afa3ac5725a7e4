import type { Field, Fields } from '#kit/contract/field.ts'
import { masks } from '#kit/contract/sheet.ts'
import { membersOf } from '#kit/contract/value.ts'
import type { Caller } from './scope.ts'

/**
 * Rows as this caller may see them: phones and documents masked for those who may not see people's data in
 * full (PERM-7). Nested rows too.
 */
export function veiled<T extends object>(
  fields: Fields,
  rows: readonly T[],
  who: Pick<Caller, 'privacy'>,
): readonly T[] {
  if (who.privacy) return rows
  const keys = Object.entries<Field>(fields).filter(
    ([, f]) => f.masked || f.kind === 'lines' || f.kind === 'part',
  )
  return rows.map(r => {
    const out = { ...r } as Record<string, unknown>
    for (const [k, f] of keys) {
      const v = out[k]
      if (v === undefined || v === null) continue
      if (f.masked) {
        out[k] = masks[f.masked](String(v))
      } else if (Array.isArray(v)) {
        out[k] = veiled(membersOf(f), v as object[], who)
      } else {
        out[k] = veiled(membersOf(f), [v as object], who)[0]
      }
    }
    return out as T
  })
}

export const veil = <T extends object>(fields: Fields, row: T, who: Pick<Caller, 'privacy'>): T =>
  veiled(fields, [row], who)[0]!

/**
 * What a save means where its form showed masked values: those come back as they were shown, or empty, and
 * stay what they are. Whoever sees everything says everything.
 */
export function unveiled<T extends object>(
  fields: Fields,
  said: T,
  before: object,
  who: Pick<Caller, 'privacy'>,
): T {
  if (who.privacy) return said
  const out = { ...said } as Record<string, unknown>
  const was = before as Record<string, unknown>
  for (const [k, f] of Object.entries<Field>(fields)) {
    if (!f.masked || was[k] === undefined) continue
    if (out[k] === undefined || out[k] === masks[f.masked](String(was[k]))) {
      out[k] = was[k]
    }
  }
  return out as T
}

import type { Fields } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Unread, readTyped } from '../controls/unread.ts'
import { keep, kept } from '../keep.ts'
import { mine } from '../session.ts'

export type Values = Readonly<Record<string, unknown>>
/** What was typed and not saved, of one form and one record. `version` is that of the record it was typed over. */
export interface Draft { readonly values: Values; readonly at: string; readonly version?: number | undefined }
const place = (key: string): string => mine(`draft/${key}`)

// What cannot be read yet is kept as its text: a store of plain data keeps no classes.
const flat = (v: unknown): unknown => (v instanceof Unread ? { typed: v.text } : v)
const whole = (v: unknown, fields: Fields, k: string): unknown => {
  const typed = (v as { typed?: unknown } | null)?.typed
  return typeof typed === 'string' && fields[k] ? readTyped(typed, fields[k]) : v
}
export const draftOf = (key: string, fields: Fields): Draft | undefined => {
  const d = kept<Draft | undefined>(place(key), undefined)
  return d && { ...d, values: Object.fromEntries(Object.entries(d.values).map(([k, v]) => [k, whole(v, fields, k)])) }
}
export const keepDraft = (key: string, values: Values, version: number | undefined): void => keep(place(key), { values: Object.fromEntries(Object.entries(values).map(([k, v]) => [k, flat(v)])), at: fromInstant(Date.now()), version })
export const dropDraft = (key: string): void => keep(place(key), undefined)

/** Forms that stand in an open page, so that 放弃 on its tab can let their drafts go. */
const standing = new Map<string, Set<() => void>>()
export function standIn(page: string, drop: () => void): () => void {
  const all = standing.get(page) ?? new Set()
  standing.set(page, all.add(drop))
  return () => { all.delete(drop) }
}
/** The person gave up what was typed in this page: nothing of it is kept. Without it, closing keeps the drafts. */
export const dropDrafts = (page: string): void => standing.get(page)?.forEach(drop => drop())

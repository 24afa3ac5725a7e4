import { pathOf, type Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { InvalidInput, parseTyped } from '../controls/invalid-input.ts'
import { saveStored, readStored } from '../browser-store.ts'
import { personalKey } from '../session.ts'

export type Values = Readonly<Record<string, unknown>>

/**
 * What was typed and not saved, of one form and one record. `version` is the version of the record that was
 * being edited.
 */
export interface Draft {
  readonly values: Values
  readonly at: string
  readonly version?: number | undefined
}

/**
 * Where a person's draft lies. A form asks once: when the session ends, what was typed still belongs to the
 * person who typed it.
 */
export const draftStorageKey = (key: string): string => personalKey(`draft/${key}`)

const maxTargetLength = 200

/** Key of the draft of an action on records; none for so many records that no one comes back to them. */
export function draftKeyOf(call: Pick<Call, 'route'>, target: unknown): string | undefined {
  const text = JSON.stringify(target)
  return text.length > maxTargetLength ? undefined : `${pathOf(call)}/${text}`
}

// Invalid input is stored as its text: a store of plain data holds no classes.
const toStorable = (v: unknown): unknown => (v instanceof InvalidInput ? { typed: v.text } : v)

const fromStorable = (v: unknown, fields: Fields, k: string): unknown => {
  const typed = typeof v === 'object' && v !== null && 'typed' in v ? v.typed : undefined
  return typeof typed === 'string' && fields[k] ? parseTyped(typed, fields[k]) : v
}

export const readDraft = (key: string, fields: Fields): Draft | undefined => {
  const draft = readStored<Draft | undefined>(key, undefined)
  return (
    draft && {
      ...draft,
      values: Object.fromEntries(
        Object.entries(draft.values).map(([k, v]) => [k, fromStorable(v, fields, k)]),
      ),
    }
  )
}

/** What of a form may be kept: a secret never lies in the browser's store. */
export const storableKeys = (fields: Fields, keys: readonly string[]): readonly string[] =>
  keys.filter(k => fields[k]?.masked !== 'secret')

export const dropDraft = (key: string): void => saveStored(key, undefined)

/**
 * Drafts by the open page of their form. The effects of a hidden page do not run, so a form registers once.
 */
const draftsByPage = new Map<string, Set<string>>()
const discardedPages = new Set<string>()

export function registerDraft(page: string, key: string): void {
  discardedPages.delete(key)
  draftsByPage.set(page, (draftsByPage.get(page) ?? new Set()).add(key))
}

export const saveDraft = (key: string, values: Values, version: number | undefined): void => {
  if (!discardedPages.has(key)) {
    saveStored(key, {
      values: Object.fromEntries(Object.entries(values).map(([k, v]) => [k, toStorable(v)])),
      at: fromInstant(Date.now()),
      version,
    })
  }
}

/** Whether closing this page would leave a draft behind. */
export const hasDrafts = (page: string): boolean => (draftsByPage.get(page)?.size ?? 0) > 0

/**
 * The person discards what was typed on this page: no draft is kept, not even by a form that is just closing.
 */
export function dropDrafts(page: string): void {
  for (const key of draftsByPage.get(page) ?? []) {
    discardedPages.add(key)
    dropDraft(key)
  }
  draftsByPage.delete(page)
}

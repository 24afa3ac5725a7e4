import { useState } from 'react'
import { draftStorageKey, dropDraft, readDraft, saveDraft, type Values } from '../form/drafts.ts'

interface PhoneDraftOptions {
  /** The key from `draftKeyOf`. */
  readonly key: string
  /** The version of the edited record: a draft for an older one is not shown. */
  readonly version?: number | undefined
}

interface PhoneDraft<T> {
  readonly values: T
  readonly change: (patch: Partial<T>) => void
  /** Whether the form began with what was typed before. */
  readonly isRestored: boolean
  /** Begins again with the values of the record. */
  readonly discard: () => void
  /** What was typed has been saved. */
  readonly drop: () => void
}

/**
 * The values of a form on a phone, kept at every change: the browser of a phone ends a page without
 * asking, and the button that leads back is easily touched.
 */
export function usePhoneDraft<T extends Values>(
  initial: T,
  { key, version }: PhoneDraftOptions,
): PhoneDraft<T> {
  const [storageKey] = useState(() => draftStorageKey(key))
  const [stored] = useState(() => {
    const draft = readDraft(storageKey, {})
    return draft && draft.version === version ? draft.values : undefined
  })
  const [isRestored, setRestored] = useState(stored !== undefined)
  const [values, setValues] = useState<T>(() => ({ ...initial, ...stored }))
  return {
    values,
    isRestored,
    change: patch => {
      const next = { ...values, ...patch }
      setValues(next)
      saveDraft(storageKey, next, version)
    },
    discard: () => {
      dropDraft(storageKey)
      setValues(initial)
      setRestored(false)
    },
    drop: () => dropDraft(storageKey),
  }
}

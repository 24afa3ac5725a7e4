import { parseId, type Id } from '#kit/domain/id.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Month } from '#kit/contract/field.ts'
import type { RegisterBox } from './registers.ts'

export interface EntryDraft {
  readonly text: string
  readonly rollover: boolean
  /** Registers by time of day, once one was touched. */
  readonly boxes?: readonly RegisterBox[] | undefined
  readonly state: 'typing' | 'saving' | 'fault'
  readonly fault?: string | undefined
}

export type ByMonth<T> = ReadonlyMap<string, T>

/** A draft belongs to its month: in another month the same meter has another box. */
export const draftKeyOf = (month: Month, meterId: Id): string => `${month}/${meterId}`

/** The entries of a month, by meter. */
export const filterByMonth = <T>(all: ByMonth<T>, month: Month): ReadonlyMap<Id, T> =>
  new Map(
    [...all].flatMap(([key, value]) =>
      key.startsWith(`${month}/`) ? [[parseId(key.slice(month.length + 1)), value] as const] : [],
    ),
  )

/** Whether a draft holds something that would be lost. */
export const isUnsavedDraft = (d: EntryDraft): boolean =>
  d.state !== 'saving' && (d.text !== '' || Boolean(d.boxes?.some(b => b.text !== '')))

export interface DraftStore {
  readonly all: ByMonth<EntryDraft>
  readonly get: (month: Month, meterId: Id) => EntryDraft | undefined
  readonly set: (month: Month, meterId: Id, draft: EntryDraft | undefined) => void
}

/** What is typed and not saved yet, by month and meter. A value that was set can be read at once. */
export function useDraftStore(): DraftStore {
  const [all, setAll] = useState<ByMonth<EntryDraft>>(new Map())
  const latest = useRef(all)
  const get = useCallback((month: Month, meterId: Id) => latest.current.get(draftKeyOf(month, meterId)), [])
  const set = useCallback((month: Month, meterId: Id, draft: EntryDraft | undefined): void => {
    const next = new Map(latest.current)
    if (draft) {
      next.set(draftKeyOf(month, meterId), draft)
    } else {
      next.delete(draftKeyOf(month, meterId))
    }
    latest.current = next
    setAll(next)
  }, [])
  return useMemo(() => ({ all, get, set }), [all, get, set])
}

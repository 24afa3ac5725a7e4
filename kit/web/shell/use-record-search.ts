import { useEffect, useState } from 'react'
import { rankSearch, type SearchMatch } from '#kit/domain/search-rank.ts'
import type { Permission } from '#kit/contract/call.ts'
import { palette, type Finder, type Hit } from '../command-palette.ts'

export interface FoundHit {
  readonly finder: Finder
  readonly hit: Hit
  /** Which of its texts matches what was typed. */
  readonly match?: SearchMatch | undefined
}

const toCandidate = (found: FoundHit, index: number) => ({
  found,
  isElsewhere: found.hit.isOtherProject ?? false,
  // What is equal stays as its finder gave it.
  sortKey: String(index).padStart(6, '0'),
  fields: [
    { label: 'title', text: found.hit.title, isPath: found.hit.isPath ?? false },
    { label: 'note', text: found.hit.note ?? '' },
  ],
})

/** The chosen project first, the groups in their fixed order, the best answer of each first (BILL-11). */
const sortHits = (text: string, found: readonly FoundHit[]): readonly FoundHit[] => {
  const groupOrder = palette.groups().map(g => g.key)
  return rankSearch(text, found.map(toCandidate), found.length)
    .map(({ candidate, match }) => ({ ...candidate.found, match }))
    .toSorted(
      (a, b) =>
        Number(a.hit.isOtherProject ?? false) - Number(b.hit.isOtherProject ?? false) ||
        groupOrder.indexOf(a.finder.group) - groupOrder.indexOf(b.finder.group),
    )
}

const none: readonly FoundHit[] = []

/**
 * Records from all modules, 150 ms after the last key; each answer is shown as it arrives, in the fixed order
 * of groups; the chosen project before the others.
 */
export function useRecordSearch(
  text: string,
  only: string | undefined,
  hasPermission: (p: Permission | undefined) => boolean,
): { readonly found: readonly FoundHit[]; readonly busy: boolean } {
  const [results, setResults] = useState<{
    searchKey: string
    found: readonly FoundHit[]
    pendingFinders: number
  }>({
    searchKey: '',
    found: none,
    pendingFinders: 0,
  })
  const searchKey = text && `${only ?? ''} ${text}`
  useEffect(() => {
    if (!searchKey) return
    const abort = new AbortController()
    const finders = palette.finders().filter(f => (!only || f.group === only) && hasPermission(f.needs))
    const timer = setTimeout(() => {
      setResults(previous => ({ searchKey, found: previous.found, pendingFinders: finders.length }))
      let foundHits: readonly FoundHit[] = none
      for (const finder of finders) {
        finder
          .search(text, abort.signal)
          .catch(() => [] as readonly Hit[])
          .then(
            hits => {
              if (abort.signal.aborted) return
              foundHits = sortHits(text, [...foundHits, ...hits.map(hit => ({ finder, hit }))])
              setResults(previous => ({
                searchKey,
                found: foundHits,
                pendingFinders: previous.pendingFinders - 1,
              }))
            },
            () => {},
          )
      }
    }, 150)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [searchKey])
  return searchKey
    ? {
        found: results.found,
        busy: results.searchKey !== searchKey ? palette.finders().length > 0 : results.pendingFinders > 0,
      }
    : { found: none, busy: false }
}

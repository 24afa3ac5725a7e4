import { useEffect, useState } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { palette, paletteGroups, type Finder, type Hit, type PaletteGroup } from '../command-palette.ts'

export interface FoundHit {
  readonly finder: Finder
  readonly hit: Hit
}

const groupOrder = Object.keys(paletteGroups)
const none: readonly FoundHit[] = []

/**
 * Records from all modules, 150 ms after the last key; each answer is shown as it arrives, in the fixed order
 * of groups; the chosen project before the others.
 */
export function useRecordSearch(
  text: string,
  only: PaletteGroup | undefined,
  hasPermission: (p: Permission | undefined) => boolean,
): { readonly found: readonly FoundHit[]; readonly busy: boolean } {
  const [answers, setAnswers] = useState<{ of: string; found: readonly FoundHit[]; left: number }>({
    of: '',
    found: none,
    left: 0,
  })
  const searchKey = text && `${only ?? ''} ${text}`
  useEffect(() => {
    if (!searchKey) return
    const abort = new AbortController()
    const finders = palette.finders().filter(f => (!only || f.group === only) && hasPermission(f.needs))
    const timer = setTimeout(() => {
      setAnswers(previous => ({ of: searchKey, found: previous.found, left: finders.length }))
      let fresh: readonly FoundHit[] = none
      for (const finder of finders) {
        finder
          .search(text, abort.signal)
          .catch(() => [] as readonly Hit[])
          .then(
            hits => {
              if (abort.signal.aborted) return
              fresh = [...fresh, ...hits.map(hit => ({ finder, hit }))].toSorted(
                (a, b) =>
                  Number(a.hit.isOtherProject ?? false) - Number(b.hit.isOtherProject ?? false) ||
                  groupOrder.indexOf(a.finder.group) - groupOrder.indexOf(b.finder.group),
              )
              setAnswers(previous => ({ of: searchKey, found: fresh, left: previous.left - 1 }))
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
        found: answers.found,
        busy: answers.of !== searchKey ? palette.finders().length > 0 : answers.left > 0,
      }
    : { found: none, busy: false }
}

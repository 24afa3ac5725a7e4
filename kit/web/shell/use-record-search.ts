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
 * Records from all modules, 150 ms after the last key; what answers first is shown first, in the fixed order
 * of groups; the chosen project before the others.
 */
export function useRecordSearch(
  text: string,
  only: PaletteGroup | undefined,
  may: (p: Permission | undefined) => boolean,
): { readonly found: readonly FoundHit[]; readonly busy: boolean } {
  const [answers, setAnswers] = useState<{ of: string; found: readonly FoundHit[]; left: number }>({
    of: '',
    found: none,
    left: 0,
  })
  const of = text && `${only ?? ''} ${text}`
  useEffect(() => {
    if (!of) return
    const gone = new AbortController()
    const asked = palette.finders().filter(f => (!only || f.group === only) && may(f.needs))
    const timer = setTimeout(() => {
      setAnswers(was => ({ of, found: was.found, left: asked.length }))
      let fresh: readonly FoundHit[] = none
      for (const finder of asked) {
        finder
          .search(text, gone.signal)
          .catch(() => [] as readonly Hit[])
          .then(
            hits => {
              if (gone.signal.aborted) return
              fresh = [...fresh, ...hits.map(hit => ({ finder, hit }))].sort(
                (a, b) =>
                  Number(a.hit.isOtherProject ?? false) - Number(b.hit.isOtherProject ?? false) ||
                  groupOrder.indexOf(a.finder.group) - groupOrder.indexOf(b.finder.group),
              )
              setAnswers(was => ({ of, found: fresh, left: was.left - 1 }))
            },
            () => {},
          )
      }
    }, 150)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [of])
  return of
    ? { found: answers.found, busy: answers.of !== of ? palette.finders().length > 0 : answers.left > 0 }
    : { found: none, busy: false }
}

import { keep, kept, useKept } from '../keep.ts'
import { mine } from '../session.ts'
import { useSetup } from '../setup.ts'

/** A place one comes back to. */
export interface Place {
  readonly path: string
  readonly title: string
  /** Of the open page: one screen, one record. */ readonly key?: string
}

const none: readonly Place[] = []
const noCounts: Readonly<Record<string, number>> = {}
const recentLimit = 8

/** Counts a visit of a screen. */
export const countVisit = (screen: string): void => {
  const counts = kept(mine('habits'), noCounts)
  keep(mine('habits'), { ...counts, [screen]: Math.min(9999, (counts[screen] ?? 0) + 1) })
}

/** Puts a page first among those opened last. */
export const noteVisit = (place: Place): void =>
  keep(
    mine('recent'),
    [place, ...kept(mine('recent'), none).filter(p => p.path !== place.path && p.key !== place.key)].slice(
      0,
      recentLimit,
    ),
  )

export const useRecent = (): readonly Place[] => useKept(mine('recent'), none)[0]
export const habits = (): Readonly<Record<string, number>> => kept(mine('habits'), noCounts)

export function useFavourites(): {
  readonly all: readonly Place[]
  has(path: string): boolean
  toggle(p: Place): void
  move(from: number, to: number): void
} {
  const [all, set] = useSetup('favourites', none)
  return {
    all,
    has: path => all.some(p => p.path === path),
    toggle: p => set(all.some(x => x.path === p.path) ? all.filter(x => x.path !== p.path) : [...all, p]),
    move: (from, to) => {
      const left = all.filter((_, i) => i !== from)
      set([...left.slice(0, to), all[from]!, ...left.slice(to)])
    },
  }
}

/** Projects chosen lately, newest first. */
export const recentProjects = (): readonly string[] => kept<readonly string[]>(mine('projects'), [])

export const noteProject = (code: string): void =>
  keep(mine('projects'), [code, ...recentProjects().filter(c => c !== code)].slice(0, 3))

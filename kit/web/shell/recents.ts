import { defined } from '#kit/domain/defined.ts'
import { saveStored, readStored, useStored } from '../browser-store.ts'
import { personalKey } from '../session.ts'
import { useSetting } from '../user-settings.ts'

/** A page that was visited, or kept as a favourite. */
export interface VisitedPage {
  readonly path: string
  readonly title: string
  /** Key of its tab: one per screen or record. */
  readonly key?: string
}

const none: readonly VisitedPage[] = []
const noCounts: Readonly<Record<string, number>> = {}
const recentLimit = 8

/** Counts a visit of a screen. */
export const countVisit = (screen: string): void => {
  const counts = readStored(personalKey('habits'), noCounts)
  saveStored(personalKey('habits'), { ...counts, [screen]: Math.min(9999, (counts[screen] ?? 0) + 1) })
}

/** Puts a page first among those opened last. */
export const rememberVisit = (page: VisitedPage): void =>
  saveStored(
    personalKey('recent'),
    [
      page,
      ...readStored(personalKey('recent'), none).filter(p => p.path !== page.path && p.key !== page.key),
    ].slice(0, recentLimit),
  )

export const useRecent = (): readonly VisitedPage[] => useStored(personalKey('recent'), none)[0]
export const visitCounts = (): Readonly<Record<string, number>> => readStored(personalKey('habits'), noCounts)

export function useFavourites(): {
  readonly all: readonly VisitedPage[]
  has(path: string): boolean
  toggle(p: VisitedPage): void
  move(from: number, to: number): void
} {
  const [all, set] = useSetting('favourites', none)
  return {
    all,
    has: path => all.some(p => p.path === path),
    toggle: p => set(all.some(x => x.path === p.path) ? all.filter(x => x.path !== p.path) : [...all, p]),
    move: (from, to) => {
      const others = all.filter((_, i) => i !== from)
      set([...others.slice(0, to), defined(all[from]), ...others.slice(to)])
    },
  }
}

/** Projects chosen lately, newest first. */
export const recentProjects = (): readonly string[] =>
  readStored<readonly string[]>(personalKey('projects'), [])

export const rememberProjectChoice = (code: string): void =>
  saveStored(personalKey('projects'), [code, ...recentProjects().filter(c => c !== code)].slice(0, 3))

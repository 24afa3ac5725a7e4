import { saveStored, readStored, useStored } from '../browser-store.ts'
import { personalKey } from '../session.ts'
import { useSetting } from '../user-settings.ts'

/** A place one comes back to. */
export interface VisitedPage {
  readonly path: string
  readonly title: string
  /** Of the open page: one screen, one record. */ readonly key?: string
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
export const rememberVisit = (place: VisitedPage): void =>
  saveStored(
    personalKey('recent'),
    [
      place,
      ...readStored(personalKey('recent'), none).filter(p => p.path !== place.path && p.key !== place.key),
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
      const left = all.filter((_, i) => i !== from)
      set([...left.slice(0, to), all[from]!, ...left.slice(to)])
    },
  }
}

/** Projects chosen lately, newest first. */
export const recentProjects = (): readonly string[] =>
  readStored<readonly string[]>(personalKey('projects'), [])

export const rememberProjectChoice = (code: string): void =>
  saveStored(personalKey('projects'), [code, ...recentProjects().filter(c => c !== code)].slice(0, 3))

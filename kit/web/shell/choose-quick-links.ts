import type { ModuleScreen, ScreenMap } from './screen-map.ts'

/** A screen of the daily work, and the key of the right to do that work. */
export interface DailyScreen {
  readonly path: string
  readonly right: string
}

const shortcutLimit = 5
/** Fewer visits say nothing about somebody's work. */
const minVisits = 3

interface ScreenUsage {
  readonly favourites: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

/** Favourites first, then what is used most, then the daily work that the person may do. */
export function chooseQuickLinks(
  screens: ScreenMap,
  dailyScreens: readonly DailyScreen[],
  holdsRight: (key: string) => boolean,
  { favourites, counts }: ScreenUsage,
): readonly ModuleScreen[] {
  const find = (path: string): ModuleScreen | undefined => screens.find(path)
  const mostUsed = screens.all
    .filter(s => s.section && s.group && !s.redirectTo && (counts[s.path] ?? 0) >= minVisits)
    .toSorted((a, b) => (counts[b.path] ?? 0) - (counts[a.path] ?? 0))
  const daily = dailyScreens.filter(({ right }) => holdsRight(right)).flatMap(({ path }) => find(path) ?? [])
  const all = [...favourites.flatMap(path => find(path) ?? []), ...mostUsed, ...daily]
  return [...new Set(all.filter(screen => !screen.needs || holdsRight(screen.needs.key)))].slice(
    0,
    shortcutLimit,
  )
}

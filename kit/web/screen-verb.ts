import { go } from './go.ts'
import { screenAt } from './screens.ts'
import type { Batch } from './list/batch-bar.tsx'
import type { Verb } from './verb.tsx'

/**
 * A screen of another module offered as a verb: by its path alone, so that nothing of that module is
 * imported. Absent where the product has no such screen, and (like any verb) where the person may not open
 * it.
 */
export function screenVerb(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  label?: string,
): Verb | false {
  const screen = screenAt(path)
  if (!screen) return false
  const said = new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])),
  ).toString()
  return {
    label: label ?? screen.title,
    may: screen.needs,
    run: () => {
      go(said ? `${path}?${said}` : path)
    },
  }
}

type Ticked<T> = Parameters<Batch<T>['run']>[0]

/** The same for ticked rows: their keys travel in the address, so only so many at once. */
export function screenBatch<T>(
  path: string,
  query: (t: Ticked<T>) => Readonly<Record<string, string | undefined>>,
  about: {
    readonly label: string
    readonly most: number
    readonly why?: (rows: readonly T[]) => string | undefined
  },
): Batch<T> | false {
  const screen = screenAt(path)
  if (!screen) return false
  return {
    label: about.label,
    may: screen.needs,
    why: t => (t.count > about.most ? `一次最多 ${about.most} 条` : about.why?.(t.rows)),
    run: t => {
      const to = screenVerb(path, query(t))
      if (to) {
        to.run()
      }
    },
  }
}

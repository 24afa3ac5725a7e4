import { go } from './go.ts'
import { screenAt } from './screens.ts'
import type { Verb } from './verb.tsx'

/**
 * A screen of another module offered as a verb: by its path alone, so that nothing of that module is imported. Absent where the product has no
 * such screen, and (like any verb) where the person may not open it.
 */
export function screenVerb(path: string, query: Readonly<Record<string, string | number | undefined>> = {}, label?: string): Verb | false {
  const screen = screenAt(path)
  if (!screen) return false
  const said = new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]]))).toString()
  return { label: label ?? screen.title, may: screen.needs, run: () => { go(said ? `${path}?${said}` : path) } }
}

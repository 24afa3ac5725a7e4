import type { Nameplate, Screen } from '#kit/contract/module.ts'

const known = new Map<string, Screen>()

/**
 * Every screen of the running product by its path, told once at start by the app; the kit itself knows no
 * module.
 */
export function knowScreens(plates: readonly Pick<Nameplate, 'screens'>[]): void {
  for (const p of plates) {
    for (const s of p.screens) {
      known.set(s.path.toLowerCase(), s)
    }
  }
}

/** The screen at a path, whatever its case; `:id` in a declared path stands for one step. */
export function screenAt(path: string): Screen | undefined {
  const plain = path.toLowerCase().replace(/(?<=.)\/+$/, '')
  const exact = known.get(plain)
  if (exact) return exact
  const steps = plain.split('/')
  for (const [declared, s] of known) {
    if (!declared.includes(':')) continue
    const own = declared.split('/')
    if (own.length === steps.length && own.every((x, i) => x.startsWith(':') || x === steps[i])) return s
  }
  return undefined
}

export const screenTitle = (path: string): string | undefined => screenAt(path)?.title

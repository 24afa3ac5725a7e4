import type { ModuleManifest, Screen } from '#kit/contract/module.ts'

const registeredScreens = new Map<string, Screen>()

/**
 * Every screen of the running product by its path, told once at start by the app; the kit itself knows no
 * module.
 */
export function registerScreens(manifests: readonly Pick<ModuleManifest, 'screens'>[]): void {
  for (const p of manifests) {
    for (const s of p.screens) {
      registeredScreens.set(s.path.toLowerCase(), s)
    }
  }
}

/** The screen at a path, whatever its case; `:id` in a declared path stands for one step. */
export function findScreen(path: string): Screen | undefined {
  const plain = path.toLowerCase().replace(/(?<=.)\/+$/, '')
  const exact = registeredScreens.get(plain)
  if (exact) return exact
  const steps = plain.split('/')
  for (const [declared, s] of registeredScreens) {
    if (!declared.includes(':')) continue
    const own = declared.split('/')
    if (own.length === steps.length && own.every((x, i) => x.startsWith(':') || x === steps[i])) return s
  }
  return undefined
}

export const screenTitle = (path: string): string | undefined => findScreen(path)?.title

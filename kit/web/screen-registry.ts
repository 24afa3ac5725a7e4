import type { ModuleManifest, Screen } from '#kit/contract/module.ts'

const registeredScreens = new Map<string, Screen>()
/** The first screen in the menu of the module that a screen is of. */
const mainScreens = new Map<Screen, Screen>()

/**
 * Every screen of the running product by its path, registered once at start by the app; the kit itself knows
 * no module.
 */
export function registerScreens(manifests: readonly Pick<ModuleManifest, 'screens'>[]): void {
  for (const manifest of manifests) {
    const main = manifest.screens.find(screen => screen.group && !screen.redirectTo)
    for (const screen of manifest.screens) {
      registeredScreens.set(screen.path.toLowerCase(), screen)
      if (main) {
        mainScreens.set(screen, main)
      }
    }
  }
}

/** The screen at a path, in any case; `:id` in a declared path matches one segment. */
export function findScreen(path: string): Screen | undefined {
  const normalized = path.toLowerCase().replace(/(?<=.)\/+$/, '')
  const exact = registeredScreens.get(normalized)
  if (exact) return exact
  const steps = normalized.split('/')
  for (const [declared, screen] of registeredScreens) {
    if (!declared.includes(':')) continue
    const pattern = declared.split('/')
    if (
      pattern.length === steps.length &&
      pattern.every((step, i) => step.startsWith(':') || step === steps[i])
    )
      return screen
  }
  return undefined
}

/** Where the records are whose pages are at a path: the next screen above it, else the module's first. */
export function listPathOf(path: string): string | undefined {
  const steps = path.split('/')
  while (steps.length > 2) {
    steps.pop()
    const above = findScreen(steps.join('/'))
    if (above) return above.path
  }
  const screen = findScreen(path)
  return screen && mainScreens.get(screen)?.path
}

export const screenTitle = (path: string): string | undefined => findScreen(path)?.title

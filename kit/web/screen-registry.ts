import type { ModuleManifest, Screen } from '#kit/contract/module.ts'

const registeredScreens = new Map<string, Screen>()

/**
 * Every screen of the running product by its path, registered once at start by the app; the kit itself knows
 * no module.
 */
export function registerScreens(manifests: readonly Pick<ModuleManifest, 'screens'>[]): void {
  for (const manifest of manifests) {
    for (const screen of manifest.screens) {
      registeredScreens.set(screen.path.toLowerCase(), screen)
    }
  }
}

/** The screen at a path, in any case; `:id` in a declared path matches one segment. */
export function findScreen(path: string): Screen | undefined {
  const normalized = path.toLowerCase().replace(/(?<=.)\/+$/, '')
  const exact = registeredScreens.get(normalized)
  if (exact) return exact
  const steps = normalized.split('/')
  for (const [declared, s] of registeredScreens) {
    if (!declared.includes(':')) continue
    const pattern = declared.split('/')
    if (
      pattern.length === steps.length &&
      pattern.every((step, i) => step.startsWith(':') || step === steps[i])
    )
      return s
  }
  return undefined
}

export const screenTitle = (path: string): string | undefined => findScreen(path)?.title

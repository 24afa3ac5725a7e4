import type { Permission } from '#kit/contract/call.ts'
import type { ModuleManifest, Screen } from '#kit/contract/module.ts'

/**
 * What a browser needs of a module manifest to draw the menu and to resolve addresses; the other permissions
 * stay on the server.
 */
export type ScreenManifest = Pick<ModuleManifest, 'name' | 'screens'>
type PermissionPair = readonly [key: string, label: string]

export interface BrowserManifest {
  readonly name: string
  readonly screens: readonly (Omit<Screen, 'needs'> & { readonly needs?: PermissionPair })[]
}

export const toBrowserManifests = (manifests: readonly ScreenManifest[]): BrowserManifest[] =>
  manifests.map(manifest => ({
    name: manifest.name,
    screens: manifest.screens.map(({ needs, ...screen }) => ({
      ...screen,
      ...(needs && { needs: [needs.key, needs.label] as const }),
    })),
  }))

const toPermission = ([key, label]: PermissionPair): Permission => {
  const [module = '', menu = '', flag = ''] = key.split('.')
  return { key, module, menu: `${module}.${menu}`, flag, label }
}

export const fromBrowserManifests = (browserManifests: readonly BrowserManifest[]): ScreenManifest[] =>
  browserManifests.map(manifest => ({
    name: manifest.name,
    screens: manifest.screens.map(screen => ({
      ...screen,
      needs: screen.needs && toPermission(screen.needs),
    })),
  }))

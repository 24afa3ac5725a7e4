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
  readonly screens: readonly (Omit<Screen, 'needs' | 'workNeeds'> & {
    readonly needs?: PermissionPair
    readonly workNeeds?: PermissionPair
  })[]
}

const toPair = ({ key, label }: Permission): PermissionPair => [key, label]

export const toBrowserManifests = (manifests: readonly ScreenManifest[]): BrowserManifest[] =>
  manifests.map(manifest => ({
    name: manifest.name,
    screens: manifest.screens.map(({ needs, workNeeds, ...screen }) => ({
      ...screen,
      ...(needs && { needs: toPair(needs) }),
      ...(workNeeds && { workNeeds: toPair(workNeeds) }),
    })),
  }))

const toPermission = ([key, label]: PermissionPair): Permission => {
  const [module = '', menu = '', flag = ''] = key.split('.')
  return { key, module, menu: `${module}.${menu}`, flag, label }
}

export const fromBrowserManifests = (browserManifests: readonly BrowserManifest[]): ScreenManifest[] =>
  browserManifests.map(manifest => ({
    name: manifest.name,
    screens: manifest.screens.map(({ needs, workNeeds, ...screen }) => ({
      ...screen,
      needs: needs && toPermission(needs),
      ...(workNeeds && { workNeeds: toPermission(workNeeds) }),
    })),
  }))

import type { Permission } from '#kit/contract/call.ts'
import {
  menuSections,
  permissionFlags,
  type MenuSection,
  type ModuleManifest,
  type Screen,
} from '#kit/contract/module.ts'

/**
 * What a browser needs of a module manifest to draw the menu and to resolve addresses; the other permissions
 * stay on the server.
 */
export type ScreenManifest = Pick<ModuleManifest, 'name' | 'screens'>

/** Every page waits for it: the key less its module, the label less what its flag says. */
type PermissionPair = readonly [key: string, label: string]

/** `place`: section and group of the menu. `one`: it shows one project; most screens show all of them. */
type OtherFacts = Omit<
  Screen,
  'path' | 'title' | 'needs' | 'workNeeds' | 'section' | 'group' | 'allProjects'
> & {
  readonly workNeeds?: PermissionPair
  readonly place?: string
  readonly one?: 1
}

/** `path`: how many steps it shares with the screen before it, then the others. */
type BrowserScreen = readonly [path: string, title: string, needs: PermissionPair | 0, facts?: OtherFacts]

export interface BrowserManifest {
  readonly name: string
  readonly screens: readonly BrowserScreen[]
}

const flagLabels: Readonly<Record<string, string>> = permissionFlags
const flagSuffix = (flag: string): string | undefined => flagLabels[flag] && `·${flagLabels[flag]}`

function toPair(moduleName: string, { key, flag, label }: Permission): PermissionPair {
  const suffix = flagSuffix(flag)
  return [
    key.startsWith(`${moduleName}.`) ? key.slice(moduleName.length) : key,
    suffix && label.endsWith(suffix) ? label.slice(0, -suffix.length) : label,
  ]
}

function toBrowserScreen(moduleName: string, screen: Screen): BrowserScreen {
  const { path, title, needs, workNeeds, section, group, allProjects, ...others } = screen
  const place = section && (group === undefined ? section : `${section}/${group}`)
  const facts = {
    ...(place === undefined ? {} : { place }),
    ...others,
    ...(allProjects ? {} : { one: 1 as const }),
    ...(workNeeds && { workNeeds: toPair(moduleName, workNeeds) }),
  }
  const pair = needs ? toPair(moduleName, needs) : 0
  return Object.keys(facts).length ? [path, title, pair, facts] : [path, title, pair]
}

/** `/a/b/c` after `/a/b` is `2c`: the empty step before the first slash is not counted. */
function shortenPath(path: string, before: string): string {
  const steps = path.slice(1).split('/')
  const earlier = before.slice(1).split('/')
  const differing = steps.findIndex((step, i) => step !== earlier[i])
  const shared = Math.min(differing < 0 ? steps.length : differing, 9)
  return `${shared}${steps.slice(shared).join('/')}`
}

function restorePath(short: string, before: string): string {
  const shared = before.slice(1).split('/').slice(0, Number(short[0]))
  return `/${[...shared, ...(short.length > 1 ? [short.slice(1)] : [])].join('/')}`
}

export const toBrowserManifests = (manifests: readonly ScreenManifest[]): BrowserManifest[] =>
  manifests.map(({ name, screens }) => ({
    name,
    screens: screens.map((screen, i) => {
      const [path, ...others] = toBrowserScreen(name, screen)
      return [shortenPath(path, screens[i - 1]?.path ?? ''), ...others]
    }),
  }))

function toPermission(moduleName: string, [shortKey, shortLabel]: PermissionPair): Permission {
  const key = shortKey.startsWith('.') ? moduleName + shortKey : shortKey
  const [module = '', menu = '', flag = ''] = key.split('.')
  const label = shortLabel.includes('·') ? shortLabel : shortLabel + (flagSuffix(flag) ?? '')
  return { key, module, menu: `${module}.${menu}`, flag, label }
}

const isSection = (name: string | undefined): name is MenuSection =>
  name !== undefined && Object.hasOwn(menuSections, name)

function toScreen(moduleName: string, [path, title, pair, facts = {}]: BrowserScreen): Screen {
  const { workNeeds, place, one, ...others } = facts
  const [section, group] = place?.split('/') ?? []
  return {
    path,
    title,
    ...others,
    ...(isSection(section) && { section }),
    ...(group === undefined ? {} : { group }),
    ...(one ? {} : { allProjects: true }),
    needs: pair ? toPermission(moduleName, pair) : undefined,
    ...(workNeeds && { workNeeds: toPermission(moduleName, workNeeds) }),
  }
}

export const fromBrowserManifests = (browserManifests: readonly BrowserManifest[]): ScreenManifest[] =>
  browserManifests.map(({ name, screens }) => {
    let before = ''
    return {
      name,
      screens: screens.map(([short, ...others]) => {
        before = restorePath(short, before)
        return toScreen(name, [before, ...others])
      }),
    }
  })

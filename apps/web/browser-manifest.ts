import type { Permission } from '#kit/contract/call.ts'
import { menuSections, type MenuSection, type ModuleManifest, type Screen } from '#kit/contract/module.ts'
import type { ScreenKeywords } from '#kit/web/command-palette.ts'

/**
 * What a browser needs of a module manifest to draw the menu and to resolve addresses; the other permissions
 * stay on the server.
 */
export type ScreenManifest = Pick<ModuleManifest, 'name' | 'screens'>

/**
 * Every page waits for it: the key less its module. Its label is fetched when it is shown
 * (`permission-labels.ts`).
 */
type PermissionKey = string

/** `place`: section and group of the menu. `one`: it shows one project; most screens show all of them. */
type OtherFacts = Omit<
  Screen,
  'path' | 'title' | 'needs' | 'workNeeds' | 'section' | 'group' | 'allProjects' | 'keywords'
> & {
  readonly workNeeds?: PermissionKey
  readonly place?: string
  readonly one?: 1
}

/** `path`: how many steps it shares with the screen before it, then the others. */
type BrowserScreen = readonly [path: string, title: string, needs: PermissionKey | 0, facts?: OtherFacts]

export interface BrowserManifest {
  readonly name: string
  readonly screens: readonly BrowserScreen[]
}

const toShortKey = (moduleName: string, { key }: Permission): PermissionKey =>
  key.startsWith(`${moduleName}.`) ? key.slice(moduleName.length) : key

function toBrowserScreen(moduleName: string, screen: Screen): BrowserScreen {
  const { path, title, needs, workNeeds, section, group, allProjects, keywords: _, ...others } = screen
  const place = section && (group === undefined ? section : `${section}/${group}`)
  const facts = {
    ...(place === undefined ? {} : { place }),
    ...others,
    ...(allProjects ? {} : { one: 1 as const }),
    ...(workNeeds && { workNeeds: toShortKey(moduleName, workNeeds) }),
  }
  const key = needs ? toShortKey(moduleName, needs) : 0
  return Object.keys(facts).length ? [path, title, key, facts] : [path, title, key]
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

const isOfBackOffice = ({ publicPage }: Screen): boolean => !publicPage

/** Without the screens of residents, which have a page of their own. */
export const toBrowserManifests = (manifests: readonly ScreenManifest[]): BrowserManifest[] =>
  manifests.map(({ name, screens: all }) => {
    const screens = all.filter(isOfBackOffice)
    return {
      name,
      screens: screens.map((screen, i) => {
        const [path, ...others] = toBrowserScreen(name, screen)
        return [shortenPath(path, screens[i - 1]?.path ?? ''), ...others]
      }),
    }
  })

/** What the page of residents knows of its screens. */
export interface ResidentScreen {
  readonly path: string
  readonly title: string
}

export const residentScreensOf = (manifests: readonly ScreenManifest[]): ResidentScreen[] =>
  manifests.flatMap(({ screens }) =>
    screens.filter(screen => !isOfBackOffice(screen)).map(({ path, title }) => ({ path, title })),
  )

function toPermission(moduleName: string, shortKey: PermissionKey): Permission {
  const key = shortKey.startsWith('.') ? moduleName + shortKey : shortKey
  const [module = '', menu = '', flag = ''] = key.split('.')
  return { key, module, menu: `${module}.${menu}`, flag, label: '' }
}

/** What the permissions of the screens are called, by their keys. */
export const labelsOf = (manifests: readonly ScreenManifest[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    manifests.flatMap(({ screens }) =>
      screens.flatMap(({ needs }) => (needs ? [[needs.key, needs.label] as const] : [])),
    ),
  )

/** By which words else a screen is found, by its path: the search alone asks for them. */
export const keywordsOf = (manifests: readonly ScreenManifest[]): ScreenKeywords =>
  Object.fromEntries(
    manifests.flatMap(({ screens }) =>
      screens.flatMap(({ path, keywords }) => (keywords ? [[path, keywords] as const] : [])),
    ),
  )

const isSection = (name: string | undefined): name is MenuSection =>
  name !== undefined && Object.hasOwn(menuSections, name)

function toScreen(moduleName: string, [path, title, shortKey, facts = {}]: BrowserScreen): Screen {
  const { workNeeds, place, one, ...others } = facts
  const [section, group] = place?.split('/') ?? []
  return {
    path,
    title,
    ...others,
    ...(isSection(section) && { section }),
    ...(group === undefined ? {} : { group }),
    ...(one ? {} : { allProjects: true }),
    needs: shortKey ? toPermission(moduleName, shortKey) : undefined,
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

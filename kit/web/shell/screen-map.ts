import { keysOfRecord } from '#kit/domain/records.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Permission } from '#kit/contract/call.ts'
import { menuSections, type MenuSection, type ModuleManifest, type Screen } from '#kit/contract/module.ts'

/** A screen and the module that draws it. */
export interface ModuleScreen extends Screen {
  readonly module: string
}

/** Stands in the frame for an address that is no screen. */
export const unknownScreen: ModuleScreen = {
  path: '/404',
  title: '页面不存在',
  needs: undefined,
  module: 'home',
  allProjects: true,
}

export interface ScreenGroup {
  readonly title: string
  readonly screens: readonly ModuleScreen[]
}

type PermissionCheck = (p: Permission | undefined) => boolean

const pathKey = (path: string): string => path.toLowerCase().replace(/\/+$/, '') || '/'

export interface ScreenMap {
  readonly all: readonly ModuleScreen[]
  /**
   * The screen at an address; case and a slash at the end do not matter, `:id` in a declared path stands for
   * one step.
   */
  find(path: string): ModuleScreen | undefined
  /**
   * The section that a screen belongs to: its own, or that of the menu screen above it (the longest path
   * before it).
   */
  domainOf(s: ModuleScreen): MenuSection
  /** Sections with at least one permitted screen, in the order of the rail. */
  domains(hasPermission: PermissionCheck): MenuSection[]
  /** The groups of a section as the panel shows them, without screens that are not permitted. */
  groups(d: MenuSection, hasPermission: PermissionCheck): ScreenGroup[]
  /**
   * Where a group address leads: its own screen when permitted, else the first permitted one below it;
   * nothing when there is none.
   */
  resolve(s: ModuleScreen, hasPermission: PermissionCheck): ModuleScreen | undefined
}

/** The groups of a section: those that `groupOrder` names in its order, then the others as they come. */
export function buildScreenMap(
  manifests: readonly Pick<ModuleManifest, 'name' | 'screens'>[],
  groupOrder: readonly string[] = [],
): ScreenMap {
  const rank = (group: string): number => groupOrder.indexOf(group) + 1 || groupOrder.length + 1
  const all = manifests.flatMap(p => p.screens.map(s => ({ ...s, module: p.name })))
  const byPath = new Map(all.map(s => [pathKey(s.path), s]))
  const menu = all.filter(s => s.section && s.group && !s.redirectTo)
  const patterns = all
    .filter(s => s.path.includes('/:'))
    .map(s => ({ s, of: new RegExp(`^${pathKey(s.path).replace(/:[^/]+/g, '[^/]+')}$`) }))
  const screenAt = (path: string): ModuleScreen | undefined =>
    byPath.get(pathKey(path)) ?? patterns.find(p => p.of.test(pathKey(path)))?.s
  const permitted = (hasPermission: PermissionCheck): ModuleScreen[] =>
    menu.filter(s => hasPermission(s.needs))
  const menuScreenAbove = (screen: ModuleScreen): ModuleScreen | undefined => {
    for (let path = screen.path; path; path = path.slice(0, path.lastIndexOf('/'))) {
      const parent = screenAt(path)
      const shown = parent?.redirectTo ? screenAt(parent.redirectTo) : parent
      if (shown?.section) return shown
    }
    return menu.find(m => pathKey(m.path).startsWith(`${pathKey(screen.path)}/`))
  }
  return {
    all,
    find: screenAt,
    domainOf: s => menuScreenAbove(s)?.section ?? 'work',
    domains: hasPermission =>
      keysOfRecord(menuSections).filter(
        d => d === 'work' || menu.some(s => s.section === d && hasPermission(s.needs)),
      ),
    groups: (domain, hasPermission) => {
      const inSection = permitted(hasPermission).filter(s => s.section === domain)
      return [...new Set(inSection.map(s => defined(s.group)))]
        .toSorted((a, b) => rank(a) - rank(b))
        .map(title => ({ title, screens: inSection.filter(s => s.group === title) }))
    },
    resolve: (screen, hasPermission) => {
      let target: ModuleScreen | undefined = screen
      for (let steps = 0; target?.redirectTo && steps < 5; steps++) {
        target = screenAt(target.redirectTo)
      }
      if (target && !target.redirectTo && hasPermission(target.needs)) return target
      return permitted(hasPermission).find(m => pathKey(m.path).startsWith(`${pathKey(screen.path)}/`))
    },
  }
}

/**
 * One tab per screen or record: a menu screen has one tab whatever its filter; others are distinguished by
 * their record.
 */
export function tabKey(s: ModuleScreen, path: string, search: string): string {
  const id = s.group ? null : new URLSearchParams(search).get('id')
  return `${pathKey(s.path.includes('/:') ? path : s.path)}${id ? `?id=${id}` : ''}`
}

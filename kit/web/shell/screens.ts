import type { Permission } from '#kit/contract/call.ts'
import { domains, type Domain, type Nameplate, type Screen } from '#kit/contract/module.ts'

/** A screen and the module that draws it. */
export interface Placed extends Screen {
  readonly module: string
}

export interface Group {
  readonly title: string
  readonly screens: readonly Placed[]
}

type May = (p: Permission | undefined) => boolean

const keyOf = (path: string): string => path.toLowerCase().replace(/\/+$/, '') || '/'

export interface Screens {
  readonly all: readonly Placed[]
  /**
   * The screen at an address; case and a slash at the end do not matter, `:id` in a declared path stands for
   * one step.
   */
  at(path: string): Placed | undefined
  /**
   * The domain that a screen belongs to: its own, or that of the menu screen it was opened from (the longest
   * path in front of it).
   */
  domainOf(s: Placed): Domain
  /** Domains with at least one screen that may be opened, in the order of the rail. */
  domains(may: May): Domain[]
  /** The groups of a domain as the panel shows them, without what may not be opened. */
  groups(d: Domain, may: May): Group[]
  /**
   * Where a group address leads: its own screen when permitted, else the first permitted one below it;
   * nothing when there is none.
   */
  lead(s: Placed, may: May): Placed | undefined
}

export function mapScreens(plates: readonly Pick<Nameplate, 'name' | 'screens'>[]): Screens {
  const all = plates.flatMap(p => p.screens.map(s => ({ ...s, module: p.name })))
  const byPath = new Map(all.map(s => [keyOf(s.path), s]))
  const menu = all.filter(s => s.domain && s.group && !s.to && !s.bare)
  const patterns = all
    .filter(s => s.path.includes('/:'))
    .map(s => ({ s, of: new RegExp(`^${keyOf(s.path).replace(/:[^/]+/g, '[^/]+')}$`) }))
  const at = (path: string): Placed | undefined =>
    byPath.get(keyOf(path)) ?? patterns.find(p => p.of.test(keyOf(path)))?.s
  const shown = (may: May): Placed[] => menu.filter(s => may(s.needs))
  const home = (s: Placed): Placed | undefined => {
    for (let path = s.path; path; path = path.slice(0, path.lastIndexOf('/'))) {
      const up = at(path)
      if (up?.domain) return up
    }
    return menu.find(m => keyOf(m.path).startsWith(`${keyOf(s.path)}/`))
  }
  return {
    all,
    at,
    domainOf: s => home(s)?.domain ?? 'work',
    domains: may =>
      (Object.keys(domains) as Domain[]).filter(
        d => d === 'work' || menu.some(s => s.domain === d && may(s.needs)),
      ),
    groups: (d, may) => {
      const mine = shown(may).filter(s => s.domain === d)
      return [...new Set(mine.map(s => s.group!))].map(title => ({
        title,
        screens: mine.filter(s => s.group === title),
      }))
    },
    lead: (s, may) => {
      let to: Placed | undefined = s
      for (let steps = 0; to?.to && steps < 5; steps++) {
        to = at(to.to)
      }
      if (to && !to.to && may(to.needs)) return to
      return shown(may).find(m => keyOf(m.path).startsWith(`${keyOf(s.path)}/`))
    },
  }
}

/**
 * One per screen or record (screens.md §2): a menu screen is itself whatever its filter; another one is told
 * apart by the record it shows.
 */
export function tabKey(s: Placed, path: string, search: string): string {
  const id = s.group ? null : new URLSearchParams(search).get('id')
  return `${keyOf(s.path.includes('/:') ? path : s.path)}${id ? `?id=${id}` : ''}`
}

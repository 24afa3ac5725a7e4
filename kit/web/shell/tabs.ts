/** The open pages. Pure: the store beside it holds the state. */
export interface Tab {
  readonly key: string
  /** Path and query as they stand now: where F5, 复制链接 and a click lead. */
  readonly path: string
  readonly title: string
  readonly pinned?: boolean
  /** Changes that are not saved: what the page would say it loses. */
  readonly dirty?: boolean
  /** Goes up with every visit; the smallest is the oldest. */
  readonly seen: number
  /** The tab from which it was opened; closing goes back there. */
  readonly from?: string
}

export interface Tabs {
  readonly tabs: readonly Tab[]
  readonly active: string
}

export const tabLimit = 12

/** 工作台 stands first, pinned, and cannot be closed. */
export const homeKey = '/work'
const nextSeen = (t: readonly Tab[]): number => 1 + Math.max(0, ...t.map(x => x.seen))

/**
 * Opens a page or comes back to it. Past the limit the oldest clean one closes silently; with none clean
 * nothing is lost and the row grows.
 */
export function visitTab(s: Tabs, key: string, path: string, title: string): Tabs {
  const seen = nextSeen(s.tabs)
  const known = s.tabs.some(t => t.key === key)
  if (known) return { active: key, tabs: s.tabs.map(t => (t.key === key ? { ...t, path, seen } : t)) }
  const fresh: Tab = {
    key,
    path,
    title,
    seen,
    ...(s.active ? { from: s.active } : {}),
    ...(key === homeKey ? { pinned: true } : {}),
  }
  const at = s.tabs.findIndex(t => t.key === s.active)
  const rest = [...s.tabs]
  if (key === homeKey) {
    rest.unshift(fresh)
  } else {
    rest.splice(at < 0 ? rest.length : Math.max(at + 1, rest.filter(t => t.pinned).length), 0, fresh)
  }
  const spare =
    rest.length > tabLimit
      ? rest
          .filter(t => !t.pinned && !t.dirty && t.key !== key && t.key !== s.active)
          .sort((a, b) => a.seen - b.seen)[0]
      : undefined
  return { active: key, tabs: spare ? rest.filter(t => t !== spare) : rest }
}

/** Which page stands in front when these close: the one it was opened from, else the last visited. */
export function closeTabs(s: Tabs, keys: readonly string[]): Tabs {
  const going = s.tabs.find(t => t.key === s.active)
  const tabs = s.tabs.filter(t => !keys.includes(t.key) || t.key === homeKey)
  if (tabs.some(t => t.key === s.active)) return { ...s, tabs }
  const back = tabs.find(t => t.key === going?.from) ?? [...tabs].sort((a, b) => b.seen - a.seen)[0]
  return { tabs, active: back?.key ?? homeKey }
}

export const otherTabKeys = (s: Tabs, key: string): string[] =>
  s.tabs.filter(t => t.key !== key && !t.pinned).map(t => t.key)

export const tabKeysToRight = (s: Tabs, key: string): string[] =>
  s.tabs
    .slice(s.tabs.findIndex(t => t.key === key) + 1)
    .filter(t => !t.pinned)
    .map(t => t.key)

/** Pinned ones stand together at the left. */
export function pinTab(s: Tabs, key: string, pin: boolean): Tabs {
  const tabs = s.tabs.map(t => (t.key === key ? { ...t, pinned: pin } : t))
  return {
    ...s,
    tabs: [
      ...tabs.filter(t => t.key === homeKey),
      ...tabs.filter(t => t.pinned && t.key !== homeKey),
      ...tabs.filter(t => !t.pinned),
    ],
  }
}

export const changeTab = (
  s: Tabs,
  key: string,
  more: Partial<Pick<Tab, 'title' | 'dirty' | 'path'>>,
): Tabs => ({ ...s, tabs: s.tabs.map(t => (t.key === key ? { ...t, ...more } : t)) })

/** The page so many steps along the row, around its ends. */
export const tabAtOffset = (s: Tabs, step: number): Tab | undefined => {
  const i = s.tabs.findIndex(t => t.key === s.active)
  return s.tabs[(i + step + s.tabs.length) % s.tabs.length]
}

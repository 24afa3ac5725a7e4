/** The open pages, as pure functions: the store is in open-pages.ts. */
export interface Tab {
  readonly key: string
  /** Path and query as they are now: for F5, 复制链接 and a click. */
  readonly path: string
  readonly title: string
  readonly pinned?: boolean
  /** The page has unsaved changes. */
  readonly dirty?: boolean
  /** Grows with every visit; the smallest is the oldest. */
  readonly seen: number
  /** Closes when one goes on: an address that is no page. */
  readonly transient?: boolean
  /** The tab it was opened from; closing goes back there. */
  readonly from?: string
}

export interface Tabs {
  readonly tabs: readonly Tab[]
  readonly active: string
}

export const tabLimit = 12

/** 工作台 is first, pinned, and cannot be closed. */
export const homeKey = '/work'
const nextSeen = (tabs: readonly Tab[]): number => 1 + Math.max(0, ...tabs.map(tab => tab.seen))

/**
 * Opens a page or returns to it. Above the limit the oldest unchanged one closes silently; when all have
 * changes the row grows.
 */
export function visitTab(before: Tabs, key: string, path: string, title: string, isTransient = false): Tabs {
  const state = { ...before, tabs: before.tabs.filter(tab => !tab.transient || tab.key === key) }
  const visitNumber = nextSeen(state.tabs)
  const isOpen = state.tabs.some(tab => tab.key === key)
  if (isOpen)
    return {
      active: key,
      tabs: state.tabs.map(tab => (tab.key === key ? { ...tab, path, seen: visitNumber } : tab)),
    }
  const opened: Tab = {
    key,
    path,
    title,
    seen: visitNumber,
    ...(state.active ? { from: state.active } : {}),
    ...(key === homeKey ? { pinned: true } : {}),
    ...(isTransient ? { transient: true } : {}),
  }
  const activeIndex = state.tabs.findIndex(tab => tab.key === state.active)
  const others = [...state.tabs]
  if (key === homeKey) {
    others.unshift(opened)
  } else {
    others.splice(
      activeIndex < 0 ? others.length : Math.max(activeIndex + 1, others.filter(tab => tab.pinned).length),
      0,
      opened,
    )
  }
  const evicted =
    others.length > tabLimit
      ? others
          .filter(tab => !tab.pinned && !tab.dirty && tab.key !== key && tab.key !== state.active)
          .toSorted((a, b) => a.seen - b.seen)[0]
      : undefined
  return { active: key, tabs: evicted ? others.filter(tab => tab !== evicted) : others }
}

/** The tabs after closing some: active is the one the closed page was opened from, else the last visited. */
export function closeTabs(state: Tabs, keys: readonly string[]): Tabs {
  const closing = state.tabs.find(tab => tab.key === state.active)
  const tabs = state.tabs.filter(tab => !keys.includes(tab.key) || tab.key === homeKey)
  if (tabs.some(tab => tab.key === state.active)) return { ...state, tabs }
  const nextActive =
    tabs.find(tab => tab.key === closing?.from) ?? [...tabs].toSorted((a, b) => b.seen - a.seen)[0]
  return { tabs, active: nextActive?.key ?? homeKey }
}

/**
 * What is opened once pages have closed. A page that closes itself names its list: that is opened where the
 * page it came from is not.
 */
export function pathAfterClosing(before: Tabs, after: Tabs, listPath?: string): string | undefined {
  if (after.active === before.active) return undefined
  const closed = before.tabs.find(tab => tab.key === before.active)
  if (listPath && after.active !== closed?.from) return listPath
  return after.tabs.find(tab => tab.key === after.active)?.path ?? homeKey
}

export const otherTabKeys = (s: Tabs, key: string): string[] =>
  s.tabs.filter(tab => tab.key !== key && !tab.pinned).map(tab => tab.key)

export const tabKeysToRight = (s: Tabs, key: string): string[] =>
  s.tabs
    .slice(s.tabs.findIndex(tab => tab.key === key) + 1)
    .filter(tab => !tab.pinned)
    .map(tab => tab.key)

/** Pins or unpins a tab; pinned ones are at the left. */
export function pinTab(state: Tabs, key: string, pin: boolean): Tabs {
  const tabs = state.tabs.map(tab => (tab.key === key ? { ...tab, pinned: pin } : tab))
  return {
    ...state,
    tabs: [
      ...tabs.filter(tab => tab.key === homeKey),
      ...tabs.filter(tab => tab.pinned && tab.key !== homeKey),
      ...tabs.filter(tab => !tab.pinned),
    ],
  }
}

export const changeTab = (
  s: Tabs,
  key: string,
  patch: Partial<Pick<Tab, 'title' | 'dirty' | 'path'>>,
): Tabs => ({ ...s, tabs: s.tabs.map(tab => (tab.key === key ? { ...tab, ...patch } : tab)) })

/** The tab so many steps along the row, wrapping at its ends. */
export const tabAtOffset = (s: Tabs, step: number): Tab | undefined => {
  const i = s.tabs.findIndex(tab => tab.key === s.active)
  return s.tabs[(i + step + s.tabs.length) % s.tabs.length]
}

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { navigateTo } from '../navigation.ts'
import { personalKey } from '../session.ts'
import { changeTab, closeTabs, homeKey, pinTab, visitTab, type Tab, type Tabs } from './tabs.ts'

const store = createStore<Tabs>(() => ({ tabs: [], active: '' }))
let storageKey = ''

/** Pages of a window outlive F5, not the window; each person has his own. */
export function restorePages(): void {
  const of = personalKey('pages')
  if (storageKey === of) return
  storageKey = of
  let kept: readonly Tab[] = []
  try {
    kept = (JSON.parse(sessionStorage.getItem(of) ?? '[]') as Tab[]).map(({ dirty: _, ...t }) => t)
  } catch {
    /* begin anew */
  }
  const home: Tab = { key: homeKey, path: homeKey, title: '工作台', pinned: true, seen: 0 }
  store.setState({ tabs: kept.some(t => t.key === homeKey) ? kept : [home, ...kept], active: '' })
}

const saveTabs = (s: Tabs): void => {
  if (s === store.getState()) return
  store.setState(s)
  if (storageKey) {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(s.tabs))
    } catch {
      /* full: only F5 forgets */
    }
  }
}

/** The open pages of this window. */
export const openPages = {
  state: (): Tabs => store.getState(),
  visit: (key: string, path: string, title: string): void =>
    saveTabs(visitTab(store.getState(), key, path, title)),
  change: (key: string, more: Partial<Pick<Tab, 'title' | 'dirty' | 'path'>>): void => {
    const t = store.getState().tabs.find(x => x.key === key)
    if (t && Object.entries(more).some(([k, v]) => (t[k as keyof Tab] ?? false) !== v)) {
      saveTabs(changeTab(store.getState(), key, more))
    }
  },
  pin: (key: string, pin: boolean): void => saveTabs(pinTab(store.getState(), key, pin)),
  /** Closes pages without asking; the one that comes to the front is opened. */
  close: (keys: readonly string[]): void => {
    const was = store.getState().active
    const s = closeTabs(store.getState(), keys)
    saveTabs(s)
    if (s.active !== was) {
      navigateTo(s.tabs.find(t => t.key === s.active)?.path ?? homeKey, { replace: true })
    }
  },
}

export const usePages = <T>(pick: (s: Tabs) => T): T => useStore(store, pick)
export const unsavedTabs = (): readonly Tab[] => store.getState().tabs.filter(t => t.dirty)

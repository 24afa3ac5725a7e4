import { keysOfRecord } from '#kit/domain/records.ts'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { navigateTo } from '../navigation.ts'
import { personalKey } from '../session.ts'
import {
  changeTab,
  closeTabs,
  homeKey,
  pathAfterClosing,
  pinTab,
  visitTab,
  type Tab,
  type Tabs,
} from './tabs.ts'

const store = createStore<Tabs>(() => ({ tabs: [], active: '' }))
let storageKey = ''

/** Pages of a window survive F5, not the window; each user has separate ones. */
export function restorePages(): void {
  const ownKey = personalKey('pages')
  if (storageKey === ownKey) return
  storageKey = ownKey
  let savedTabs: readonly Tab[] = []
  try {
    const stored: readonly Tab[] = JSON.parse(sessionStorage.getItem(ownKey) ?? '[]')
    savedTabs = stored.map(({ dirty: _dirty, ...t }) => t)
  } catch {
    /* start with none */
  }
  const home: Tab = { key: homeKey, path: homeKey, title: '工作台', pinned: true, seen: 0 }
  store.setState({
    tabs: savedTabs.some(t => t.key === homeKey) ? savedTabs : [home, ...savedTabs],
    active: '',
  })
}

const saveTabs = (next: Tabs): void => {
  if (next === store.getState()) return
  store.setState(next)
  if (storageKey) {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(next.tabs))
    } catch {
      /* storage is full: only F5 forgets */
    }
  }
}

/** The open pages of this window. */
export const openPages = {
  state: (): Tabs => store.getState(),
  visit: (key: string, path: string, title: string, isTransient = false): void =>
    saveTabs(visitTab(store.getState(), key, path, title, isTransient)),
  change: (key: string, patch: Partial<Pick<Tab, 'title' | 'dirty' | 'path'>>): void => {
    const t = store.getState().tabs.find(x => x.key === key)
    if (t && keysOfRecord(patch).some(k => (t[k] ?? false) !== patch[k])) {
      saveTabs(changeTab(store.getState(), key, patch))
    }
  },
  pin: (key: string, pin: boolean): void => saveTabs(pinTab(store.getState(), key, pin)),
  /** Closes pages without asking; the next active one is opened. */
  close: (keys: readonly string[], listPath?: string): void => {
    const before = store.getState()
    const next = closeTabs(before, keys)
    saveTabs(next)
    const path = pathAfterClosing(before, next, listPath)
    if (path) {
      navigateTo(path, { replace: true })
    }
  },
}

export const usePages = <T>(pick: (next: Tabs) => T): T => useStore(store, pick)
export const unsavedTabs = (): readonly Tab[] => store.getState().tabs.filter(t => t.dirty)

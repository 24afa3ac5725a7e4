import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../session.ts'
import { openPages, restorePages, usePages } from './open-pages.ts'
import { countVisit, rememberVisit } from './recents.ts'
import { unknownScreen, type ModuleScreen } from './screen-map.ts'
import { homeKey } from './tabs.ts'

/** Puts the address among the open pages, names the window after it, and remembers the visit. */
export function useVisits(screen: ModuleScreen, key: string): void {
  const location = useLocation()
  const path = location.pathname + location.search + location.hash
  const userId = useSession(s => s.signed?.manager.id)
  useLayoutEffect(() => {
    restorePages()
    openPages.visit(key, path, screen.title, screen === unknownScreen)
  }, [key, path, screen, userId])
  const title = usePages(s => s.tabs.find(t => t.key === key)?.title) ?? screen.title
  useEffect(() => {
    document.title = title
  }, [title])
  const isKept = key !== homeKey && screen !== unknownScreen
  useEffect(() => {
    if (isKept) {
      countVisit(screen.path)
    }
  }, [isKept, screen.path])
  useEffect(() => {
    if (isKept) {
      rememberVisit({ path, title, key })
    }
  }, [key, title])
}

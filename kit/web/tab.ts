import { createContext, useContext, useEffect } from 'react'
import { listPathOf } from './screen-registry.ts'
import { openPages } from './shell/open-pages.ts'

/** The key of the open page that a component belongs to. */
export const TabContext = createContext('')

export interface CurrentTab {
  readonly key: string
  /** Closes the page without asking; back to where it was opened from, or to its list. */
  close(): void
  /** Another title than the screen's: the record's. */
  setTitle(title: string): void
}

export function useTab(): CurrentTab {
  const key = useContext(TabContext)
  return {
    key,
    close: () => openPages.close([key], listPathOf(key.replace(/\?.*/, ''))),
    setTitle: title => openPages.change(key, { title }),
  }
}

/** Names the tab after its record once that is known. */
export function useTabTitle(title: string | undefined): void {
  const key = useContext(TabContext)
  useEffect(() => {
    if (title) {
      openPages.change(key, { title })
    }
  }, [key, title])
}

/** Marks the page as unsaved: an amber dot, and a question before it closes. */
export function useUnsaved(dirty: boolean): void {
  const key = useContext(TabContext)
  useEffect(() => {
    openPages.change(key, { dirty })
    // A page that is only hidden keeps its mark; one whose form is unmounted loses it.
    return () => {
      if (dirty && openPages.state().active === key) {
        openPages.change(key, { dirty: false })
      }
    }
  }, [key, dirty])
}

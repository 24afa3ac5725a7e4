import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { MenuSection } from '#kit/contract/module.ts'
import { useStored } from '../browser-store.ts'
import { personalKey } from '../session.ts'
import { useHost } from './host.ts'
import type { ModuleScreen } from './screen-map.ts'

export type PanelSection = MenuSection | 'favourites'

interface SidePanel {
  /** Stands beside the page. */
  readonly fixed: MenuSection | undefined
  /** Covers the page. */
  readonly overlay: PanelSection | undefined
  toggle(): void
  close(): void
  /** The mouse is over an entry of the rail, or over none. */
  peek(section: PanelSection | undefined): void
  leave(): void
  openOverlay(section: PanelSection): void
}

const peekMs = 180
const leaveMs = 260
const minFixedWidth = 1360

const subscribeWidth = (listener: () => void): (() => void) => {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}

const useIsNarrowerThan = (width: number): boolean =>
  useSyncExternalStore(subscribeWidth, () => innerWidth < width)

/**
 * The panel of a menu section: beside the page where there is room and the page does not need all of it;
 * otherwise over it while the mouse is at the rail.
 */
export function useSidePanel(screen: ModuleScreen, key: string): SidePanel {
  const host = useHost()
  const narrow = useIsNarrowerThan(minFixedWidth)
  const [keptOpen, setKeptOpen] = useStored(personalKey('panel'), true)
  const [openByPage, setOpenByPage] = useState<Readonly<Record<string, boolean>>>({})
  const [overlay, setOverlay] = useState<PanelSection>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const section = host.screens.domainOf(screen)
  const isHome = section === 'work'
  const needsWidth = screen.collapsedPanel || isHome || section === 'files'
  const isFixed = !narrow && (openByPage[key] ?? (needsWidth ? false : keptOpen))
  const after = (ms: number, run: () => void): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, ms)
  }
  useEffect(() => {
    clearTimeout(timer.current)
    setOverlay(undefined)
  }, [key])
  return {
    fixed: isFixed && !isHome ? section : undefined,
    overlay,
    toggle: () => {
      if (narrow || isHome)
        return setOverlay(current => (current ? undefined : isHome ? 'favourites' : section))
      setOverlay(undefined)
      if (needsWidth) {
        setOpenByPage(pages => ({ ...pages, [key]: !isFixed }))
      } else {
        setKeptOpen(!isFixed)
      }
    },
    close: () => setOverlay(undefined),
    peek: next => {
      if (next === undefined) return
      after(peekMs, () => setOverlay(next === 'work' || (next === section && isFixed) ? undefined : next))
    },
    leave: () => after(leaveMs, () => setOverlay(undefined)),
    openOverlay: next => {
      clearTimeout(timer.current)
      setOverlay(next)
    },
  }
}

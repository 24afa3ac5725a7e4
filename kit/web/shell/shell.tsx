import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { setPaletteOpener } from '../command-palette.ts'
import { preloadDropdowns } from '../dropdown.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { useLiveConnection } from '../live.ts'
import { useOnline } from '../use-online.ts'
import { watchSession } from '../session-renewal.ts'
import { usePermission } from '../session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { setTaskCentreOpener } from '../task-centre.ts'
import type { DomainPanelProps } from './domain-panel.tsx'
import { useHost } from './host.ts'
import { useMessageUpdates } from './messages.ts'
import { openPages, usePages } from './open-pages.ts'
import { Pages } from './pages.tsx'
import { SectionBar } from './section-bar.tsx'
import { visitCounts } from './recents.ts'
import { tabKey, unknownScreen, type ModuleScreen } from './screen-map.ts'
import { ShellBands } from './shell-banners.tsx'
import { TabStrip, closePages } from './tab-strip.tsx'
import { homeKey, tabAtOffset } from './tabs.ts'
import { useTaskUpdates } from './tasks.ts'
import { TopBar } from './top-bar.tsx'
import { useSidePanel, type PanelSection } from './use-side-panel.ts'
import { useVisits } from './use-visits.ts'
import './shell.css'
import './phone.css'

const bufferedInput = { typed: '' }

// After Ctrl K a person types on at once: until the dialog's code has arrived, this input takes the keys.
const PaletteDialog = lazyComponent(
  () => import('../idle-parts.ts').then(m => m.CommandPaletteDialog),
  <input
    className="aloud"
    autoFocus
    aria-label="搜索"
    onChange={e => {
      bufferedInput.typed = e.target.value
    }}
  />,
)

// The place of the panel is at once; what is in it comes with the idle parts, or sooner when it is open.
const DomainPanel = lazyComponent<DomainPanelProps>(
  () => import('./domain-panel.tsx').then(m => m.DomainPanel),
  ({ isOverlay }) => <nav className={isOverlay ? 'panel over' : 'panel'} aria-busy />,
)

const TaskCentre = lazyComponent(() => import('./task-centre.tsx').then(m => m.default))
const ShortcutHelp = lazyComponent(() => import('./shortcut-help.tsx').then(m => m.default))
type Layer = 'palette' | 'tasks' | 'keys' | undefined

const preloadMs = 600

/** What runs as long as somebody is signed in: live connection, token renewal, preloading. */
function useShellServices(): void {
  const host = useHost()
  useLiveConnection()
  useEffect(() => watchSession(host.renew), [host])
  useEffect(() => {
    const timer = setTimeout(() => {
      void host.loadExtensions()
      DomainPanel.warm()
      PaletteDialog.warm()
      preloadDropdowns()
    }, preloadMs)
    return () => clearTimeout(timer)
  }, [host])
  useMessageUpdates()
}

/** Asks before the window closes over unsaved pages. */
function useUnloadQuestion(): void {
  const hasUnsaved = usePages(s => s.tabs.some(t => t.dirty))
  useEffect(() => {
    if (!hasUnsaved) return
    const askFirst = (e: BeforeUnloadEvent): void => e.preventDefault()
    addEventListener('beforeunload', askFirst)
    return () => removeEventListener('beforeunload', askFirst)
  }, [hasUnsaved])
}

function useShellShortcuts(
  currentTab: string,
  setLayer: (next: Layer | ((current: Layer) => Layer)) => void,
  togglePanel: () => void,
): void {
  const navigate = useNavigate()
  const group = '页面与导航'
  const step = (offset: number): void => {
    const tab = tabAtOffset(openPages.state(), offset)
    if (tab) {
      void navigate(tab.path)
    }
  }
  useShortcuts([
    {
      keys: 'Ctrl K',
      label: '搜索',
      group,
      whileTyping: true,
      run: () => setLayer(layer => (layer === 'palette' ? undefined : 'palette')),
    },
    { keys: '?', label: '快捷键', group, run: () => setLayer('keys') },
    { keys: '[', label: '展开或收起菜单', group, run: togglePanel },
    { keys: 'Alt ]', label: '下一个页面', group, whileTyping: true, run: () => step(1) },
    { keys: 'Alt [', label: '上一个页面', group, whileTyping: true, run: () => step(-1) },
    {
      keys: 'Alt W',
      label: '关闭当前页面',
      group,
      whileTyping: true,
      run: () => {
        if (currentTab !== homeKey) {
          void closePages([currentTab])
        }
      },
    },
  ])
}

/** A click on a section opens the screen of it that this person uses most. */
function mostUsedOf(screens: readonly ModuleScreen[]): ModuleScreen | undefined {
  const counts = visitCounts()
  return [...screens].toSorted((a, b) => (counts[b.path] ?? 0) - (counts[a.path] ?? 0))[0]
}

/** Everything around the pages: rail, panel, top bar, tabs, and the layers above them. */
export default function Shell() {
  const host = useHost()
  const location = useLocation()
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const online = useOnline()
  const screen = host.screens.find(location.pathname) ?? unknownScreen
  const currentTab = tabKey(screen, location.pathname, location.search)
  const [layer, setLayer] = useState<Layer>()
  const closeLayer = useCallback(() => setLayer(undefined), [])
  useShellServices()
  useTaskUpdates(layer === 'tasks')
  useEffect(() => {
    setTaskCentreOpener(() => setLayer('tasks'))
    setPaletteOpener(() => setLayer('palette'))
    return () => {
      setTaskCentreOpener(undefined)
      setPaletteOpener(undefined)
    }
  }, [])
  useVisits(screen, currentTab)
  useUnloadQuestion()
  const side = useSidePanel(screen, currentTab)
  useShellShortcuts(currentTab, setLayer, side.toggle)
  const openSection = (section: PanelSection): void => {
    if (section === 'favourites') return side.openOverlay(section)
    const screens = host.screens.groups(section, hasPermission).flatMap(g => g.screens)
    const target = section === 'work' ? host.screens.find(homeKey) : mostUsedOf(screens)
    if (target) {
      const openTab = openPages.state().tabs.find(t => t.key === target.path.toLowerCase())
      void navigate(openTab?.path ?? target.path)
    }
  }
  return (
    <div className="shell" data-panel={side.fixed ? 'fixed' : 'over'}>
      <a className="skip" href="#pages">
        跳到页面内容
      </a>
      <div className="side" onMouseLeave={side.leave}>
        <SectionBar
          shown={host.screens.domains(hasPermission)}
          active={side.overlay === 'favourites' ? 'favourites' : host.screens.domainOf(screen)}
          open={openSection}
          peek={side.peek}
        />
        {side.fixed && (
          <DomainPanel
            section={side.fixed}
            screen={screen}
            isOverlay={false}
            onCollapse={side.toggle}
            onNavigate={() => {}}
          />
        )}
        {side.overlay && (
          <DomainPanel
            section={side.overlay}
            screen={screen}
            isOverlay
            onCollapse={side.close}
            onNavigate={side.close}
          />
        )}
      </div>
      <TopBar
        screen={screen}
        openSearch={() => setLayer('palette')}
        openTasks={() => setLayer('tasks')}
        openShortcuts={() => setLayer('keys')}
      />
      <TabStrip />
      <ShellBands online={online} />
      <div id="pages" className="pages-frame" tabIndex={-1}>
        <Pages current={currentTab} />
      </div>
      {layer === 'palette' && <PaletteDialog close={closeLayer} buffer={bufferedInput} />}
      {layer === 'tasks' && <TaskCentre close={closeLayer} />}
      {layer === 'keys' && <ShortcutHelp close={closeLayer} />}
    </div>
  )
}

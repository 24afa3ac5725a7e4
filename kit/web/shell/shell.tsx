import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { MenuSection } from '#kit/contract/module.ts'
import { preloadDropdowns } from '../dropdown.tsx'
import { useStored } from '../browser-store.ts'
import { useShortcuts } from '../shortcuts.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { openLive } from '../live.ts'
import { watchSession } from '../session-renewal.ts'
import { personalKey, setReadOnly, usePermission, useSession } from '../session.ts'
import { setTaskCentreOpener } from '../task-centre.ts'
import { useOnline } from '../page-error.tsx'
import { countVisit, visitCounts, rememberVisit } from './recents.ts'
import { useHost } from './host.ts'
import { openPages, restorePages, usePages } from './open-pages.ts'
import { Pages } from './pages.tsx'
import { DomainPanel } from './domain-panel.tsx'
import { Rail } from './rail.tsx'
import type { ModuleScreen } from './screen-map.ts'
import { TabStrip, closePages } from './tab-strip.tsx'
import { tabAtOffset, homeKey } from './tabs.ts'
import { tabKey } from './screen-map.ts'
import { refreshMessages, useAnnouncements, useMessageUpdates } from './messages.ts'
import { useTaskUpdates } from './tasks.ts'
import { TopBar } from './top-bar.tsx'
import './shell.css'

const bufferedInput = { typed: '' }

// Whoever presses Ctrl K types on at once: until the box is there his keys are caught.
const PaletteDialog = lazyComponent(
  () => import('./command-palette-dialog.tsx').then(m => m.default),
  <input
    className="aloud"
    autoFocus
    aria-label="搜索"
    onChange={e => {
      bufferedInput.typed = e.target.value
    }}
  />,
)

const TaskCentre = lazyComponent(() => import('./task-centre.tsx').then(m => m.default))
const KeyMap = lazyComponent(() => import('./shortcut-help.tsx').then(m => m.default))
type Layer = 'palette' | 'tasks' | 'keys' | undefined
type PanelDomain = MenuSection | 'favourites'

const widths = (w: () => void): (() => void) => {
  addEventListener('resize', w)
  return () => removeEventListener('resize', w)
}

/** Below 1360 the panel lies over the page; below 1024 one can only look. */
const useNarrower = (than: number): boolean => useSyncExternalStore(widths, () => innerWidth < than)

/** Everything around the pages: rail, panel, top bar, the row of open pages, and the layers above them. */
export default function Shell() {
  const host = useHost()
  const at = useLocation()
  const go = useNavigate()
  const may = usePermission()
  const online = useOnline()
  const screen = host.screens.find(at.pathname)!
  const current = tabKey(screen, at.pathname, at.search)
  const [layer, setLayer] = useState<Layer>()
  const who = useSession(s => s.signed?.manager.id)
  const readOnly = useNarrower(1024)
  const close = useCallback(() => setLayer(undefined), [])
  useEffect(() => setReadOnly(readOnly), [readOnly])
  useEffect(openLive, [who])
  useEffect(() => watchSession(host.renew), [host])
  useEffect(() => {
    const soon = setTimeout(() => {
      void host.loadExtensions()
      PaletteDialog.warm()
      preloadDropdowns()
    }, 600)
    return () => clearTimeout(soon)
  }, [host])
  useTaskUpdates(layer === 'tasks')
  useMessageUpdates()
  useEffect(() => {
    setTaskCentreOpener(() => setLayer('tasks'))
    return () => setTaskCentreOpener(undefined)
  }, [])
  useVisits(screen, current)
  const unsaved = usePages(s => s.tabs.some(t => t.dirty))
  useEffect(() => {
    if (!unsaved) return
    const ask = (e: BeforeUnloadEvent): void => e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [unsaved])

  const side = useSide(screen, current)
  const group = '页面与导航'
  const step = (n: number): void => {
    const t = tabAtOffset(openPages.state(), n)
    if (t) {
      void go(t.path)
    }
  }
  useShortcuts([
    {
      keys: 'Ctrl K',
      label: '搜索',
      group,
      whileTyping: true,
      run: () => setLayer(l => (l === 'palette' ? undefined : 'palette')),
    },
    { keys: '?', label: '快捷键', group, run: () => setLayer('keys') },
    { keys: '[', label: '展开或收起菜单', group, run: side.toggle },
    { keys: 'Alt ]', label: '下一个页面', group, whileTyping: true, run: () => step(1) },
    { keys: 'Alt [', label: '上一个页面', group, whileTyping: true, run: () => step(-1) },
    {
      keys: 'Alt W',
      label: '关闭当前页面',
      group,
      whileTyping: true,
      run: () => {
        if (current !== homeKey) {
          void closePages([current])
        }
      },
    },
  ])
  const openSide = (d: PanelDomain): void => {
    if (d === 'favourites') return side.pinOver(d)
    const first =
      d === 'work' ? host.screens.find(homeKey) : usualOf(host.screens.groups(d, may).flatMap(g => g.screens))
    if (first) {
      void go(openPages.state().tabs.find(t => t.key === first.path.toLowerCase())?.path ?? first.path)
    }
  }
  return (
    <div className="shell" data-panel={side.fixed ? 'fixed' : 'over'}>
      <a className="skip" href="#pages">
        跳到页面内容
      </a>
      <div className="side" onMouseLeave={side.leave}>
        <Rail
          shown={host.screens.domains(may)}
          active={side.over === 'favourites' ? 'favourites' : host.screens.domainOf(screen)}
          open={openSide}
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
        {side.over && (
          <DomainPanel
            section={side.over}
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
      {!online && (
        <p className="band" data-tone="bad" role="alert">
          网络已断开，正在等待恢复。已输入的内容会保留，恢复后再提交。
        </p>
      )}
      {readOnly && (
        <p className="band" data-tone="todo" role="status">
          窗口太窄，现在只能查看。请把窗口拉宽到 1024 像素以上再编辑。
        </p>
      )}
      {online && !readOnly && <Announced />}
      <div id="pages" className="pages-frame" tabIndex={-1}>
        <Pages current={current} />
      </div>
      {layer === 'palette' && <PaletteDialog close={close} buffer={bufferedInput} />}
      {layer === 'tasks' && <TaskCentre close={close} />}
      {layer === 'keys' && <KeyMap close={close} />}
    </div>
  )
}

/** What the company tells everybody, one at a time, until each has read it. */
function Announced() {
  const { messages } = useHost()
  const [first] = useAnnouncements()
  const go = useNavigate()
  if (!first) return null
  const read = (): void => void messages.read({ ids: [first.message] }).then(refreshMessages, () => undefined)
  return (
    <p className="band" data-tone={first.tone} role="status">
      <b>{first.title}</b> <span className="ellipsis">{first.text}</span>
      <button
        type="button"
        className="linkish"
        onClick={() => {
          read()
          void go(messages.paths.one(first.message))
        }}
      >
        查看
      </button>
      <button type="button" className="linkish" onClick={read}>
        知道了
      </button>
    </p>
  )
}

/** A click on a domain opens what this person uses most of it. */
const usualOf = (all: readonly ModuleScreen[]): ModuleScreen | undefined => {
  const n = visitCounts()
  return [...all].sort((a, b) => (n[b.path] ?? 0) - (n[a.path] ?? 0))[0]
}

/** Puts the address among the open pages and remembers the visit. */
function useVisits(screen: ModuleScreen, key: string): void {
  const at = useLocation()
  const path = at.pathname + at.search + at.hash
  const who = useSession(s => s.signed?.manager.id)
  useLayoutEffect(() => {
    restorePages()
    openPages.visit(key, path, screen.title)
  }, [key, path, screen.title, who])
  const title = usePages(s => s.tabs.find(t => t.key === key)?.title) ?? screen.title
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (key !== homeKey) {
      countVisit(screen.path)
    }
  }, [key, screen.path])
  useEffect(() => {
    if (key !== homeKey) {
      rememberVisit({ path, title, key })
    }
  }, [key, title])
}

interface SideState {
  readonly fixed: MenuSection | undefined
  readonly over: PanelDomain | undefined
  toggle(): void
  close(): void
  peek(d: PanelDomain | undefined): void
  leave(): void
  pinOver(d: PanelDomain): void
}

const peekMs = 180
const leaveMs = 260

/**
 * The panel stands beside the page where there is room and the page does not want it all; otherwise it lies
 * over it while the mouse is at the rail.
 */
function useSide(screen: ModuleScreen, key: string): SideState {
  const host = useHost()
  const narrow = useNarrower(1360)
  const [kept, keepOpen] = useStored(personalKey('panel'), true)
  const [own, setOwn] = useState<Readonly<Record<string, boolean>>>({})
  const [over, setOver] = useState<PanelDomain>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const domain = host.screens.domainOf(screen)
  const roomy = screen.collapsedPanel || domain === 'work' || domain === 'files'
  const isFixed = !narrow && (own[key] ?? (roomy ? false : kept))
  const later = (ms: number, then: () => void): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(then, ms)
  }
  useEffect(() => {
    clearTimeout(timer.current)
    setOver(undefined)
  }, [key])
  return {
    fixed: isFixed && domain !== 'work' ? domain : undefined,
    over,
    toggle: () => {
      if (narrow || domain === 'work')
        return setOver(o => (o ? undefined : domain === 'work' ? 'favourites' : domain))
      setOver(undefined)
      if (roomy) {
        setOwn(o => ({ ...o, [key]: !isFixed }))
      } else {
        keepOpen(!isFixed)
      }
    },
    close: () => setOver(undefined),
    peek: d => {
      if (d === undefined) return
      later(peekMs, () => setOver(d === 'work' || (d === domain && isFixed) ? undefined : d))
    },
    leave: () => later(leaveMs, () => setOver(undefined)),
    pinOver: d => {
      clearTimeout(timer.current)
      setOver(d)
    },
  }
}

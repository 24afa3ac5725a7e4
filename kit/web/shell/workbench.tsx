import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { menuSections } from '#kit/contract/module.ts'
import { formatCount } from '../numbers.tsx'
import { Icon } from '../icons.tsx'
import { useStored } from '../browser-store.ts'
import { useShortcuts } from '../shortcuts.ts'
import { personalKey, usePermission, useSession } from '../session.ts'
import { RowSkeleton } from '../list/list-feedback.tsx'
import { StatusIcon, Status } from '../status.tsx'
import { InlineLoadFailure } from '../page-error.tsx'
import { todayWithWeekday, greeting } from '../date-format.ts'
import { useExtensions, workbench, type WaitingItem } from '../workbench.ts'
import { useQuickLinks } from './quick-links.ts'
import { useRecent } from './recents.ts'
import { useHost } from './host.ts'
import { useProjects } from './project-switch.tsx'
import { FirstRunPage, useFirstRun } from './first-run.tsx'
import { useArrangement, ArrangeBlocks } from './block-arrangement.tsx'
import { isUnfinished, useTasks } from './tasks.ts'
import { useWaiting } from './waiting.ts'
import './workbench.css'

/**
 * 工作台: a queue of what waits for this person, then the blocks of this person's role. Only blocks with real
 * figures.
 */
export default function Workbench() {
  useExtensions()
  const isLoaded = useExtensionsLoaded()
  const { state, close } = useFirstRun(isLoaded)
  const firstRun = workbench.firstRun()
  // Blocks are drawn once, all together: one that came later would push the others down.
  if (!isLoaded || state === 'unknown')
    return (
      <div className="bench" aria-busy="true">
        <RowSkeleton rows={8} />
      </div>
    )
  if (state === 'open' && firstRun) return <FirstRunPage firstRun={firstRun} onClose={close} />
  return <Blocks />
}

function Blocks() {
  const user = useSession(s => s.signed?.manager)
  const { current } = useProjects()
  const hasPermission = usePermission()
  const shortcuts = useQuickLinks()
  const navigate = useNavigate()
  useShortcuts(
    shortcuts.map((screen, i) => ({
      keys: `Alt ${i + 1}`,
      label: screen.title,
      whileTyping: true,
      run: () => void navigate(screen.path),
    })),
  )
  const { order, hidden, arrange } = useArrangement()
  const moduleBlocks = workbench
    .blocks()
    .filter(b => hasPermission(b.needs))
    .toSorted((a, b) => a.order - b.order)
    .map(b => ({ key: b.key, title: b.title, wide: b.wide === true, draw: <b.Draw /> }))
  const all = [
    { key: 'queue', title: '等我处理', wide: true, draw: <Queue /> },
    ...moduleBlocks,
    { key: 'tasks', title: '进行中的任务', wide: false, draw: <Running /> },
    { key: 'screens', title: '全部功能', wide: true, draw: <AllScreens /> },
    { key: 'recent', title: '最近打开', wide: false, draw: <Recent /> },
  ]
  const shown = order(all).filter(b => !hidden.has(b.key))
  return (
    <div className="bench">
      <header className="bench-head">
        <h1>
          {user?.realName}，{greeting()}
        </h1>
        <span>{[todayWithWeekday(), current?.name].filter(Boolean).join(' · ')}</span>
        <nav aria-label="快捷入口">
          {shortcuts.map((screen, i) => (
            <Link key={screen.path} to={screen.path} className={i === 0 ? 'shortcut first' : 'shortcut'}>
              {screen.title}
              <small>Alt {i + 1}</small>
            </Link>
          ))}
          <ArrangeBlocks all={all} hidden={hidden} arrange={arrange} />
        </nav>
      </header>
      <div className="bench-blocks">
        {shown.map(block => (
          <section
            key={block.key}
            className={['block', block.wide && 'wide', block.key !== 'screens' && 'fixed']
              .filter(Boolean)
              .join(' ')}
            aria-label={block.title}
          >
            {block.draw}
          </section>
        ))}
      </div>
    </div>
  )
}

/** Whether the modules' extensions have arrived; until then nothing is reported as absent. */
function useExtensionsLoaded(): boolean {
  const host = useHost()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    let isMounted = true
    host.loadExtensions().then(
      () => {
        if (isMounted) {
          setLoaded(true)
        }
      },
      () => {
        /* the shell tries again */
      },
    )
    return () => {
      isMounted = false
    }
  }, [host])
  return isLoaded
}

/** The number of rows that fit without scrolling; with more kinds of work, the last row is the button. */
const shownKinds = 6

function Queue() {
  const { items, isLoading, failedText, retry } = useWaiting()
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll || items.length <= shownKinds ? items : items.slice(0, shownKinds - 1)
  const total = items.reduce((n, item) => n + item.count, 0)
  return (
    <>
      <header>
        <h2>等我处理</h2>
        <small>{total ? `${formatCount(total)} 项，按紧急程度排列` : ''}</small>
      </header>
      {shown.map(item => (
        <WaitingRow key={item.key} item={item} />
      ))}
      {shown.length < items.length && (
        <button type="button" className="bench-more" onClick={() => setShowsAll(true)}>
          显示其余 {items.length - shown.length} 类待办
        </button>
      )}
      {!items.length && !isLoading && !failedText && <p className="block-none">暂无待办事项</p>}
      {failedText && <InlineLoadFailure text={failedText} onRetry={retry} />}
    </>
  )
}

const WaitingRow = ({ item }: { readonly item: WaitingItem }) => (
  <div className="waiting">
    <span className="waiting-what" style={{ color: `var(--${item.tone})` }}>
      <StatusIcon tone={item.tone} />
      {item.title}
    </span>
    <Link to={item.path} className="waiting-count figure">
      {formatCount(item.count)}
    </Link>
    <span className="waiting-oldest" data-tone={item.tone}>
      {item.oldestText}
    </span>
    <span className="waiting-detail ellipsis">{item.detail}</span>
    <Link to={item.path} className="action">
      {item.actionLabel}
    </Link>
  </div>
)

function Running() {
  const { all } = useTasks()
  const unfinished = all.filter(isUnfinished)
  return (
    <>
      <header>
        <h2>进行中的任务</h2>
        <small>{unfinished.length ? `${unfinished.length} 个` : ''}</small>
      </header>
      {unfinished.slice(0, 6).map(task => (
        <div className="bench-row" key={task.id}>
          <span className="ellipsis">{task.title}</span>
          <Status tone={task.tone} plain>
            {task.total ? `${Math.floor((task.done / task.total) * 100)}%` : task.label}
          </Status>
        </div>
      ))}
      {!unfinished.length && <p className="block-none">暂无正在运行的任务</p>}
    </>
  )
}

function Recent() {
  const recent = useRecent()
  return (
    <>
      <header>
        <h2>最近打开</h2>
      </header>
      {recent.slice(0, 6).map(page => (
        <Link className="bench-row" key={page.path} to={page.path}>
          <span className="ellipsis">{page.title}</span>
          <Icon name="right" size={14} />
        </Link>
      ))}
      {!recent.length && <p className="block-none">最近打开的页面显示在此处</p>}
    </>
  )
}

function AllScreens() {
  const host = useHost()
  const hasPermission = usePermission()
  const [open, setOpen] = useStored(personalKey('bench.all'), true)
  const shown = host.screens.domains(hasPermission).filter(d => d !== 'work')
  return (
    <>
      <header>
        <h2>全部功能</h2>
        <button type="button" className="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : '展开'}
        </button>
      </header>
      {open &&
        shown.map(domain => (
          <div className="bench-domain" key={domain}>
            <span>
              <Icon name={domain} size={16} />
              {menuSections[domain]}
            </span>
            <div>
              {host.screens
                .groups(domain, hasPermission)
                .flatMap(g => g.screens)
                .map(s => (
                  <Link key={s.path} to={s.path}>
                    {s.title}
                  </Link>
                ))}
            </div>
          </div>
        ))}
      {!shown.length && <p className="block-none">账号没有任何功能权限，请联系管理员开通。</p>}
    </>
  )
}

import { defined } from '#kit/domain/defined.ts'
import { useMemo, useState, type DragEvent, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { menuSections, type MenuSection } from '#kit/contract/module.ts'
import { formatCount } from '../numbers.tsx'
import { Icon } from '../icons.tsx'
import { usePermission, useSession } from '../session.ts'
import { visitCounts, useFavourites, type VisitedPage } from './recents.ts'
import { useHost } from './host.ts'
import type { ScreenGroup, ModuleScreen } from './screen-map.ts'
import { useMenuCount } from './waiting.ts'

export interface DomainPanelProps {
  readonly section: MenuSection | 'favourites'
  readonly screen: ModuleScreen | undefined
  readonly isOverlay: boolean
  readonly onCollapse: () => void
  readonly onNavigate: () => void
}

const mostUsedCount = 3

/**
 * The most used screens of a section come first as 常用 and are left out of their groups. Which these are is
 * decided once per sign-in: nothing moves under the mouse.
 */
function withMostUsed(
  shownGroups: readonly ScreenGroup[],
  counts: Readonly<Record<string, number>>,
): readonly ScreenGroup[] {
  const all = shownGroups.flatMap(g => g.screens)
  const mostUsed = all
    .filter(s => (counts[s.path] ?? 0) > 2)
    .toSorted((a, b) => defined(counts[b.path]) - defined(counts[a.path]))
    .slice(0, mostUsedCount)
  if (!mostUsed.length || all.length < 7) return shownGroups
  return [
    { title: '常用', screens: mostUsed },
    ...shownGroups
      .map(g => ({ ...g, screens: g.screens.filter(s => !mostUsed.includes(s)) }))
      .filter(g => g.screens.length),
  ]
}

/** The screens of one section, or the favourites. */
export function DomainPanel({
  section: shownSection,
  screen,
  isOverlay,
  onCollapse,
  onNavigate,
}: DomainPanelProps) {
  const host = useHost()
  const hasPermission = usePermission()
  const userId = useSession(s => s.signed?.manager.id)
  const counts = useMemo(visitCounts, [userId])
  const shownGroups =
    shownSection === 'favourites'
      ? []
      : withMostUsed(host.screens.groups(shownSection, hasPermission), counts)
  return (
    <nav
      className={isOverlay ? 'panel over' : 'panel'}
      aria-label={shownSection === 'favourites' ? '收藏' : menuSections[shownSection]}
    >
      <header>
        <h2>{shownSection === 'favourites' ? '收藏' : menuSections[shownSection]}</h2>
        <button type="button" className="plain" onClick={onCollapse} aria-label="收起菜单" title="收起菜单 [">
          {<Icon name="collapse" />}
        </button>
      </header>
      <div className="panel-body scroll" onClick={onNavigate}>
        {shownSection === 'favourites' ? (
          <Favourites screen={screen} />
        ) : (
          shownGroups.map(group => (
            <section key={group.title} aria-label={group.title}>
              <h3>{group.title}</h3>
              <ul>
                {group.screens.map(s => (
                  <li key={s.path}>
                    <Entry page={s} isCurrent={screen?.path === s.path} />
                  </li>
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </nav>
  )
}

function Entry({ page: visited, isCurrent }: { readonly page: VisitedPage; readonly isCurrent: boolean }) {
  const host = useHost()
  const favourites = useFavourites()
  const isFavourite = favourites.has(visited.path)
  const screen = host.screens.find(visited.path)
  return (
    <span className="entry" data-here={isCurrent || undefined}>
      <Link
        to={visited.path}
        aria-current={isCurrent ? 'page' : undefined}
        onMouseEnter={() => screen && host.preload(screen)}
        onFocus={() => screen && host.preload(screen)}
      >
        {visited.title}
      </Link>
      <WaitingCount path={visited.path} />
      <button
        type="button"
        className="entry-star"
        data-on={isFavourite || undefined}
        aria-pressed={isFavourite}
        aria-label={isFavourite ? `取消收藏${visited.title}` : `收藏${visited.title}`}
        onClick={e => {
          e.stopPropagation()
          favourites.toggle({ path: visited.path, title: visited.title })
        }}
      >
        <Icon name="star" size={14} filled={isFavourite} />
      </button>
    </span>
  )
}

/** Only where work waits: red when overdue or for my approval, grey for a plain count. */
function WaitingCount({ path }: { readonly path: string }) {
  const waiting = useMenuCount(path)
  return waiting ? (
    <span className={waiting.urgent ? 'entry-count urgent' : 'entry-count'}>
      {formatCount(waiting.count)}
    </span>
  ) : null
}

function Favourites({ screen }: { readonly screen: ModuleScreen | undefined }) {
  const { all, move } = useFavourites()
  const [dragged, setDragged] = useState<number>()
  if (!all.length) return <p className="panel-none">暂无收藏。在菜单里点星标即可收藏功能。</p>
  const drop =
    (to: number) =>
    (e: DragEvent): void => {
      e.preventDefault()
      if (dragged !== undefined && dragged !== to) {
        move(dragged, to)
      }
      setDragged(undefined)
    }
  const moveByKey =
    (i: number) =>
    (e: KeyboardEvent): void => {
      const to = e.altKey && e.key === 'ArrowUp' ? i - 1 : e.altKey && e.key === 'ArrowDown' ? i + 1 : -1
      if (to >= 0 && to < all.length) {
        e.preventDefault()
        move(i, to)
      }
    }
  return (
    <ul aria-label="收藏，按 Alt 加上下方向键排序">
      {all.map((page, i) => (
        <li
          key={page.path}
          draggable
          onDragStart={() => setDragged(i)}
          onDragOver={e => e.preventDefault()}
          onDrop={drop(i)}
          onKeyDown={moveByKey(i)}
          data-dragged={dragged === i || undefined}
        >
          <Entry page={page} isCurrent={screen?.path === page.path} />
        </li>
      ))}
    </ul>
  )
}

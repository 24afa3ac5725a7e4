import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type DragEvent, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { menuSections, type MenuSection } from '#kit/contract/module.ts'
import { formatCount } from '../numbers.tsx'
import { Icon } from '../icons.tsx'
import { usePermission, useSession } from '../session.ts'
import { useExtensions, workbench } from '../workbench.ts'
import { visitCounts, useFavourites, type VisitedPage } from './recents.ts'
import { useHost } from './host.ts'
import type { ScreenGroup, ModuleScreen } from './screen-map.ts'

interface Props {
  readonly of: MenuSection | 'favourites'
  readonly here: ModuleScreen | undefined
  readonly over: boolean
  readonly collapse: () => void
  readonly done: () => void
}

const usual = 3

/**
 * The most used screens of a domain come first as 常用 and are left out of their groups. What counts as most
 * used is settled once per sign-in: nothing moves under the hand.
 */
function withUsual(
  groups: readonly ScreenGroup[],
  used: Readonly<Record<string, number>>,
): readonly ScreenGroup[] {
  const all = groups.flatMap(g => g.screens)
  const often = all
    .filter(s => (used[s.path] ?? 0) > 2)
    .sort((a, b) => used[b.path]! - used[a.path]!)
    .slice(0, usual)
  if (!often.length || all.length < 7) return groups
  return [
    { title: '常用', screens: often },
    ...groups
      .map(g => ({ ...g, screens: g.screens.filter(s => !often.includes(s)) }))
      .filter(g => g.screens.length),
  ]
}

/** The screens of one domain, or the favourites. */
export function DomainPanel({ of, here, over, collapse, done }: Props) {
  const host = useHost()
  const may = usePermission()
  const who = useSession(s => s.signed?.manager.id)
  const used = useMemo(visitCounts, [who])
  const groups = of === 'favourites' ? [] : withUsual(host.screens.groups(of, may), used)
  return (
    <nav
      className={over ? 'panel over' : 'panel'}
      aria-label={of === 'favourites' ? '收藏' : menuSections[of]}
    >
      <header>
        <h2>{of === 'favourites' ? '收藏' : menuSections[of]}</h2>
        <button type="button" className="plain" onClick={collapse} aria-label="收起菜单" title="收起菜单 [">
          {<Icon name="collapse" />}
        </button>
      </header>
      <div className="panel-body scroll" onClick={done}>
        {of === 'favourites' ? (
          <Favourites here={here} />
        ) : (
          groups.map(g => (
            <section key={g.title} aria-label={g.title}>
              <h3>{g.title}</h3>
              <ul>
                {g.screens.map(s => (
                  <li key={s.path}>
                    <Entry place={s} here={here?.path === s.path} />
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

function Entry({ place, here }: { readonly place: VisitedPage; readonly here: boolean }) {
  const host = useHost()
  const favourites = useFavourites()
  const star = favourites.has(place.path)
  const screen = host.screens.find(place.path)
  return (
    <span className="entry" data-here={here || undefined}>
      <Link
        to={place.path}
        aria-current={here ? 'page' : undefined}
        onMouseEnter={() => screen && host.preload(screen)}
        onFocus={() => screen && host.preload(screen)}
      >
        {place.title}
      </Link>
      <WaitingCount path={place.path} />
      <button
        type="button"
        className="entry-star"
        data-on={star || undefined}
        aria-pressed={star}
        aria-label={star ? `取消收藏${place.title}` : `收藏${place.title}`}
        onClick={e => {
          e.stopPropagation()
          favourites.toggle({ path: place.path, title: place.title })
        }}
      >
        <Icon name="star" size={14} filled={star} />
      </button>
    </span>
  )
}

/** Only where work waits: red when overdue or for my approval, grey for a plain count. */
function WaitingCount({ path }: { readonly path: string }) {
  useExtensions()
  const counter = workbench.counts().find(c => c.path.toLowerCase() === path.toLowerCase())
  const may = usePermission()
  const project = useSession(s => s.project?.code)
  const { data } = useQuery({
    queryKey: ['waiting', path, project],
    queryFn: ({ signal }) => counter!.load(signal),
    meta: { entities: counter?.entities },
    enabled: !!counter && may(counter.needs),
    staleTime: 60_000,
    retry: false,
  })
  return data && data.n > 0 ? (
    <span className={data.urgent ? 'entry-count urgent' : 'entry-count'}>{formatCount(data.n)}</span>
  ) : null
}

function Favourites({ here }: { readonly here: ModuleScreen | undefined }) {
  const { all, move } = useFavourites()
  const [dragged, setDragged] = useState<number>()
  if (!all.length) return <p className="panel-none">还没有收藏。在菜单里点星标即可收藏功能。</p>
  const drop =
    (to: number) =>
    (e: DragEvent): void => {
      e.preventDefault()
      if (dragged !== undefined && dragged !== to) {
        move(dragged, to)
      }
      setDragged(undefined)
    }
  const nudge =
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
      {all.map((p, i) => (
        <li
          key={p.path}
          draggable
          onDragStart={() => setDragged(i)}
          onDragOver={e => e.preventDefault()}
          onDrop={drop(i)}
          onKeyDown={nudge(i)}
          data-dragged={dragged === i || undefined}
        >
          <Entry place={p} here={here?.path === p.path} />
        </li>
      ))}
    </ul>
  )
}

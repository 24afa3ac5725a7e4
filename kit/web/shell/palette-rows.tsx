import { defined } from '#kit/domain/defined.ts'
import { useMemo, type ReactNode } from 'react'
import { menuSections } from '#kit/contract/module.ts'
import { palette, type HitAction } from '../command-palette.ts'
import { Icon, type IconName } from '../icons.tsx'
import { MarkedText } from '../marked-text.tsx'
import type { PinyinMatcher } from '../pinyin.ts'
import { hasRight, usePermission, useSession } from '../session.ts'
import { useHost } from './host.ts'
import { useFavourites, useRecent, type VisitedPage } from './recents.ts'
import type { ModuleScreen } from './screen-map.ts'
import type { FoundHit } from './use-record-search.ts'

/** One line of the palette: a record, a screen, or a page opened before. */
export interface PaletteRow {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly title: string
  /** Positions in the title that answer to what was typed. */
  readonly marks?: readonly number[] | undefined
  readonly note?: string | undefined
  readonly noteMarks?: readonly number[] | undefined
  readonly trailing?: ReactNode
  readonly path: string
  readonly actions?: readonly HitAction[] | undefined
  /** Can be kept as a favourite. */
  readonly page?: VisitedPage
}

export function hitRow({ finder, hit, match }: FoundHit): PaletteRow {
  const group = defined(palette.groups().find(g => g.key === finder.group))
  return {
    key: `${group.key}.${hit.key}`,
    group: hit.isOtherProject ? `${group.label} · 其他项目` : group.label,
    icon: finder.icon ?? group.icon,
    title: hit.title,
    marks: match?.field.label === 'title' ? match.marks : undefined,
    note: hit.note,
    noteMarks: match?.field.label === 'note' ? match.marks : undefined,
    trailing: hit.trailing,
    path: hit.path,
    actions: hit.actions,
  }
}

const maxScreens = 8

interface ScreenMatch {
  readonly marks: readonly number[]
  readonly keyword?: string
  /** Begins the task that the keyword names. */
  readonly query?: string
}

/** A screen matches by its title, else by an alias of what is done there. */
export function matchScreen(
  screen: Pick<ModuleScreen, 'title' | 'keywords'>,
  text: string,
  match: PinyinMatcher,
  holdsRight: (key: string) => boolean,
): ScreenMatch | undefined {
  const marks = match(screen.title, text)
  if (marks) return { marks }
  for (const item of screen.keywords ?? []) {
    const task = typeof item === 'string' ? undefined : item
    const keyword = typeof item === 'string' ? item : item.text
    const isAllowed = !task?.right || holdsRight(task.right)
    const keywordMarks = isAllowed ? match(keyword, text) : undefined
    if (keywordMarks)
      return {
        marks: task?.label ? [] : keywordMarks,
        keyword: task?.label ?? keyword,
        ...(task && { query: task.query }),
      }
  }
  return undefined
}

const screenRow = (screen: ModuleScreen, { marks, keyword, query }: ScreenMatch): PaletteRow => ({
  key: `screen.${screen.path}`,
  group: '功能',
  icon: 'grid',
  title: keyword ?? screen.title,
  marks,
  note: keyword
    ? `${menuSections[defined(screen.section)]} / ${screen.title}`
    : `${menuSections[defined(screen.section)]} / ${screen.group}`,
  path: query ? `${screen.path}?${query}` : screen.path,
  page: { path: screen.path, title: screen.title },
})

/** Screens of the menu whose title matches the text, the earliest match first. */
export function useScreenRows(text: string, isEnabled: boolean, match: PinyinMatcher): readonly PaletteRow[] {
  const host = useHost()
  const hasPermission = usePermission()
  const rights = useSession(s => s.rights)
  return useMemo(() => {
    if (!isEnabled || !text) return []
    const menu = host.screens.all.filter(s => s.section && s.group && !s.redirectTo && hasPermission(s.needs))
    const hits = menu.flatMap(screen => {
      const named = { title: screen.title, keywords: palette.keywordsOf(screen.path) }
      const found = matchScreen(named, text, match, key => hasRight(key, rights))
      return found ? [{ screen, found }] : []
    })
    return hits
      .toSorted(
        (a, b) =>
          Number(a.found.keyword !== undefined) - Number(b.found.keyword !== undefined) ||
          defined(a.found.marks[0]) - defined(b.found.marks[0]) ||
          a.screen.title.length - b.screen.title.length,
      )
      .slice(0, maxScreens)
      .map(({ screen, found }) => screenRow(screen, found))
  }, [text, isEnabled, match, host, hasPermission, rights])
}

/** For an empty box: the pages opened last, and the favourites. */
export function useRecentRows(isEnabled: boolean): readonly PaletteRow[] {
  const recent = useRecent()
  const { all: favourites } = useFavourites()
  return useMemo(() => {
    if (!isEnabled) return []
    const rowsOf = (group: string, icon: IconName, pages: readonly VisitedPage[]): PaletteRow[] =>
      pages.map(page => ({
        key: `${group}.${page.path}`,
        group,
        icon,
        title: page.title,
        path: page.path,
        page,
      }))
    const others = favourites.filter(f => !recent.some(r => r.path === f.path))
    return [...rowsOf('最近打开', 'clock', recent), ...rowsOf('收藏', 'star', others)]
  }, [isEnabled, recent, favourites])
}

/** A star for the mouse; the menu has one that the keyboard reaches. */
function FavouriteStar({ page }: { readonly page: VisitedPage }) {
  const favourites = useFavourites()
  const isFavourite = favourites.has(page.path)
  return (
    <span
      aria-hidden="true"
      className="entry-star"
      data-on={isFavourite || undefined}
      title={isFavourite ? '取消收藏' : '收藏'}
      onClick={e => {
        e.stopPropagation()
        favourites.toggle(page)
      }}
    >
      <Icon name="star" size={15} filled={isFavourite} />
    </span>
  )
}

export function PaletteLine({
  row,
  id,
  chosen,
  onPoint,
  onOpen,
}: {
  readonly row: PaletteRow
  readonly id: string
  readonly chosen: boolean
  readonly onPoint: () => void
  readonly onOpen: (newTab: boolean) => void
}) {
  return (
    <div
      className="palette-row"
      role="option"
      id={id}
      aria-selected={chosen}
      onMouseMove={onPoint}
      onClick={e => onOpen(e.ctrlKey || e.metaKey)}
    >
      <Icon name={row.icon} size={18} />
      <span className="palette-title">
        <MarkedText text={row.title} marks={row.marks} />
      </span>
      {row.note && (
        <span className="palette-note ellipsis">
          <MarkedText text={row.note} marks={row.noteMarks} />
        </span>
      )}
      <span className="palette-aside">{row.trailing}</span>
      {row.page && <FavouriteStar page={row.page} />}
      {chosen && <kbd>↵</kbd>}
    </div>
  )
}

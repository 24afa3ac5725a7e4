import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { menuSections } from '#kit/contract/module.ts'
import { Icon, type IconName } from '../icons.tsx'
import { parsePaletteInput, paletteGroups, type HitAction } from '../command-palette.ts'
import { loadPinyinMatcher, matchPlain, type PinyinMatcher } from '../pinyin.ts'
import { usePermission } from '../session.ts'
import { useFavourites, useRecent, type VisitedPage } from './recents.ts'
import { useHost } from './host.ts'
import { useRecordSearch, type FoundHit } from './use-record-search.ts'
import type { ModuleScreen } from './screen-map.ts'
import './palette.css'

interface Row {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly title: string
  readonly marks?: readonly number[] | undefined
  readonly note?: string | undefined
  readonly aside?: React.ReactNode
  readonly path: string
  readonly verbs?: readonly HitAction[]
  readonly place?: VisitedPage
}

const icons: Readonly<Record<string, IconName>> = {
  room: 'building',
  person: 'user',
  car: 'car',
  paper: 'file',
}

/** One box for people, rooms, plates, papers and screens. */
export default function CommandPaletteDialog({
  close,
  buffer,
}: {
  readonly close: () => void
  /** What was typed before the box stood. */ readonly buffer: { typed: string }
}) {
  const [typed, setTyped] = useState(() => buffer.typed)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const go = useNavigate()
  const [match, setMatch] = useState<PinyinMatcher>(() => matchPlain)
  const may = usePermission()
  const { only, text } = parsePaletteInput(typed)
  useEffect(() => {
    buffer.typed = ''
    void loadPinyinMatcher().then(m => setMatch(() => m))
    const was = document.activeElement as HTMLElement | null
    return () => was?.focus?.()
  }, [])
  const screens = useScreenRows(text, only === undefined || only === 'screen', match)
  const { found, busy } = useRecordSearch(
    only === 'screen' ? '' : text,
    only === 'screen' ? undefined : only,
    may,
  )
  const early = useRecentRows(!typed.trim())
  const rows = useMemo(
    () => (typed.trim() ? [...found.map(asRow), ...screens] : early),
    [typed, found, screens, early],
  )
  const chosen = rows[Math.min(at, rows.length - 1)]
  const verbs = chosen?.verbs?.filter(v => may(v.needs)).slice(0, 4) ?? []
  const open = (path: string, beside: boolean): void => {
    if (beside) {
      window.open(path, '_blank', 'noopener')
    } else {
      close()
      void go(path)
    }
  }
  const key = (e: KeyboardEvent): void => {
    if (e.nativeEvent.isComposing) return
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    if (step && rows.length) {
      e.preventDefault()
      const to = (Math.min(at, rows.length - 1) + step + rows.length) % rows.length
      setAt(to)
      list.current?.querySelectorAll('[role=option]')[to]?.scrollIntoView({ block: 'nearest' })
    }
    if (e.key === 'Enter' && chosen) {
      e.preventDefault()
      open(chosen.path, e.ctrlKey || e.metaKey)
    }
    if (e.key === 'Escape') {
      e.preventDefault()
      e.stopPropagation()
      close()
    }
    if (e.key === 'Tab') {
      e.preventDefault()
    }
    const verb = e.altKey
      ? verbs.find(v => v.letter?.toLowerCase() === e.code.replace('Key', '').toLowerCase())
      : undefined
    if (verb) {
      e.preventDefault()
      open(verb.path, false)
    }
  }
  return createPortal(
    <div className="palette-mask" onMouseDown={close}>
      <div
        className="palette"
        role="dialog"
        aria-modal="true"
        aria-label="搜索"
        data-covering
        onMouseDown={e => e.stopPropagation()}
        onKeyDown={key}
      >
        <div className="palette-box">
          <Icon name="search" size={20} />
          <input
            autoFocus
            value={typed}
            onChange={e => {
              setTyped(e.target.value)
              setAt(0)
            }}
            placeholder="搜房号、姓名、车牌、单号或功能"
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={chosen ? `palette-${chosen.key}` : undefined}
            aria-label="搜索"
            autoComplete="off"
            spellCheck={false}
          />
          <span className="palette-hint">{/^[a-z]+$/i.test(text) ? '拼音首字母' : ''}</span>
          <kbd>Esc</kbd>
        </div>
        <div
          className="palette-list scroll"
          role="listbox"
          id="palette-list"
          aria-label="搜索结果"
          ref={list}
        >
          {rows.map((r, i) => (
            <div key={r.key}>
              {r.group !== rows[i - 1]?.group && <p className="palette-group">{r.group}</p>}
              <RowLine
                row={r}
                id={`palette-${r.key}`}
                chosen={r === chosen}
                point={() => setAt(i)}
                open={beside => open(r.path, beside)}
              />
              {r === chosen && verbs.length > 0 && (
                <div className="palette-verbs">
                  {verbs.map(v => (
                    <button type="button" tabIndex={-1} key={v.label} onClick={() => open(v.path, false)}>
                      {v.label}
                      {v.letter && <small>Alt {v.letter}</small>}
                    </button>
                  ))}
                </div>
              )}
            </div>
          ))}
          {!rows.length && (
            <p className="palette-none">
              {!typed.trim()
                ? '最近打开和收藏的页面会出现在这里'
                : busy
                  ? '正在查找…'
                  : `没有找到「${text}」，换个写法试试，比如拼音首字母或号码后四位`}
            </p>
          )}
        </div>
        <footer>
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> 选择
          </span>
          <span>
            <kbd>↵</kbd> 打开
          </span>
          <span>
            <kbd>Ctrl ↵</kbd> 在新标签打开
          </span>
          <span className="palette-prefixes">
            前缀：<b>房</b> 房间<b>车</b> 车牌<b>单</b> 单号<b>&gt;</b> 功能
          </span>
        </footer>
        <span className="aloud" role="status">
          {typed.trim() && !busy ? `${rows.length} 条结果` : ''}
        </span>
      </div>
    </div>,
    document.body,
  )
}

function RowLine({
  row,
  id,
  chosen,
  point,
  open,
}: {
  readonly row: Row
  readonly id: string
  readonly chosen: boolean
  readonly point: () => void
  readonly open: (beside: boolean) => void
}) {
  const favourites = useFavourites()
  const star = row.place && favourites.has(row.place.path)
  return (
    <div
      className="palette-row"
      role="option"
      id={id}
      aria-selected={chosen}
      onMouseMove={point}
      onClick={e => open(e.ctrlKey || e.metaKey)}
    >
      <Icon name={row.icon} size={18} />
      <span className="palette-title">
        {[...row.title].map((c, i) => (row.marks?.includes(i) ? <em key={i}>{c}</em> : c))}
      </span>
      {row.note && <span className="palette-note ellipsis">{row.note}</span>}
      <span className="palette-aside">{row.aside}</span>
      {
        /* For the mouse; the menu has a star that the keyboard reaches. */ row.place && (
          <span
            aria-hidden="true"
            className="entry-star"
            data-on={star || undefined}
            title={star ? '取消收藏' : '收藏'}
            onClick={e => {
              e.stopPropagation()
              favourites.toggle(row.place!)
            }}
          >
            <Icon name="star" size={15} filled={!!star} />
          </span>
        )
      }
      {chosen && <kbd>↵</kbd>}
    </div>
  )
}

const asRow = (f: FoundHit): Row => ({
  ...f.hit,
  key: `${f.finder.group}.${f.hit.key}`,
  group: f.hit.isOtherProject ? `${paletteGroups[f.finder.group]} · 其他项目` : paletteGroups[f.finder.group],
  icon: f.finder.icon ?? icons[f.finder.group]!,
})

const screenLimit = 8

function useScreenRows(text: string, wanted: boolean, match: PinyinMatcher): readonly Row[] {
  const host = useHost()
  const may = usePermission()
  return useMemo(() => {
    if (!wanted || !text) return []
    const menu = host.screens.all.filter(
      s => s.section && s.group && !s.redirectTo && !s.standalone && may(s.needs),
    )
    const hits = menu.flatMap(s => {
      const marks = match(s.title, text)
      return marks ? [{ s, marks }] : []
    })
    return hits
      .sort((a, b) => a.marks[0]! - b.marks[0]! || a.s.title.length - b.s.title.length)
      .slice(0, screenLimit)
      .map(({ s, marks }) => screenRow(s, marks))
  }, [text, wanted, match, host, may])
}

const screenRow = (s: ModuleScreen, marks?: readonly number[]): Row => ({
  key: `screen.${s.path}`,
  group: '功能',
  icon: 'grid',
  title: s.title,
  marks,
  note: `${menuSections[s.section!]} / ${s.group}`,
  path: s.path,
  place: { path: s.path, title: s.title },
})

/** An empty box shows the last eight opened and the favourites. */
function useRecentRows(wanted: boolean): readonly Row[] {
  const recent = useRecent()
  const { all } = useFavourites()
  return useMemo(() => {
    const rows = (group: string, icon: IconName, places: readonly VisitedPage[]): Row[] =>
      places.map(p => ({ key: `${group}.${p.path}`, group, icon, title: p.title, path: p.path, place: p }))
    return wanted
      ? [
          ...rows('最近打开', 'clock', recent),
          ...rows(
            '收藏',
            'star',
            all.filter(f => !recent.some(r => r.path === f.path)),
          ),
        ]
      : []
  }, [wanted, recent, all])
}

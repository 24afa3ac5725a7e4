import { usePinyinMatcher } from '../use-pinyin-matcher.ts'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { palette, parsePaletteInput, type HitAction } from '../command-palette.ts'
import { Icon } from '../icons.tsx'
import { matchPlain } from '../pinyin.ts'
import { formatKeyEvent } from '../shortcuts.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { usePermission } from '../session.ts'
import { useHost } from './host.ts'
import { PaletteLine, hitRow, useRecentRows, useScreenRows, type PaletteRow } from './palette-rows.tsx'
import { useRecordSearch } from './use-record-search.ts'
import './palette.css'

interface PaletteProps {
  readonly close: () => void
  /** What was typed before the dialog's code had arrived. */
  readonly buffer: { typed: string }
}

const maxActions = 4

/** What the palette lists for a text: records first, then screens; for an empty box the recent pages. */
function usePaletteRows(typed: string) {
  const hasPermission = usePermission()
  const match = usePinyinMatcher() ?? matchPlain
  const { text, screensOnly, group } = parsePaletteInput(typed)
  const isEmpty = !typed.trim()
  const screens = useScreenRows(text, group === undefined, match)
  const { found, busy } = useRecordSearch(screensOnly ? '' : text, group, hasPermission)
  const recent = useRecentRows(isEmpty)
  const rows = useMemo(
    () => (isEmpty ? recent : [...found.map(hitRow), ...screens]),
    [typed, found, screens, recent],
  )
  return { rows, busy, text, isEmpty }
}

/** What was typed before is taken over, and the searches fetch their parts. */
function useOpenedPalette(buffer: PaletteProps['buffer']): void {
  const hasPermission = usePermission()
  useEffect(() => {
    buffer.typed = ''
    for (const finder of palette.finders().filter(f => hasPermission(f.needs))) {
      // A search asks again, and tells what failed.
      finder.prepare?.().catch(() => undefined)
    }
  }, [])
}

/** One box for the records of every group and for screens. */
export default function CommandPaletteDialog({ close, buffer }: PaletteProps) {
  useFocusReturn()
  const [typed, setTyped] = useState(() => buffer.typed)
  const [index, setIndex] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const { searchHint } = useHost()
  const { rows, busy, text, isEmpty } = usePaletteRows(typed)
  useOpenedPalette(buffer)
  const chosenIndex = Math.min(index, rows.length - 1)
  const chosen = rows[chosenIndex]
  const actions = chosen?.actions?.filter(a => hasPermission(a.needs)).slice(0, maxActions) ?? []
  const open = (path: string, newTab: boolean): void => {
    if (newTab) {
      window.open(path, '_blank', 'noopener')
    } else {
      close()
      void navigate(path)
    }
  }
  const step = (offset: number): void => {
    const next = (chosenIndex + offset + rows.length) % rows.length
    setIndex(next)
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (e: KeyboardEvent): void => {
    if (e.nativeEvent.isComposing) return
    if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && rows.length) {
      e.preventDefault()
      step(e.key === 'ArrowDown' ? 1 : -1)
    }
    if (e.key === 'Enter' && chosen) {
      e.preventDefault()
      open(chosen.path, e.ctrlKey || e.metaKey)
    }
    if (e.key === 'Escape' || formatKeyEvent(e.nativeEvent) === 'Ctrl K') {
      e.preventDefault()
      e.stopPropagation()
      close()
    }
    if (e.key === 'Tab') {
      e.preventDefault()
    }
    const letter = e.code.replace('Key', '').toLowerCase()
    const action = e.altKey ? actions.find(a => a.letter?.toLowerCase() === letter) : undefined
    if (action) {
      e.preventDefault()
      open(action.path, false)
    }
  }
  return createPortal(
    <div className="palette-mask" data-covering onMouseDown={close}>
      <div
        className="palette"
        role="dialog"
        aria-modal="true"
        aria-label="搜索"
        onMouseDown={e => e.stopPropagation()}
        onKeyDown={onKey}
      >
        <div className="palette-box">
          <Icon name="search" size={20} />
          <input
            autoFocus
            value={typed}
            onChange={e => {
              setTyped(e.target.value)
              setIndex(0)
            }}
            placeholder={searchHint}
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
          id="palette-list"
          {...(rows.length > 0 && { role: 'listbox', 'aria-label': '搜索结果' })}
          ref={list}
        >
          {rows.map((row, i) => (
            <div key={row.key}>
              {row.group !== rows[i - 1]?.group && (
                <p className="palette-group" role="presentation">
                  {row.group}
                </p>
              )}
              <PaletteLine
                row={row}
                id={`palette-${row.key}`}
                chosen={row === chosen}
                onPoint={() => setIndex(i)}
                onOpen={newTab => open(row.path, newTab)}
              />
              {row === chosen && <ActionButtons actions={actions} onRun={a => open(a.path, false)} />}
            </div>
          ))}
          {!rows.length && <p className="palette-none">{emptyText(isEmpty, busy, text)}</p>}
        </div>
        <PaletteHelp />
        <span className="aloud" role="status">
          {!isEmpty && !busy ? `${rows.length} 条结果` : ''}
          {actions.map(a => (a.letter ? `，Alt ${a.letter} ${a.label}` : '')).join('')}
        </span>
      </div>
    </div>,
    document.body,
  )
}

function emptyText(isEmpty: boolean, busy: boolean, text: string): string {
  if (isEmpty) return '最近打开和收藏的页面显示在此处'
  return busy ? '正在查找…' : `未找到「${text}」，可输入拼音首字母或号码后四位`
}

/**
 * The actions of the chosen record, for the mouse: a list of options has nothing else in it for a reader, to
 * whom the status line tells the letters.
 */
function ActionButtons({
  actions,
  onRun,
}: {
  readonly actions: NonNullable<PaletteRow['actions']>
  readonly onRun: (action: HitAction) => void
}) {
  if (!actions.length) return null
  return (
    <div className="palette-actions" aria-hidden="true">
      {actions.map(action => (
        <button type="button" tabIndex={-1} key={action.label} onClick={() => onRun(action)}>
          {action.label}
          {action.letter && <small>Alt {action.letter}</small>}
        </button>
      ))}
    </div>
  )
}

const PaletteHelp = () => (
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
      前缀：
      {palette.groups().map(
        ({ key, prefix }) =>
          prefix && (
            <span key={key}>
              <b>{prefix.character}</b> {prefix.name}
            </span>
          ),
      )}
      <b>&gt;</b> 功能
    </span>
  </footer>
)

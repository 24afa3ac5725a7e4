import type { KeyboardEvent, RefObject } from 'react'
import type { Action } from '../action.tsx'
import { formatKeyEvent, useShortcuts, type Shortcut } from '../shortcuts.ts'
import type { TableSelection } from '../table/data-table.tsx'

interface ListKeyOptions {
  readonly rows: number
  readonly cursor: number | undefined
  readonly selection: TableSelection | undefined
  readonly hasDrawer: boolean
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly moveTo: (index: number) => void
  readonly open: (index: number, target: { readonly tab: boolean }) => void
  readonly setCursor: (index: number | undefined) => void
  readonly focusKeyword: () => void
  readonly add: Action | undefined
  readonly stepPage: (step: 1 | -1) => void
  readonly escape: () => void
}

const group = '列表'

/** A key that the table itself handles: listed in the shortcut help, not registered. */
const displayed = (keys: string, label: string): Shortcut => ({
  keys,
  label,
  group,
  run: () => {},
  displayOnly: true,
})

const allIndexes = (rows: number): number[] => Array.from({ length: rows }, (_, i) => i)

/** Keys of the whole list screen; moving the cursor also moves the focus to the table. */
function useScreenKeys(options: ListKeyOptions): void {
  const cursor = options.cursor ?? -1
  const step = (n: number) => (): void => {
    options.scroller.current?.focus({ preventScroll: true })
    options.moveTo(cursor < 0 ? 0 : cursor + n)
  }
  const { selection, add } = options
  const shortcuts: (Shortcut | false | undefined)[] = [
    { keys: '/', label: '到搜索框', run: options.focusKeyword, group },
    { keys: 'J', label: '下一行', run: step(1), group },
    { keys: 'K', label: '上一行', run: step(-1), group },
    { keys: 'ArrowDown', label: '下一行', run: step(1), group },
    { keys: 'ArrowUp', label: '上一行', run: step(-1), group },
    { keys: 'PageDown', label: '下一页', run: () => options.stepPage(1), group },
    { keys: 'PageUp', label: '上一页', run: () => options.stepPage(-1), group },
    selection && {
      keys: 'Ctrl A',
      label: '勾选本页',
      run: () => selection.setSelected(allIndexes(options.rows), true),
      group,
    },
    add && { keys: 'N', label: add.label, run: () => void add.run(), group },
    options.hasDrawer && displayed('Enter', '打开详情'),
    selection && displayed('Space', '勾选'),
    selection && displayed('Shift ArrowDown', '向下多选'),
    selection && displayed('Shift ArrowUp', '向上多选'),
    { keys: 'Escape', label: '关闭详情，再按取消勾选', run: options.escape, group },
  ]
  useShortcuts(shortcuts.filter((s): s is Shortcut => Boolean(s)))
}

/**
 * The keys of a list. Enter, Space and ranges act only while the table has the focus, so
 * that a focused button keeps its own Enter: the answer is the table's key handler.
 */
export function useListKeys(options: ListKeyOptions): (e: KeyboardEvent<HTMLElement>) => void {
  useScreenKeys(options)
  const { selection, scroller } = options
  const cursor = options.cursor ?? -1
  const isOnRow = cursor >= 0 && cursor < options.rows
  const extend = (offset: number) => (): void => {
    const next = cursor + offset
    if (!selection || !isOnRow || next < 0 || next >= options.rows) return
    selection.setSelected([cursor, next], true)
    options.setCursor(next)
  }
  const isSelected = (): boolean =>
    scroller.current?.querySelector(`tr[data-i="${cursor}"]`)?.getAttribute('aria-selected') === 'true'
  const toggle = (): void => {
    if (selection && !selection.disabledReason?.(cursor)) {
      selection.setSelected([cursor], !isSelected())
    }
  }
  const tableKeys: Readonly<Record<string, (() => void) | false | undefined>> = {
    Enter: options.hasDrawer && isOnRow && (() => options.open(cursor, { tab: false })),
    'Alt Enter': options.hasDrawer && isOnRow && (() => options.open(cursor, { tab: true })),
    Space: selection !== undefined && isOnRow && toggle,
    'Shift ArrowDown': extend(1),
    'Shift ArrowUp': extend(-1),
  }
  return e => {
    const action = tableKeys[formatKeyEvent(e.nativeEvent)]
    if (action) {
      e.preventDefault()
      action()
    }
  }
}

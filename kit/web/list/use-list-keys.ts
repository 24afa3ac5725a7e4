import type { KeyboardEvent, RefObject } from 'react'
import { formatKeyEvent, useShortcuts, type Shortcut } from '../shortcuts.ts'
import type { TableSelection } from '../table/data-table.tsx'
import type { Action } from '../action.tsx'

interface ListKeyOptions {
  readonly rows: number
  readonly cursor: number | undefined
  readonly ticks: TableSelection | undefined
  readonly drawer: boolean
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly walk: (to: number) => void
  readonly open: (i: number, how: { readonly tab: boolean }) => void
  readonly setCursor: (i: number | undefined) => void
  readonly focusKeyword: () => void
  readonly add: Action | undefined
  readonly turn: (n: 1 | -1) => void
  readonly escape: () => void
}

/**
 * screens.md §10. Walking takes the keyboard to the sheet; there Enter, Space and ranges act, so that a
 * button that has the focus keeps its own Enter. Answers what the sheet hears.
 */
export function useListKeys(k: ListKeyOptions): (e: KeyboardEvent<HTMLElement>) => void {
  const at = k.cursor ?? -1
  const on = at >= 0 && at < k.rows
  const step = (n: number) => (): void => {
    k.scroller.current?.focus({ preventScroll: true })
    k.walk(at < 0 ? 0 : at + n)
  }
  const range = (n: number) => (): void => {
    const to = at + n
    if (!k.ticks || !on || to < 0 || to >= k.rows) return
    k.ticks.setSelected([at, to], true)
    k.setCursor(to)
  }
  const ticked = (): boolean =>
    k.scroller.current?.querySelector(`tr[data-i="${at}"]`)?.getAttribute('aria-selected') === 'true'
  const group = '列表'
  const told = (keys: string, label: string): Shortcut => ({
    keys,
    label,
    group,
    run: () => {},
    displayOnly: true,
  })
  const global: (Shortcut | false | undefined)[] = [
    { keys: '/', label: '到搜索框', run: k.focusKeyword, group },
    { keys: 'J', label: '下一行', run: step(1), group },
    { keys: 'K', label: '上一行', run: step(-1), group },
    { keys: 'ArrowDown', label: '下一行', run: step(1), group },
    { keys: 'ArrowUp', label: '上一行', run: step(-1), group },
    { keys: 'PageDown', label: '下一页', run: () => k.turn(1), group },
    { keys: 'PageUp', label: '上一页', run: () => k.turn(-1), group },
    k.ticks && {
      keys: 'Ctrl A',
      label: '勾选本页',
      run: () =>
        k.ticks!.setSelected(
          Array.from({ length: k.rows }, (_, i) => i),
          true,
        ),
      group,
    },
    k.add && { keys: 'N', label: k.add.label, run: () => void k.add!.run(), group },
    k.drawer && told('Enter', '打开详情'),
    k.ticks && told('Space', '勾选'),
    k.ticks && told('Shift ArrowDown', '向下多选'),
    k.ticks && told('Shift ArrowUp', '向上多选'),
    { keys: 'Escape', label: '关闭详情，再按取消勾选', run: k.escape, group },
  ]
  useShortcuts(global.filter((x): x is Shortcut => !!x))
  const sheet: Readonly<Record<string, (() => void) | false | undefined>> = {
    Enter: k.drawer && on && (() => k.open(at, { tab: false })),
    'Alt Enter': k.drawer && on && (() => k.open(at, { tab: true })),
    Space:
      k.ticks &&
      on &&
      (() => {
        if (!k.ticks!.disabledReason?.(at)) {
          k.ticks!.setSelected([at], !ticked())
        }
      }),
    'Shift ArrowDown': range(1),
    'Shift ArrowUp': range(-1),
  }
  return e => {
    const act = sheet[formatKeyEvent(e.nativeEvent)]
    if (act) {
      e.preventDefault()
      act()
    }
  }
}

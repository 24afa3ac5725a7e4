import { useState, type KeyboardEvent } from 'react'
import { formatKeyEvent, useShortcuts, type Shortcut } from '#kit/web/shortcuts.ts'
import { nodeKey, type FileNode } from './node.ts'
import type { NodeSelection } from './use-node-selection.ts'

interface FileKeyOptions {
  readonly rows: readonly FileNode[]
  readonly selection: NodeSelection
  /** How far up and down lead: the cards of a line. */
  readonly columns: () => number
  readonly open: (index: number) => void
  readonly rename: () => void
  readonly remove: (() => void) | undefined
  readonly up: () => void
  readonly focusSearch: () => void
  readonly escape: () => void
  readonly scope: string
}

const group = '文件'
const displayed = (keys: string, label: string): Shortcut => ({
  keys,
  label,
  group,
  run: () => {},
  displayOnly: true,
})

/** The keyboard cursor over cards or rows, and what the keys do there. It stays with its folder or file. */
export function useFileKeys(options: FileKeyOptions) {
  const { rows, selection, scope } = options
  const [stored, setStored] = useState<{ readonly scope: string; readonly key: string }>()
  const index = stored?.scope === scope ? rows.findIndex(row => nodeKey(row) === stored.key) : -1
  const cursor = index < 0 ? undefined : index
  const setCursorKey = (key: string): void => setStored({ scope, key })
  const setCursor = (at: number): void => {
    const row = rows[at]
    if (row) {
      setCursorKey(nodeKey(row))
    }
  }
  const moveCursor =
    (by: number, { extend = false } = {}) =>
    (): void => {
      const next = cursor === undefined ? 0 : cursor + by
      if (next < 0 || next >= rows.length) return
      setCursor(next)
      if (extend) {
        selection.extendTo(next)
      } else {
        selection.only(next)
      }
    }
  const vertical = options.columns()
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowRight: moveCursor(1),
    ArrowLeft: moveCursor(-1),
    ArrowDown: moveCursor(vertical),
    ArrowUp: moveCursor(-vertical),
    'Shift ArrowRight': moveCursor(1, { extend: true }),
    'Shift ArrowLeft': moveCursor(-1, { extend: true }),
    'Shift ArrowDown': moveCursor(vertical, { extend: true }),
    'Shift ArrowUp': moveCursor(-vertical, { extend: true }),
    Enter: cursor === undefined ? undefined : () => options.open(cursor),
    Space: cursor === undefined ? undefined : () => selection.toggle(cursor),
    Backspace: options.up,
  }
  useShortcuts([
    { keys: '/', label: '到搜索框', run: options.focusSearch, group },
    { keys: 'Ctrl A', label: '全选本页', run: selection.all, group },
    { keys: 'F2', label: '重命名', run: options.rename, group },
    ...(options.remove ? [{ keys: 'Delete', label: '删除', run: options.remove, group }] : []),
    { keys: 'Escape', label: '关闭文件信息，再按取消选择', run: options.escape, group },
    displayed('Enter', '打开'),
    displayed('Space', '选择'),
    displayed('Shift ArrowDown', '向下多选'),
    displayed('Backspace', '返回上一级'),
  ])
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const action = keys[formatKeyEvent(event.nativeEvent)]
    if (!action) return
    event.preventDefault()
    action()
  }
  return { cursor, setCursor, setCursorKey, onKey }
}

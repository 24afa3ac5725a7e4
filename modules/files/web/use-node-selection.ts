import { useMemo, useRef, useState } from 'react'
import { nodeKey, type FileNode } from './node.ts'

export interface NodeSelection {
  readonly keys: ReadonlySet<string>
  readonly nodes: readonly FileNode[]
  readonly isSelected: (key: string) => boolean
  readonly only: (index: number) => void
  readonly toggle: (index: number) => void
  /** From where the last choice was made (Shift). */
  readonly extendTo: (index: number) => void
  readonly set: (indexes: readonly number[], isOn: boolean) => void
  readonly all: () => void
  readonly clear: () => void
}

/** The selected rows of one page; another page, folder or search starts with none. */
export function useNodeSelection(rows: readonly FileNode[], scope: string): NodeSelection {
  const [stored, setStored] = useState<{ readonly scope: string; readonly keys: ReadonlySet<string> }>({
    scope,
    keys: new Set(),
  })
  const anchor = useRef(0)
  const keys = useMemo(() => {
    const present = new Set(rows.map(nodeKey))
    return new Set(stored.scope === scope ? [...stored.keys].filter(key => present.has(key)) : [])
  }, [stored, scope, rows])
  const save = (next: Iterable<string>): void => setStored({ scope, keys: new Set(next) })
  const keyAt = (index: number): string[] => {
    const row = rows[index]
    return row ? [nodeKey(row)] : []
  }
  const range = (from: number, to: number): string[] =>
    rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(nodeKey)
  return {
    keys,
    nodes: useMemo(() => rows.filter(row => keys.has(nodeKey(row))), [rows, keys]),
    isSelected: key => keys.has(key),
    only: index => {
      anchor.current = index
      save(keyAt(index))
    },
    toggle: index => {
      anchor.current = index
      const [key] = keyAt(index)
      if (key === undefined) return
      save(keys.has(key) ? [...keys].filter(each => each !== key) : [...keys, key])
    },
    extendTo: index => save(range(anchor.current, index)),
    set: (indexes, isOn) => {
      const changed = new Set(indexes.flatMap(keyAt))
      anchor.current = indexes.at(-1) ?? 0
      save(isOn ? [...keys, ...changed] : [...keys].filter(key => !changed.has(key)))
    },
    all: () => save(rows.map(nodeKey)),
    clear: () => save([]),
  }
}

import { useEffect, useRef, useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import type { ClickDetails } from './file-view.ts'
import { nodeKey, type FileNode } from './node.ts'
import type { NodeSelection } from './use-node-selection.ts'

/** Until then a click may become a double click: the panel would move what is under the mouse. */
const doubleClickMs = 500

interface OpeningOptions {
  readonly rows: readonly FileNode[]
  readonly selection: NodeSelection
  readonly scope: string
  readonly openFolder: (id: Id) => void
}

/** A click selects and shows the details, a second one hides them, a double click opens (0§2). */
export function useOpenNode({ rows, selection, scope, openFolder }: OpeningOptions) {
  const [details, setDetails] = useState<{ readonly scope: string; readonly key: string }>()
  const [previewed, setPreviewed] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const clicked = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const files = rows.filter(row => row.type === 'file')
  const detailed = details?.scope === scope ? rows.find(row => nodeKey(row) === details.key) : undefined
  const show = (node: FileNode): void => {
    clearTimeout(timer.current)
    const key = nodeKey(node)
    if (detailed && nodeKey(detailed) !== key) {
      setDetails({ scope, key })
      return
    }
    timer.current = setTimeout(() => setDetails(detailed ? undefined : { scope, key }), doubleClickMs)
  }
  const previewOf = (node: FileNode): void =>
    setPreviewed(files.findIndex(file => nodeKey(file) === nodeKey(node)))
  const openAt = (index: number): void => {
    const node = rows[index]
    if (!node) return
    clearTimeout(timer.current)
    if (node.type === 'folder') {
      openFolder(node.id)
    } else {
      previewOf(node)
    }
  }
  return {
    files,
    detailed,
    previewed,
    setPreviewed,
    closePreview: (): void => setPreviewed(undefined),
    closeDetails: (): void => setDetails(undefined),
    preview: (): void => {
      if (detailed) {
        previewOf(detailed)
      }
    },
    click: (index: number, how: ClickDetails): void => {
      const node = rows[index]
      if (!node || how.isRepeated) return
      clicked.current = index
      if (how.shift) return selection.extendTo(index)
      if (how.ctrl) return selection.toggle(index)
      selection.only(index)
      show(node)
    },
    open: openAt,
    /** By a double click: what the first of its clicks was on, wherever the second one is. */
    openClicked: (): void => openAt(clicked.current ?? -1),
  }
}

import type { KeyboardEvent } from 'react'
import type { FileNode } from './node.ts'
import type { NodeSelection } from './use-node-selection.ts'

export interface ClickDetails {
  readonly shift: boolean
  readonly ctrl: boolean
  /** The second of a double click. */
  readonly isRepeated: boolean
}

/** What the grid and the list have in common. */
export interface FileViewProps {
  readonly rows: readonly FileNode[]
  readonly selection: NodeSelection
  /** Under the keyboard cursor. */
  readonly cursor: number | undefined
  /** Whose name is being changed. */
  readonly renaming: string | undefined
  readonly onRenamed: () => void
  /** Searches the whole project: each row has its folder. */
  readonly isSearch: boolean
  readonly isBusy: boolean
  readonly onClick: (index: number, how: ClickDetails) => void
  /** A double click opens what was clicked. */
  readonly onOpen: () => void
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void
}

import type { ReactNode, RefObject } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { useElementWidth } from '#kit/web/list/use-size.ts'
import { directoryType } from '../contract/choices.ts'
import { MiddleEllipsis, NodeIcon } from './node-icon.tsx'
import type { FileNode } from './node.ts'

/** Narrower, a list has one column: what the others say is under the name. */
const oneColumnWidth = 480
/** Narrower, the search of a toolbar has a line of its own; actions are behind ⋯. */
const narrowToolbarWidth = 640

export const useIsOneColumn = (list: RefObject<HTMLElement | null>): boolean =>
  useElementWidth(list) < oneColumnWidth

export const isNarrowToolbar = (width: number): boolean => width < narrowToolbarWidth

interface NameCellProps {
  readonly node: FileNode
  readonly detail?: ReactNode
  /** Instead of the name. */
  readonly children?: ReactNode
}

export function NameCell({ node, detail, children }: NameCellProps) {
  return (
    <span className="file-name-cell">
      <NodeIcon node={node} />
      <span className="file-name-lines">
        {children ?? <MiddleEllipsis text={node.name} />}
        {detail !== undefined && <small className="figure">{detail}</small>}
      </span>
      {node.directoryType !== 'ordinary' && (
        <span className="file-card-type">{labelOf(directoryType, node.directoryType)}</span>
      )}
    </span>
  )
}

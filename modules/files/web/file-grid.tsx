import { memo, useEffect, useRef } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { directoryType } from '../contract/choices.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { closestElement } from './closest-element.ts'
import type { FileViewProps } from './file-view.ts'
import { NodeIcon, TwoLines } from './node-icon.tsx'
import { nodeKey, type FileNode } from './node.ts'
import { RenameInput } from './rename-input.tsx'

interface CardProps {
  readonly node: FileNode
  readonly index: number
  readonly isSelected: boolean
  readonly isCurrent: boolean
  readonly isRenaming: boolean
  readonly isSearch: boolean
  readonly onRenamed: () => void
}

const noteOf = (node: FileNode): string =>
  node.type === 'folder' ? `${node.itemCount ?? 0} 项` : formatFileSize(node.fileSize)

const Card = memo(function Card({
  node,
  index,
  isSelected,
  isCurrent,
  isRenaming,
  isSearch,
  onRenamed,
}: CardProps) {
  return (
    <div
      role="row"
      id={`file-card-${nodeKey(node)}`}
      className="file-card"
      aria-selected={isSelected}
      data-current={isCurrent}
      data-index={index}
    >
      <div role="gridcell" className="file-card-cell">
        <input
          type="checkbox"
          checked={isSelected}
          readOnly
          tabIndex={-1}
          aria-label={`选择「${node.name}」`}
          data-check=""
        />
        {node.directoryType !== 'ordinary' && (
          <span className="file-card-type">{labelOf(directoryType, node.directoryType)}</span>
        )}
        <NodeIcon node={node} />
        {isRenaming ? <RenameInput node={node} onDone={onRenamed} /> : <TwoLines text={node.name} />}
        <small className="ellipsis">{(isSearch && node.folderPath) || noteOf(node)}</small>
      </div>
    </div>
  )
})

/** Folders and files as cards. The grid has the focus; the cursor walks over the cards. */
export function FileGrid({ rows, selection, cursor, renaming, onRenamed, isSearch, ...view }: FileViewProps) {
  const grid = useRef<HTMLDivElement>(null)
  const current = cursor === undefined ? undefined : rows[cursor]
  useEffect(() => {
    grid.current?.querySelector('[data-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [cursor])
  const indexOf = (target: EventTarget): number =>
    Number(closestElement(target, '[data-index]')?.dataset.index ?? -1)
  return (
    <div
      ref={grid}
      role="grid"
      className={`file-grid${view.isBusy ? ' busy' : ''}`}
      aria-label="文件"
      aria-multiselectable="true"
      aria-rowcount={rows.length}
      aria-activedescendant={current && `file-card-${nodeKey(current)}`}
      tabIndex={0}
      onKeyDown={event => {
        if (event.target === event.currentTarget) {
          view.onKey(event)
        }
      }}
      onClick={event => {
        const index = indexOf(event.target)
        if (index < 0) return
        grid.current?.focus({ preventScroll: true })
        const isCheck = closestElement(event.target, '[data-check]') !== undefined
        view.onClick(index, {
          shift: event.shiftKey,
          ctrl: isCheck || event.ctrlKey || event.metaKey,
          // Boxes may be selected as fast as one can.
          isRepeated: !isCheck && event.detail > 1,
        })
      }}
      onDoubleClick={event => {
        if (!closestElement(event.target, '[data-check]')) {
          view.onOpen()
        }
      }}
    >
      {rows.map((node, index) => (
        <Card
          key={nodeKey(node)}
          node={node}
          index={index}
          isSelected={selection.isSelected(nodeKey(node))}
          isCurrent={index === cursor}
          isRenaming={renaming === nodeKey(node)}
          isSearch={isSearch}
          onRenamed={onRenamed}
        />
      ))}
    </div>
  )
}

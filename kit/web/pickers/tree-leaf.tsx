import { memo } from 'react'
import type { TreeNode } from './tree-selection.ts'

interface LeafProps {
  readonly leaf: TreeNode<any>
  readonly selected: boolean
  readonly multiple: boolean
  readonly cell: boolean
  readonly wide?: boolean
  readonly onLeaf: (leaf: TreeNode<any>) => void
  readonly onConfirm: (leaf: TreeNode<any>) => void
}

export const TreeLeaf = memo(function Leaf({
  leaf,
  selected,
  multiple,
  cell,
  wide,
  onLeaf,
  onConfirm,
}: LeafProps) {
  return (
    <label
      className={`pick-leaf${cell ? ' cell' : ''}${selected ? ' on' : ''}${leaf.disabledReason ? ' off' : ''}`}
      data-key={leaf.key}
      title={leaf.disabledReason ?? leaf.fullName ?? leaf.label}
      onDoubleClick={() => {
        if (!leaf.disabledReason) {
          onConfirm(leaf)
        }
      }}
    >
      <input
        type={multiple ? 'checkbox' : 'radio'}
        checked={selected}
        disabled={leaf.disabledReason !== undefined}
        data-step=""
        aria-label={leaf.fullName ?? leaf.label}
        onChange={() => onLeaf(leaf)}
        onKeyDown={e => {
          if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey && !leaf.disabledReason) {
            e.preventDefault()
            if (multiple) {
              onLeaf(leaf)
            } else {
              onConfirm(leaf)
            }
          }
        }}
      />
      {leaf.prefix}
      <span className="ellipsis">{wide ? (leaf.fullName ?? leaf.label) : leaf.label}</span>
      {leaf.tag && <b>{leaf.tag}</b>}
      {leaf.note && <small>{leaf.note}</small>}
    </label>
  )
})

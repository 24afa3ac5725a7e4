import { defined } from '#kit/domain/defined.ts'
import { useMemo, useRef, type ReactNode } from 'react'
import { CaretRightFilled } from '@ant-design/icons'
import { formatCount } from '../numbers.tsx'
import { RowSkeleton } from '../list/list-feedback.tsx'
import {
  groupIntoLines,
  checkStateOf,
  selectableCount,
  type ChosenLeaves,
  type TreeNode,
} from './tree-selection.ts'
import { TreeLeaf } from './tree-leaf.tsx'
import { moveInTree } from './tree-keys.ts'
import type { Tree } from './use-tree.ts'
import './pickers.css'

export { TreeLeaf } from './tree-leaf.tsx'

interface TreeViewProps {
  readonly tree: Tree<any>
  readonly chosen: ChosenLeaves<any>
  readonly counts: ReadonlyMap<string, number>
  readonly multiple: boolean
  /** `lines`: leaves with the same label in a line of cells; `rows`: each in a row of its own. */
  readonly layout: 'lines' | 'rows'
  /** Branches whose leaves are being loaded. */
  readonly busy: ReadonlySet<string>
  readonly emptyText: string
  readonly errorText: (e: unknown) => string
  readonly onLeaf: (leaf: TreeNode<any>) => void
  readonly onBranch: (branch: TreeNode<any>) => void
  /** A leaf was confirmed: double click, or Enter where only one may be chosen. */
  readonly onConfirm: (leaf: TreeNode<any>) => void
}

function LeafLines({
  nodes,
  chosen,
  multiple,
  onLeaf,
  onConfirm,
}: TreeViewProps & { readonly nodes: readonly TreeNode<any>[] }) {
  const lines = useMemo(() => groupIntoLines(nodes), [nodes])
  return (
    <div className="pick-lines">
      {lines.map(([head, leaves]) => (
        <div key={head} role="group" aria-label={head || undefined}>
          <span>{head}</span>
          <div>
            {leaves.map(leaf => (
              <TreeLeaf
                key={leaf.key}
                leaf={leaf}
                selected={chosen.has(leaf.key)}
                multiple={multiple}
                cell
                onLeaf={onLeaf}
                onConfirm={onConfirm}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

function TreeBranch({
  node,
  siblings,
  depth,
  ...view
}: TreeViewProps & {
  readonly node: TreeNode<any>
  readonly siblings: readonly TreeNode<any>[]
  readonly depth: number
}) {
  const { tree } = view
  const open = tree.expanded.has(node.key)
  const count = view.counts.get(node.key) ?? 0
  const checkState = checkStateOf(count, selectableCount(node, tree.leaves.get(node.key)))
  const isEmptyBranch = selectableCount(node, tree.leaves.get(node.key)) === 0
  return (
    <div
      role="treeitem"
      aria-expanded={open}
      aria-level={depth + 1}
      aria-label={node.label}
      aria-selected={checkState === 'all'}
    >
      <div
        className={`pick-branch${count ? ' some' : ''}`}
        style={{ paddingInlineStart: depth * 20 }}
        data-key={node.key}
      >
        <button
          type="button"
          className="caret"
          data-step=""
          aria-label={`${open ? '收起' : '展开'}${node.label}`}
          aria-expanded={open}
          onClick={() => tree.toggle(node, siblings)}
        >
          <CaretRightFilled rotate={open ? 90 : 0} />
        </button>
        {view.multiple && (
          <input
            type="checkbox"
            aria-label={`选择${node.label}的全部`}
            checked={checkState === 'all'}
            disabled={isEmptyBranch || view.busy.has(node.key)}
            ref={e => {
              if (e) {
                e.indeterminate = checkState === 'some'
              }
            }}
            data-step=""
            aria-checked={checkState === 'some' ? 'mixed' : checkState === 'all'}
            onChange={() => view.onBranch(node)}
          />
        )}
        <button type="button" className="name" tabIndex={-1} onClick={() => tree.toggle(node, siblings)}>
          {node.label}
          {node.note && <small>{node.note}</small>}
        </button>
        {view.busy.has(node.key) ? (
          <small className="got">正在读取</small>
        ) : (
          count > 0 && <small className="got">已选 {formatCount(count)}</small>
        )}
      </div>
      {open && (
        <div role="group">
          <TreeLevel {...view} parent={node} depth={depth + 1} />
        </div>
      )}
    </div>
  )
}

/** The children of a branch: other branches, or leaves. */
function TreeLevel({
  parent,
  depth,
  ...view
}: TreeViewProps & { readonly parent: TreeNode<any> | undefined; readonly depth: number }): ReactNode {
  const level = view.tree.levels.get(parent?.key ?? '')
  const inset = { paddingInlineStart: depth * 20 + (depth ? 4 : 0) }
  if (level?.error !== undefined)
    return (
      <div className="pick-trouble" style={inset} role="alert">
        {view.errorText(level.error)}{' '}
        <button type="button" className="linkish" onClick={() => view.tree.retry(parent)}>
          重试
        </button>
      </div>
    )
  if (!level?.nodes)
    return depth ? (
      <div className="pick-quiet" style={inset}>
        正在读取
      </div>
    ) : (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} width={[160, 60]} />
      </div>
    )
  const { nodes } = level
  if (!nodes.length)
    return (
      <div className="pick-quiet" style={inset}>
        {depth ? '暂无可选项' : view.emptyText}
      </div>
    )
  const lines = view.layout === 'lines' && nodes.some(n => n.leaf && n.lineLabel !== undefined)
  return (
    <>
      {nodes
        .filter(n => !n.leaf)
        .map(n => (
          <TreeBranch key={n.key} {...view} node={n} siblings={nodes} depth={depth} />
        ))}
      {lines ? (
        <div style={inset}>
          <LeafLines {...view} nodes={nodes.filter(n => n.leaf)} />
        </div>
      ) : (
        nodes
          .filter(n => n.leaf)
          .map(node => (
            <div key={node.key} style={inset}>
              <TreeLeaf
                leaf={node}
                selected={view.chosen.has(node.key)}
                multiple={view.multiple}
                cell={false}
                onLeaf={view.onLeaf}
                onConfirm={view.onConfirm}
              />
            </div>
          ))
      )}
    </>
  )
}

/** The tree; arrow keys move over all that is shown, right expands, left collapses. */
export function TreeView(view: TreeViewProps) {
  const root = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={root}
      role="tree"
      aria-label="可选的"
      aria-multiselectable={view.multiple}
      className="pick-tree"
      onKeyDown={e => moveInTree(e, defined(root.current))}
    >
      <TreeLevel {...view} parent={undefined} depth={0} />
    </div>
  )
}

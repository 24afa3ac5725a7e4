import { useMemo, useRef, type ReactNode } from 'react'
import { CaretRightFilled } from '@ant-design/icons'
import { formatCount } from '../numbers.tsx'
import { RowSkeleton } from '../list/list-states.tsx'
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

interface TreeViewProps {
  readonly tree: Tree<any>
  readonly chosen: ChosenLeaves<any>
  readonly counts: ReadonlyMap<string, number>
  readonly multiple: boolean
  /** Leaves of one head in a line of cells, or each in a row of its own. */
  readonly layout: 'lines' | 'rows'
  /** Branches whose leaves are under way. */
  readonly busy: ReadonlySet<string>
  readonly emptyText: string
  readonly errorText: (e: unknown) => string
  readonly onLeaf: (leaf: TreeNode<any>) => void
  readonly onBranch: (branch: TreeNode<any>) => void
  /** A leaf was taken for good: double click, or Enter where one only is chosen. */
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
            {leaves.map(l => (
              <TreeLeaf
                key={l.key}
                leaf={l}
                selected={chosen.has(l.key)}
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
  ...s
}: TreeViewProps & {
  readonly node: TreeNode<any>
  readonly siblings: readonly TreeNode<any>[]
  readonly depth: number
}) {
  const { tree } = s
  const open = tree.expanded.has(node.key)
  const n = s.counts.get(node.key) ?? 0
  const tick = checkStateOf(n, selectableCount(node, tree.leaves.get(node.key)))
  const none = selectableCount(node, tree.leaves.get(node.key)) === 0
  return (
    <div
      role="treeitem"
      aria-expanded={open}
      aria-level={depth + 1}
      aria-label={node.label}
      aria-selected={tick === 'all'}
    >
      <div
        className={`pick-branch${n ? ' some' : ''}`}
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
        {s.multiple && (
          <input
            type="checkbox"
            aria-label={`选择${node.label}的全部`}
            checked={tick === 'all'}
            disabled={none || s.busy.has(node.key)}
            ref={e => {
              if (e) {
                e.indeterminate = tick === 'some'
              }
            }}
            data-step=""
            aria-checked={tick === 'some' ? 'mixed' : tick === 'all'}
            onChange={() => s.onBranch(node)}
          />
        )}
        <button type="button" className="name" tabIndex={-1} onClick={() => tree.toggle(node, siblings)}>
          {node.label}
          {node.note && <small>{node.note}</small>}
        </button>
        {s.busy.has(node.key) ? (
          <small className="got">正在读取</small>
        ) : (
          n > 0 && <small className="got">已选 {formatCount(n)}</small>
        )}
      </div>
      {open && (
        <div role="group">
          <TreeLevel {...s} of={node} depth={depth + 1} />
        </div>
      )}
    </div>
  )
}

/** What lies under a branch: other branches, or leaves. */
function TreeLevel({
  of,
  depth,
  ...s
}: TreeViewProps & { readonly of: TreeNode<any> | undefined; readonly depth: number }): ReactNode {
  const level = s.tree.levels.get(of?.key ?? '')
  const inset = { paddingInlineStart: depth * 20 + (depth ? 4 : 0) }
  if (level?.error !== undefined)
    return (
      <div className="pick-trouble" style={inset} role="alert">
        {s.errorText(level.error)}{' '}
        <button type="button" className="linkish" onClick={() => s.tree.retry(of)}>
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
        {depth ? '没有可选的' : s.emptyText}
      </div>
    )
  const lines = s.layout === 'lines' && nodes.some(n => n.leaf && n.lineLabel !== undefined)
  return (
    <>
      {nodes
        .filter(n => !n.leaf)
        .map(n => (
          <TreeBranch key={n.key} {...s} node={n} siblings={nodes} depth={depth} />
        ))}
      {lines ? (
        <div style={inset}>
          <LeafLines {...s} nodes={nodes.filter(n => n.leaf)} />
        </div>
      ) : (
        nodes
          .filter(n => n.leaf)
          .map(n => (
            <div key={n.key} style={inset}>
              <TreeLeaf
                leaf={n}
                selected={s.chosen.has(n.key)}
                multiple={s.multiple}
                cell={false}
                onLeaf={s.onLeaf}
                onConfirm={s.onConfirm}
              />
            </div>
          ))
      )}
    </>
  )
}

/** The tree, walked with the arrow keys: up and down over all that stands, right opens, left closes. */
export function TreeView(s: TreeViewProps) {
  const root = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={root}
      role="tree"
      aria-label="可选的"
      aria-multiselectable={s.multiple}
      className="pick-tree"
      onKeyDown={e => moveInTree(e, root.current!)}
    >
      <TreeLevel {...s} of={undefined} depth={0} />
    </div>
  )
}

import { memo, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { CaretRightFilled } from '@ant-design/icons'
import { count } from '../figure.tsx'
import { Skeleton } from '../list/states.tsx'
import { linesOf, tickOf, totalOf, type Chosen, type Node } from './choosing.ts'
import type { Tree } from './use-tree.ts'
import './pickers.css'

interface Shared {
  readonly tree: Tree<any>
  readonly chosen: Chosen<any>
  readonly counts: ReadonlyMap<string, number>
  readonly many: boolean
  /** Leaves of one head in a line of cells, or each in a row of its own. */
  readonly layout: 'lines' | 'rows'
  /** Branches whose leaves are under way. */
  readonly busy: ReadonlySet<string>
  readonly empty: string
  readonly words: (e: unknown) => string
  readonly onLeaf: (leaf: Node<any>) => void
  readonly onBranch: (branch: Node<any>) => void
  /** A leaf was taken for good: double click, or Enter where one only is chosen. */
  readonly onTake: (leaf: Node<any>) => void
}

interface LeafProps {
  readonly leaf: Node<any>
  readonly on: boolean
  readonly many: boolean
  readonly cell: boolean
  readonly wide?: boolean
  readonly onLeaf: (leaf: Node<any>) => void
  readonly onTake: (leaf: Node<any>) => void
}

export const Leaf = memo(function Leaf({ leaf, on, many, cell, wide, onLeaf, onTake }: LeafProps) {
  return (
    <label
      className={`pick-leaf${cell ? ' cell' : ''}${on ? ' on' : ''}${leaf.off ? ' off' : ''}`}
      data-key={leaf.key}
      title={leaf.off ?? leaf.full ?? leaf.label}
      onDoubleClick={() => {
        if (!leaf.off) {
          onTake(leaf)
        }
      }}
    >
      <input
        type={many ? 'checkbox' : 'radio'}
        checked={on}
        disabled={leaf.off !== undefined}
        data-step=""
        aria-label={leaf.full ?? leaf.label}
        onChange={() => onLeaf(leaf)}
        onKeyDown={e => {
          if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey && !leaf.off) {
            e.preventDefault()
            if (many) {
              onLeaf(leaf)
            } else {
              onTake(leaf)
            }
          }
        }}
      />
      {leaf.lead}
      <span className="ellipsis">{wide ? (leaf.full ?? leaf.label) : leaf.label}</span>
      {leaf.mark && <b>{leaf.mark}</b>}
      {leaf.note && <small>{leaf.note}</small>}
    </label>
  )
})

function Lines({ nodes, chosen, many, onLeaf, onTake }: Shared & { readonly nodes: readonly Node<any>[] }) {
  const lines = useMemo(() => linesOf(nodes), [nodes])
  return (
    <div className="pick-lines">
      {lines.map(([head, leaves]) => (
        <div key={head} role="group" aria-label={head || undefined}>
          <span>{head}</span>
          <div>
            {leaves.map(l => (
              <Leaf
                key={l.key}
                leaf={l}
                on={chosen.has(l.key)}
                many={many}
                cell
                onLeaf={onLeaf}
                onTake={onTake}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

function Branch({
  node,
  siblings,
  depth,
  ...s
}: Shared & { readonly node: Node<any>; readonly siblings: readonly Node<any>[]; readonly depth: number }) {
  const { tree } = s
  const open = tree.open.has(node.key)
  const n = s.counts.get(node.key) ?? 0
  const tick = tickOf(n, totalOf(node, tree.leaves.get(node.key)))
  const none = totalOf(node, tree.leaves.get(node.key)) === 0
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
        {s.many && (
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
          n > 0 && <small className="got">已选 {count(n)}</small>
        )}
      </div>
      {open && (
        <div role="group">
          <Level {...s} of={node} depth={depth + 1} />
        </div>
      )}
    </div>
  )
}

/** What lies under a branch: other branches, or leaves. */
function Level({
  of,
  depth,
  ...s
}: Shared & { readonly of: Node<any> | undefined; readonly depth: number }): ReactNode {
  const level = s.tree.levels.get(of?.key ?? '')
  const inset = { paddingInlineStart: depth * 20 + (depth ? 4 : 0) }
  if (level?.error !== undefined)
    return (
      <div className="pick-trouble" style={inset} role="alert">
        {s.words(level.error)}{' '}
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
        <Skeleton rows={5} width={[160, 60]} />
      </div>
    )
  const { nodes } = level
  if (!nodes.length)
    return (
      <div className="pick-quiet" style={inset}>
        {depth ? '没有可选的' : s.empty}
      </div>
    )
  const lines = s.layout === 'lines' && nodes.some(n => n.leaf && n.row !== undefined)
  return (
    <>
      {nodes
        .filter(n => !n.leaf)
        .map(n => (
          <Branch key={n.key} {...s} node={n} siblings={nodes} depth={depth} />
        ))}
      {lines ? (
        <div style={inset}>
          <Lines {...s} nodes={nodes.filter(n => n.leaf)} />
        </div>
      ) : (
        nodes
          .filter(n => n.leaf)
          .map(n => (
            <div key={n.key} style={inset}>
              <Leaf
                leaf={n}
                on={s.chosen.has(n.key)}
                many={s.many}
                cell={false}
                onLeaf={s.onLeaf}
                onTake={s.onTake}
              />
            </div>
          ))
      )}
    </>
  )
}

/** The tree, walked with the arrow keys: up and down over all that stands, right opens, left closes. */
export function TreeView(s: Shared) {
  const root = useRef<HTMLDivElement>(null)
  const walk = (e: KeyboardEvent): void => {
    const at = e.target as HTMLElement
    if (!('step' in at.dataset)) return
    const steps = [...root.current!.querySelectorAll<HTMLElement>('[data-step]:not(:disabled)')]
    const i = steps.indexOf(at)
    const open = at.getAttribute('aria-expanded')
    if ((e.key === 'ArrowRight' && open === 'false') || (e.key === 'ArrowLeft' && open === 'true')) {
      e.preventDefault()
      at.click()
      return
    }
    const to = {
      ArrowDown: i + 1,
      ArrowRight: i + 1,
      ArrowUp: i - 1,
      ArrowLeft: i - 1,
      Home: 0,
      End: steps.length - 1,
    }[e.key]
    if (to === undefined) return
    e.preventDefault()
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      below(steps, at, e.key === 'ArrowDown')?.focus()
    } else {
      steps[to]?.focus()
    }
  }
  return (
    <div
      ref={root}
      role="tree"
      aria-label="可选的"
      aria-multiselectable={s.many}
      className="pick-tree"
      onKeyDown={walk}
    >
      <Level {...s} of={undefined} depth={0} />
    </div>
  )
}

/** The nearest thing in the next line of the screen, by where it stands. */
function below(steps: readonly HTMLElement[], at: HTMLElement, down: boolean): HTMLElement | undefined {
  const here = at.getBoundingClientRect()
  const others = steps
    .map(el => ({ el, r: el.getBoundingClientRect() }))
    .filter(({ r }) => (down ? r.top > here.top + 8 : r.top < here.top - 8))
  const line = down ? Math.min(...others.map(o => o.r.top)) : Math.max(...others.map(o => o.r.top))
  return others
    .filter(o => Math.abs(o.r.top - line) < 8)
    .sort((a, b) => Math.abs(a.r.left - here.left) - Math.abs(b.r.left - here.left))[0]?.el
}

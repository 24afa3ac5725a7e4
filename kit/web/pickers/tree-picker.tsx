import { Input } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { allowClear } from '../allow-clear.tsx'
import { formatCount } from '../numbers.tsx'
import { errorText } from '../list/list-states.tsx'
import { toast } from '../toast.ts'
import {
  countChosen,
  summarizeChosen,
  checkStateOf,
  toggleAll,
  toggleLeaf,
  type ChosenLeaves,
  type TreeNode,
  type SelectionResult,
} from './tree-selection.ts'
import { SlideIn } from './slide-in.tsx'
import { TreeLeaf, TreeView } from './tree-view.tsx'
import { useTree, type TreeSource } from './use-tree.ts'

interface TreePickerProps<D> {
  readonly title: string
  /** Must be the same object as long as the tree is the same: another one begins anew. */
  readonly source: TreeSource<D>
  readonly multiple: boolean
  /** The most that may be chosen of several. */
  readonly max?: number | undefined
  /** What is counted: 户, 个项目. */
  readonly unit: string
  /** What is chosen at the start; the tree opens where the first of them is. */
  readonly value: readonly TreeNode<D>[]
  readonly placeholder?: string
  readonly layout?: 'lines' | 'rows'
  /** Between the search and the tree. */
  readonly belowSearch?: ReactNode
  readonly emptyText: string
  /** Where a search finds nothing. */
  readonly notFoundText?: string
  readonly errorText?: (e: unknown) => string
  /** Nothing: gone back without saving. */
  readonly onDone: (chosen: readonly TreeNode<D>[] | undefined) => void
}

interface SearchResult<D> {
  readonly word: string
  readonly nodes?: readonly TreeNode<D>[]
  readonly error?: unknown
}

const defaultErrorText = (e: unknown): string => {
  const { words, more } = errorText(e)
  return [words, more].filter(Boolean).join('，')
}

/** A slide-in over a tree: search, tree, what is chosen (0§2, 0§4, picture 12). */
export function TreePicker<D>({
  title,
  source,
  multiple,
  max,
  unit,
  value,
  placeholder = '请输入名称',
  layout = 'lines',
  belowSearch,
  emptyText,
  notFoundText,
  errorText = defaultErrorText,
  onDone,
}: TreePickerProps<D>) {
  const tree = useTree(source, value[0]?.path ?? [])
  const [chosen, setChosen] = useState<ChosenLeaves<D>>(() => new Map(value.map(n => [n.key, n])))
  const counts = useMemo(() => countChosen(chosen), [chosen])
  const [word, setWord] = useState('')
  const [composing, setComposing] = useState(false)
  const [found, setFound] = useState<SearchResult<D>>()
  const [listing, setListing] = useState(false)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const body = useRef<HTMLDivElement>(null)
  const latest = useRef('')
  const now = useRef(chosen)
  now.current = chosen

  const put = useCallback(
    ({ chosen: next, omitted }: SelectionResult<D>): void => {
      setChosen(next)
      if (omitted) {
        toast.warning(`最多选择${max}${unit}`)
      }
    },
    [max, unit],
  )
  const onLeaf = useCallback(
    (leaf: TreeNode<D>): void => put(toggleLeaf(now.current, leaf, { many: multiple, max })),
    [put, multiple, max],
  )
  const onBranch = async (branch: TreeNode<D>): Promise<void> => {
    setBusy(was => new Set(was).add(branch.key))
    try {
      const leaves = await tree.loadLeaves(branch)
      put(toggleAll(now.current, leaves, max))
    } catch (e) {
      toast.error(errorText(e))
    } finally {
      setBusy(was => {
        const next = new Set(was)
        next.delete(branch.key)
        return next
      })
    }
  }
  const take = useCallback(
    (leaf: TreeNode<D>): void => {
      if (multiple) return
      onDone([leaf])
    },
    [multiple, onDone],
  )

  // A word is sought only when there is one; an emptied box brings the whole list anew (0§5).
  const search = async (text: string): Promise<void> => {
    const w = text.trim()
    if (w === latest.current) return
    latest.current = w
    if (!w) {
      setFound(undefined)
      tree.reload()
      return
    }
    setFound(was => ({ word: w, ...(was?.nodes ? { nodes: was.nodes } : {}) }))
    try {
      const nodes = await source.search!(w)
      if (latest.current === w) {
        setFound({ word: w, nodes })
      }
    } catch (error) {
      if (latest.current === w) {
        setFound({ word: w, error })
      }
    }
  }
  useEffect(() => {
    if (composing || !source.search) return undefined
    const t = setTimeout(() => void search(word), word.trim() ? 300 : 0)
    return () => clearTimeout(t)
  }, [word, composing])
  // The value that is set comes into view once, when its place is there.
  const first = value[0]?.key
  const shown = useRef(first === undefined)
  useEffect(() => {
    if (shown.current) return
    const at = [...(body.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
      e => e.dataset.key === first,
    )
    if (at) {
      shown.current = true
      at.scrollIntoView({ block: 'center' })
    }
  }, [tree.levels, first])

  const all = [...chosen.values()]
  const top = tree.levels.get('')?.nodes ?? []
  const flat = multiple && top.length > 1 && top.every(n => n.leaf)
  const able = flat ? top.filter(n => !n.disabledReason) : []
  const whole = checkStateOf(able.filter(n => chosen.has(n.key)).length, able.length)
  const why = all.length === 0 && value.length === 0 ? '请先选择' : undefined
  const rows = (nodes: readonly TreeNode<D>[]): ReactNode =>
    nodes.map(n => (
      <TreeLeaf
        key={n.key}
        leaf={n}
        selected={chosen.has(n.key)}
        multiple={multiple}
        cell={false}
        wide
        onLeaf={onLeaf}
        onConfirm={take}
      />
    ))
  const foot = (
    <>
      <span aria-live="polite">
        {multiple ? (
          <>
            已选 <b>{formatCount(all.length)}</b> {unit}
          </>
        ) : all[0] ? (
          <>
            已选 <b>{all[0].fullName ?? all[0].label}</b>
          </>
        ) : (
          '还没有选择'
        )}
      </span>
      {multiple && <small className="ellipsis">{summarizeChosen(chosen)}</small>}
      <span className="spring" />
      {all.length > 0 && (
        <button
          type="button"
          className="linkish"
          onClick={() => {
            setChosen(new Map())
            setListing(false)
          }}
        >
          清空
        </button>
      )}
      {multiple && all.length > 0 && (
        <button type="button" className="linkish" aria-pressed={listing} onClick={() => setListing(!listing)}>
          {listing ? '返回选择' : '看已选'}
        </button>
      )}
    </>
  )
  return (
    <SlideIn
      title={title}
      saveDisabledReason={why}
      foot={foot}
      onBack={() => onDone(undefined)}
      onSave={() => onDone(all)}
    >
      {source.search && (
        <div className="pick-search">
          <Input
            size="large"
            aria-label={placeholder}
            placeholder={placeholder}
            prefix={<SearchOutlined />}
            allowClear={allowClear}
            maxLength={100}
            value={word}
            onChange={e => setWord(e.target.value)}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
            onPressEnter={e => {
              if (!e.nativeEvent.isComposing && !e.ctrlKey) {
                void search(word)
              }
            }}
          />
        </div>
      )}
      {!found && !listing && belowSearch}
      <div className="pick-body scroll" ref={body}>
        {listing ? (
          <div className="pick-found">{rows(all)}</div>
        ) : found ? (
          found.error !== undefined ? (
            <div className="pick-trouble" role="alert">
              {errorText(found.error)}{' '}
              <button
                type="button"
                className="linkish"
                onClick={() => {
                  latest.current = ''
                  void search(word)
                }}
              >
                重试
              </button>
            </div>
          ) : !found.nodes ? (
            <div className="pick-quiet">正在查找</div>
          ) : found.nodes.length ? (
            <div className="pick-found" role="group" aria-label="查找结果">
              {rows(found.nodes)}
            </div>
          ) : (
            <div className="pick-quiet">{notFoundText ?? `没有找到「${found.word}」，换个写法再试`}</div>
          )
        ) : (
          <>
            {flat && (
              <label className="pick-leaf whole">
                <input
                  type="checkbox"
                  checked={whole === 'all'}
                  ref={e => {
                    if (e) {
                      e.indeterminate = whole === 'some'
                    }
                  }}
                  onChange={() => put(toggleAll(chosen, able, max))}
                />
                <span>全选</span>
              </label>
            )}
            <TreeView
              tree={tree}
              chosen={chosen}
              counts={counts}
              multiple={multiple}
              layout={layout}
              busy={busy}
              emptyText={emptyText}
              errorText={errorText}
              onLeaf={onLeaf}
              onBranch={b => void onBranch(b)}
              onConfirm={take}
            />
          </>
        )}
      </div>
    </SlideIn>
  )
}

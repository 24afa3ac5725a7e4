import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { errorSentence } from '../list/list-feedback.tsx'
import { PickerFooter } from './picker-footer.tsx'
import { PickerSearchBox, PickerSearchResult } from './picker-search.tsx'
import { SlideIn } from './slide-in.tsx'
import { TreeLeaf } from './tree-leaf.tsx'
import { checkStateOf, type ChosenLeaves, type TreeNode } from './tree-selection.ts'
import { TreeView } from './tree-view.tsx'
import { useChosenLeaves } from './use-chosen-leaves.ts'
import { useTree, type Tree, type TreeSource } from './use-tree.ts'
import { useTreeSearch } from './use-tree-search.ts'

interface TreePickerProps<D> {
  readonly title: string
  /** Must be the same object as long as the tree is the same: another one reads the tree again. */
  readonly source: TreeSource<D>
  readonly multiple: boolean
  /** How many may be chosen at most. */
  readonly max?: number | undefined
  /** What is counted: 户, 个项目. */
  readonly unit: string
  /** What is chosen at the start; the tree opens at the first of them. */
  readonly value: readonly TreeNode<D>[]
  readonly placeholder?: string
  readonly layout?: 'lines' | 'rows'
  /** Between the search and the tree. */
  readonly belowSearch?: ReactNode
  readonly emptyText: string
  /** Where a search finds nothing. */
  readonly notFoundText?: string
  readonly errorText?: (e: unknown) => string
  /** `undefined`: closed without saving. */
  readonly onDone: (chosen: readonly TreeNode<D>[] | undefined) => void
}

/** Scrolls once to the first chosen leaf, as soon as its row has been read. */
function useFirstChosenInView(
  body: RefObject<HTMLElement | null>,
  tree: Tree<any>,
  firstKey: string | undefined,
): void {
  const done = useRef(firstKey === undefined)
  useEffect(() => {
    if (done.current) return
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
    const row = rows.find(e => e.dataset.key === firstKey)
    if (row) {
      done.current = true
      row.scrollIntoView({ block: 'center' })
    }
  }, [tree.levels, firstKey])
}

/** 全选 over a tree without branches. */
function SelectAllLeaves<D>({
  leaves,
  chosen,
  onToggle,
}: {
  readonly leaves: readonly TreeNode<D>[]
  readonly chosen: ChosenLeaves<D>
  readonly onToggle: (leaves: readonly TreeNode<D>[]) => void
}) {
  const selectable = leaves.filter(n => !n.disabledReason)
  const state = checkStateOf(selectable.filter(n => chosen.has(n.key)).length, selectable.length)
  return (
    <label className="pick-leaf whole">
      <input
        type="checkbox"
        checked={state === 'all'}
        ref={input => {
          if (input) {
            input.indeterminate = state === 'some'
          }
        }}
        onChange={() => onToggle(selectable)}
      />
      <span>全选</span>
    </label>
  )
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
  errorText = errorSentence,
  onDone,
}: TreePickerProps<D>) {
  const tree = useTree(source, value[0]?.path ?? [])
  const choice = useChosenLeaves({ tree, value, multiple, max, unit, errorText })
  const search = useTreeSearch(source, tree)
  const [listing, setListing] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const confirmLeaf = useCallback(
    (leaf: TreeNode<D>): void => {
      if (!multiple) {
        onDone([leaf])
      }
    },
    [multiple, onDone],
  )
  useFirstChosenInView(body, tree, value[0]?.key)

  const { chosen } = choice
  const all = [...chosen.values()]
  const top = tree.levels.get('')?.nodes ?? []
  const isFlat = multiple && top.length > 1 && top.every(n => n.leaf)
  const drawLeaves = (nodes: readonly TreeNode<D>[]): ReactNode =>
    nodes.map(n => (
      <TreeLeaf
        key={n.key}
        leaf={n}
        selected={chosen.has(n.key)}
        multiple={multiple}
        cell={false}
        wide
        onLeaf={choice.onLeaf}
        onConfirm={confirmLeaf}
      />
    ))
  const drawBody = (): ReactNode => {
    if (listing) return <div className="pick-found">{drawLeaves(all)}</div>
    if (search.result)
      return (
        <PickerSearchResult
          result={search.result}
          notFoundText={notFoundText}
          errorText={errorText}
          onRetry={search.retry}
          drawLeaves={drawLeaves}
        />
      )
    return (
      <>
        {isFlat && <SelectAllLeaves leaves={top} chosen={chosen} onToggle={choice.toggleLeaves} />}
        <TreeView
          tree={tree}
          chosen={chosen}
          counts={choice.counts}
          multiple={multiple}
          layout={layout}
          busy={choice.busyBranches}
          emptyText={emptyText}
          errorText={errorText}
          onLeaf={choice.onLeaf}
          onBranch={b => void choice.onBranch(b)}
          onConfirm={confirmLeaf}
        />
      </>
    )
  }
  return (
    <SlideIn
      title={title}
      saveDisabledReason={all.length === 0 && value.length === 0 ? '请先选择' : undefined}
      footer={
        <PickerFooter
          chosen={chosen}
          multiple={multiple}
          unit={unit}
          listing={listing}
          onClear={() => {
            choice.clear()
            setListing(false)
          }}
          onListing={setListing}
        />
      }
      onBack={() => onDone(undefined)}
      onSave={() => onDone(all)}
    >
      {source.search && <PickerSearchBox search={search} placeholder={placeholder} />}
      {!search.result && !listing && belowSearch}
      <div className="pick-body scroll" ref={body}>
        {drawBody()}
      </div>
    </SlideIn>
  )
}

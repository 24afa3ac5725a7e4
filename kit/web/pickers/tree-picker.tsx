import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { errorSentence } from '../list/list-feedback.tsx'
import { PickerFooter } from './picker-footer.tsx'
import { PickerSearchBox } from './picker-search.tsx'
import { SlideIn } from './slide-in.tsx'
import { checkStateOf, type ChosenLeaves, type TreeNode } from './tree-selection.ts'
import { useTreeChoice } from './use-tree-choice.tsx'
import type { Tree, TreeSource } from './use-tree.ts'

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
  const { tree, choice, search, drawLeaves, drawTree } = useTreeChoice({
    source,
    value,
    multiple,
    max,
    unit,
    layout,
    isWide: true,
    emptyText,
    notFoundText,
    errorText,
    onConfirm: useCallback((leaf: TreeNode<D>) => onDone([leaf]), [onDone]),
  })
  const [listing, setListing] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  useFirstChosenInView(body, tree, value[0]?.key)

  const { chosen } = choice
  const all = [...chosen.values()]
  const top = tree.levels.get('')?.nodes ?? []
  const isFlat = multiple && top.length > 1 && top.every(n => n.leaf)
  const drawBody = (): ReactNode =>
    listing ? (
      <div className="pick-found">{drawLeaves(all)}</div>
    ) : (
      drawTree(isFlat && <SelectAllLeaves leaves={top} chosen={chosen} onToggle={choice.toggleLeaves} />)
    )
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

import { useCallback, type ReactNode } from 'react'
import { PickerSearchResult } from './picker-search.tsx'
import { TreeLeaf } from './tree-leaf.tsx'
import type { TreeNode } from './tree-selection.ts'
import { TreeView } from './tree-view.tsx'
import { useChosenLeaves } from './use-chosen-leaves.ts'
import { useTree, type TreeSource } from './use-tree.ts'
import { useTreeSearch } from './use-tree-search.ts'

interface TreeChoiceOptions<D> {
  readonly source: TreeSource<D>
  readonly value: readonly TreeNode<D>[]
  readonly multiple: boolean
  readonly max: number | undefined
  /** What is counted: 户, 个项目. */
  readonly unit: string
  readonly layout: 'lines' | 'rows'
  readonly isWide: boolean
  readonly emptyText: string
  readonly notFoundText: string | undefined
  readonly errorText: (error: unknown) => string
  /** Of one only, a second press of the same leaf. */
  readonly onConfirm: (leaf: TreeNode<D>) => void
}

/** A tree whose leaves are chosen, found by a search, and drawn. */
export function useTreeChoice<D>({ source, value, multiple, max, unit, ...shown }: TreeChoiceOptions<D>) {
  const { errorText, onConfirm } = shown
  const tree = useTree(source, value[0]?.path ?? [])
  const choice = useChosenLeaves({ tree, value, multiple, max, unit, errorText })
  const search = useTreeSearch(source, tree)
  const { chosen } = choice
  const confirmLeaf = useCallback(
    (leaf: TreeNode<D>): void => {
      if (!multiple) {
        onConfirm(leaf)
      }
    },
    [multiple, onConfirm],
  )
  const drawLeaves = (leaves: readonly TreeNode<D>[]): ReactNode =>
    leaves.map(leaf => (
      <TreeLeaf
        key={leaf.key}
        leaf={leaf}
        selected={chosen.has(leaf.key)}
        multiple={multiple}
        cell={false}
        wide={shown.isWide}
        onLeaf={choice.onLeaf}
        onConfirm={confirmLeaf}
      />
    ))
  /** What the search has found, or else the tree. */
  const drawTree = (aboveTree?: ReactNode): ReactNode =>
    search.result ? (
      <PickerSearchResult
        result={search.result}
        notFoundText={shown.notFoundText}
        errorText={errorText}
        onRetry={search.retry}
        drawLeaves={drawLeaves}
      />
    ) : (
      <>
        {aboveTree}
        <TreeView
          tree={tree}
          chosen={chosen}
          counts={choice.counts}
          multiple={multiple}
          layout={shown.layout}
          busy={choice.busyBranches}
          emptyText={shown.emptyText}
          errorText={errorText}
          onLeaf={choice.onLeaf}
          onBranch={branch => void choice.onBranch(branch)}
          onConfirm={confirmLeaf}
        />
      </>
    )
  return { tree, choice, search, drawLeaves, drawTree }
}

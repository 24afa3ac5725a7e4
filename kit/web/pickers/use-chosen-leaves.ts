import { useCallback, useMemo, useRef, useState } from 'react'
import { toast } from '../toast.ts'
import {
  countChosen,
  toggleAll,
  toggleLeaf,
  type ChosenLeaves,
  type SelectionResult,
  type TreeNode,
} from './tree-selection.ts'
import type { Tree } from './use-tree.ts'

interface ChoiceOptions<D> {
  readonly tree: Tree<D>
  readonly value: readonly TreeNode<D>[]
  readonly multiple: boolean
  readonly max: number | undefined
  readonly unit: string
  readonly errorText: (e: unknown) => string
}

/** What is chosen in a tree: one leaf, or several up to `max`. */
export function useChosenLeaves<D>({ tree, value, multiple, max, unit, errorText }: ChoiceOptions<D>) {
  const [chosen, setChosen] = useState<ChosenLeaves<D>>(() => new Map(value.map(n => [n.key, n])))
  const [busyBranches, setBusyBranches] = useState<ReadonlySet<string>>(new Set())
  const current = useRef(chosen)
  current.current = chosen
  const apply = useCallback(
    ({ chosen: next, omitted }: SelectionResult<D>): void => {
      setChosen(next)
      if (omitted) {
        toast.warning(`最多选择${max}${unit}`)
      }
    },
    [max, unit],
  )
  const onLeaf = useCallback(
    (leaf: TreeNode<D>): void => apply(toggleLeaf(current.current, leaf, { many: multiple, max })),
    [apply, multiple, max],
  )
  const setBusy = (key: string, busy: boolean): void =>
    setBusyBranches(previous => {
      const next = new Set(previous)
      if (busy) {
        next.add(key)
      } else {
        next.delete(key)
      }
      return next
    })
  const onBranch = async (branch: TreeNode<D>): Promise<void> => {
    setBusy(branch.key, true)
    try {
      apply(toggleAll(current.current, await tree.loadLeaves(branch), max))
    } catch (e) {
      toast.error(errorText(e))
    } finally {
      setBusy(branch.key, false)
    }
  }
  return {
    chosen,
    counts: useMemo(() => countChosen(chosen), [chosen]),
    busyBranches,
    onLeaf,
    onBranch,
    toggleLeaves: (leaves: readonly TreeNode<D>[]): void => apply(toggleAll(chosen, leaves, max)),
    remove: (leaf: TreeNode<D>): void =>
      setChosen(previous => new Map([...previous].filter(([key]) => key !== leaf.key))),
    clear: (): void => setChosen(new Map()),
  }
}

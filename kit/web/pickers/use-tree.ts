import { useCallback, useEffect, useRef, useState } from 'react'
import { toggleOpen, type TreeNode } from './tree-selection.ts'

/** Where the nodes come from. */
export interface TreeSource<D> {
  /** What lies right under a branch; the top for none. */
  readonly children: (node: TreeNode<D> | undefined) => Promise<readonly TreeNode<D>[]>
  /** Every leaf under a branch, however deep; not needed where one only is chosen. */
  readonly leaves?: (node: TreeNode<D>) => Promise<readonly TreeNode<D>[]>
  /** The leaves that fit a word. Without it there is no search box. */
  readonly search?: (word: string) => Promise<readonly TreeNode<D>[]>
}

export interface Level<D> {
  readonly nodes?: readonly TreeNode<D>[]
  readonly error?: unknown
}

export interface Tree<D> {
  /** By the key of the branch, `''` for the top. Without nodes and error: under way. */
  readonly levels: ReadonlyMap<string, Level<D>>
  /** All leaves under a branch, once they were fetched. */
  readonly leaves: ReadonlyMap<string, readonly TreeNode<D>[]>
  readonly expanded: ReadonlySet<string>
  readonly toggle: (node: TreeNode<D>, siblings: readonly TreeNode<D>[]) => void
  readonly loadLeaves: (node: TreeNode<D>) => Promise<readonly TreeNode<D>[]>
  readonly retry: (node: TreeNode<D> | undefined) => void
  /** Forgets everything and begins anew at the top. */
  readonly reload: () => void
}

/** A tree whose levels are fetched as they are opened; it begins open along `path`, the value that is set. */
export function useTree<D>(source: TreeSource<D>, path: readonly string[]): Tree<D> {
  const [levels, setLevels] = useState<ReadonlyMap<string, Level<D>>>(new Map())
  const [leaves, setLeaves] = useState<ReadonlyMap<string, readonly TreeNode<D>[]>>(new Map())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const now = useRef({ levels, leaves, turn: 0 })
  const way = useRef(path)
  now.current.levels = levels
  now.current.leaves = leaves

  const load = useCallback(
    async (node: TreeNode<D> | undefined): Promise<readonly TreeNode<D>[] | undefined> => {
      const key = node?.key ?? ''
      const known = now.current.levels.get(key)?.nodes
      const turn = now.current.turn
      if (known) return known
      const put = (l: Level<D>): void => {
        if (turn === now.current.turn) {
          setLevels(was => new Map(was).set(key, l))
        }
      }
      put({})
      try {
        const nodes = await source.children(node)
        put({ nodes })
        if (node && nodes.every(n => n.leaf)) {
          setLeaves(was => new Map(was).set(key, nodes))
        }
        return nodes
      } catch (error) {
        put({ error })
        return undefined
      }
    },
    [source],
  )
  const begin = useCallback(async (): Promise<void> => {
    const turn = ++now.current.turn
    setLevels(new Map())
    setLeaves(new Map())
    setOpen(new Set())
    now.current.levels = new Map()
    let nodes = await load(undefined)
    // The way to the value that is set, else on as long as there is only one way.
    for (let i = 0; nodes && turn === now.current.turn; i++) {
      const next = way.current.length
        ? nodes.find(n => n.key === way.current[i])
        : nodes.length === 1
          ? nodes[0]
          : undefined
      if (!next || next.leaf) break
      setOpen(was => new Set(was).add(next.key))
      nodes = await load(next)
    }
  }, [load])
  useEffect(() => {
    void begin()
  }, [begin])

  const toggle = useCallback(
    (node: TreeNode<D>, siblings: readonly TreeNode<D>[]): void => {
      setOpen(was =>
        toggleOpen(
          was,
          node.key,
          siblings.map(s => s.key),
        ),
      )
      void load(node)
    },
    [load],
  )
  const allUnder = useCallback(
    async (node: TreeNode<D>): Promise<readonly TreeNode<D>[]> => {
      const known = now.current.leaves.get(node.key)
      if (known || !source.leaves) return known ?? []
      const found = await source.leaves(node)
      setLeaves(was => new Map(was).set(node.key, found))
      return found
    },
    [source],
  )
  const retry = useCallback(
    (node: TreeNode<D> | undefined): void => {
      setLevels(was => {
        const next = new Map(was)
        next.delete(node?.key ?? '')
        now.current.levels = next
        return next
      })
      void load(node)
    },
    [load],
  )
  return {
    levels,
    leaves,
    expanded: open,
    toggle,
    loadLeaves: allUnder,
    retry,
    reload: useCallback(() => {
      way.current = []
      void begin()
    }, [begin]),
  }
}

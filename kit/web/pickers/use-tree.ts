import { useCallback, useEffect, useRef, useState } from 'react'
import { toggleOpen, type TreeNode } from './tree-selection.ts'

/** The source of a tree's nodes. */
export interface TreeSource<D> {
  /** The children of a branch; of the root for `undefined`. */
  readonly children: (node: TreeNode<D> | undefined) => Promise<readonly TreeNode<D>[]>
  /** Every leaf under a branch, at any depth; not needed where only one is chosen. */
  readonly leaves?: (node: TreeNode<D>) => Promise<readonly TreeNode<D>[]>
  /** The leaves that match a text. Without it there is no search input. */
  readonly search?: (word: string) => Promise<readonly TreeNode<D>[]>
}

export interface Level<D> {
  readonly nodes?: readonly TreeNode<D>[]
  readonly error?: unknown
}

export interface Tree<D> {
  /** By the key of the branch, `''` for the root. Without nodes and error: loading. */
  readonly levels: ReadonlyMap<string, Level<D>>
  /** All leaves under a branch, once they were loaded. */
  readonly leaves: ReadonlyMap<string, readonly TreeNode<D>[]>
  readonly expanded: ReadonlySet<string>
  readonly toggle: (node: TreeNode<D>, siblings: readonly TreeNode<D>[]) => void
  readonly loadLeaves: (node: TreeNode<D>) => Promise<readonly TreeNode<D>[]>
  readonly retry: (node: TreeNode<D> | undefined) => void
  /** Forgets everything and loads the root again. */
  readonly reload: () => void
}

type Levels<D> = ReadonlyMap<string, Level<D>>
type LeavesByBranch<D> = ReadonlyMap<string, readonly TreeNode<D>[]>

/** The newest state, for callbacks that outlive a render. A new `run` discards the results of older ones. */
interface TreeState<D> {
  levels: Levels<D>
  leaves: LeavesByBranch<D>
  run: number
}

/** The children of a branch as a level of the tree: its nodes, or why they could not be read. */
const readLevel = <D>(source: TreeSource<D>, node: TreeNode<D> | undefined): Promise<Level<D>> =>
  source.children(node).then(
    nodes => ({ nodes }),
    (error: unknown) => ({ error }),
  )

/** What has been read of a tree, and how more is read. */
function useLevels<D>(source: TreeSource<D>) {
  const [levels, setLevels] = useState<Levels<D>>(new Map())
  const [leaves, setLeaves] = useState<LeavesByBranch<D>>(new Map())
  const latest = useRef<TreeState<D>>({ levels, leaves, run: 0 })
  latest.current.levels = levels
  latest.current.leaves = leaves
  const load = useCallback(
    async (node: TreeNode<D> | undefined): Promise<readonly TreeNode<D>[] | undefined> => {
      const key = node?.key ?? ''
      const { run } = latest.current
      const known = latest.current.levels.get(key)?.nodes
      if (known) return known
      const setLevel = (level: Level<D>): void => {
        if (run === latest.current.run) {
          setLevels(previous => new Map(previous).set(key, level))
        }
      }
      setLevel({})
      const level = await readLevel(source, node)
      setLevel(level)
      const { nodes } = level
      if (node && nodes?.every(child => child.leaf)) {
        setLeaves(previous => new Map(previous).set(key, nodes))
      }
      return nodes
    },
    [source],
  )
  const loadLeaves = useCallback(
    async (node: TreeNode<D>): Promise<readonly TreeNode<D>[]> => {
      const known = latest.current.leaves.get(node.key)
      if (known || !source.leaves) return known ?? []
      const found = await source.leaves(node)
      setLeaves(previous => new Map(previous).set(node.key, found))
      return found
    },
    [source],
  )
  const retry = useCallback(
    (node: TreeNode<D> | undefined): void => {
      setLevels(previous => {
        const next = new Map(previous)
        next.delete(node?.key ?? '')
        latest.current.levels = next
        return next
      })
      void load(node)
    },
    [load],
  )
  /** Forgets everything. Returns the number of the new run. */
  const clear = useCallback((): number => {
    setLevels(new Map())
    setLeaves(new Map())
    latest.current.levels = new Map()
    return ++latest.current.run
  }, [])
  return { levels, leaves, latest, load, loadLeaves, retry, clear }
}

/** A tree whose levels are read as they are opened; it begins open along `path`, the value that is set. */
export function useTree<D>(source: TreeSource<D>, path: readonly string[]): Tree<D> {
  const { levels, leaves, latest, load, loadLeaves, retry, clear } = useLevels(source)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const openPath = useRef(path)
  const begin = useCallback(async (): Promise<void> => {
    const run = clear()
    setExpanded(new Set())
    let nodes = await load(undefined)
    // Along the path to the value that is set; without one, on as long as there is only one branch.
    for (let depth = 0; nodes && run === latest.current.run; depth++) {
      const onlyNode = nodes.length === 1 ? nodes[0] : undefined
      const next = openPath.current.length ? nodes.find(n => n.key === openPath.current[depth]) : onlyNode
      if (!next || next.leaf) break
      setExpanded(previous => new Set(previous).add(next.key))
      nodes = await load(next)
    }
  }, [load])
  useEffect(() => {
    void begin()
  }, [begin])
  const toggle = useCallback(
    (node: TreeNode<D>, siblings: readonly TreeNode<D>[]): void => {
      const siblingKeys = siblings.map(s => s.key)
      setExpanded(previous => toggleOpen(previous, node.key, siblingKeys))
      void load(node)
    },
    [load],
  )
  return {
    levels,
    leaves,
    expanded,
    toggle,
    loadLeaves,
    retry,
    reload: useCallback(() => {
      openPath.current = []
      void begin()
    }, [begin]),
  }
}

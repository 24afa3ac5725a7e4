import type { ReactNode } from 'react'

/** A node of a tree that is loaded as it is opened: a branch, or a leaf that can be chosen. */
export interface TreeNode<D = unknown> {
  readonly key: string
  readonly label: string
  /** Keys of its ancestors, from the top. */
  readonly path: readonly string[]
  readonly leaf: boolean
  /**
   * Leaves under a branch, as its list counts them; absent where that is not known before they are loaded.
   */
  readonly count?: number | undefined
  /** Before the name of a leaf: an avatar. */
  readonly prefix?: ReactNode
  /** Text after the name: `72 户`. */
  readonly note?: string | undefined
  /** A tag for its type: 商铺. */
  readonly tag?: string | undefined
  /** Why it cannot be chosen. */
  readonly disabledReason?: string | undefined
  /** Leaves with the same label share a line: `15F`. */
  readonly lineLabel?: string | undefined
  /** What the footer counts a leaf under: 3 栋. */
  readonly group?: string | undefined
  /** The full name, where it is alone. */
  readonly fullName?: string | undefined
  readonly data: D
}

export type ChosenLeaves<D = unknown> = ReadonlyMap<string, TreeNode<D>>
export type CheckState = 'none' | 'some' | 'all'

/** A selection, and how many leaves the limit left out. */
export interface SelectionResult<D> {
  readonly chosen: ChosenLeaves<D>
  readonly omitted: number
}

/** How many chosen leaves each branch contains. */
export function countChosen(chosen: ChosenLeaves): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const leaf of chosen.values()) {
    for (const key of leaf.path) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/**
 * A branch is checked, partly checked or not, by its leaves (0§4). `total` counts the selectable ones;
 * unknown: never fully.
 */
export const checkStateOf = (chosen: number, total: number | undefined): CheckState =>
  chosen === 0 ? 'none' : total !== undefined && chosen >= total ? 'all' : 'some'

/** Leaves of a branch that can be chosen: counted when they are loaded, else as its list says. */
export const selectableCount = (
  branch: Pick<TreeNode, 'count'>,
  leaves: readonly TreeNode[] | undefined,
): number | undefined => leaves?.filter(leaf => !leaf.disabledReason).length ?? branch.count

/** Opens or closes a branch; opening one closes its siblings (0§4). */
export function toggleOpen(
  open: ReadonlySet<string>,
  key: string,
  siblings: readonly string[],
): ReadonlySet<string> {
  const next = new Set(open)
  if (next.delete(key)) return next
  for (const s of siblings) {
    next.delete(s)
  }
  return next.add(key)
}

/**
 * Chooses or removes a leaf. Where only one is allowed, the second replaces the first (0§4); above `max`
 * nothing is added.
 */
export function toggleLeaf<D>(
  chosen: ChosenLeaves<D>,
  leaf: TreeNode<D>,
  { many, max = Infinity }: { readonly many: boolean; readonly max?: number | undefined },
): SelectionResult<D> {
  if (leaf.disabledReason) return { chosen, omitted: 0 }
  if (!many) return { chosen: new Map([[leaf.key, leaf]]), omitted: 0 }
  const next = new Map(chosen)
  if (next.delete(leaf.key)) return { chosen: next, omitted: 0 }
  return next.size < max ? { chosen: next.set(leaf.key, leaf), omitted: 0 } : { chosen, omitted: 1 }
}

/**
 * Checking a branch chooses all selectable leaves under it, up to `max`; checking it again removes them all
 * (0§4).
 */
export function toggleAll<D>(
  chosen: ChosenLeaves<D>,
  leaves: readonly TreeNode<D>[],
  max = Infinity,
): SelectionResult<D> {
  const selectable = leaves.filter(leaf => !leaf.disabledReason)
  const next = new Map(chosen)
  if (selectable.length && selectable.every(leaf => next.has(leaf.key))) {
    for (const leaf of selectable) {
      next.delete(leaf.key)
    }
    return { chosen: next, omitted: 0 }
  }
  const added = selectable.filter(leaf => !next.has(leaf.key))
  const freeSlots = Math.max(0, max - next.size)
  for (const leaf of added.slice(0, freeSlots)) {
    next.set(leaf.key, leaf)
  }
  return { chosen: next, omitted: Math.max(0, added.length - freeSlots) }
}

/** `3 栋 16、5 栋 96`: what is chosen, by group, the first four. */
export function summarizeChosen(chosen: ChosenLeaves): string {
  const counts = new Map<string, number>()
  for (const leaf of chosen.values()) {
    if (leaf.group) {
      counts.set(leaf.group, (counts.get(leaf.group) ?? 0) + 1)
    }
  }
  const all = [...counts].map(([g, c]) => `${g} ${c}`)
  return all.slice(0, 4).join('、') + (all.length > 4 ? ` 等 ${all.length} 处` : '')
}

/** Leaves line by line, in the order of each line's first leaf. */
export const groupIntoLines = <D>(
  leaves: readonly TreeNode<D>[],
): readonly (readonly [head: string, leaves: readonly TreeNode<D>[]])[] => [
  ...Map.groupBy(leaves, leaf => leaf.lineLabel ?? ''),
]

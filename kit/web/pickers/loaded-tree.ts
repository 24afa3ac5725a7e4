import type { TreeNode } from './tree-selection.ts'
import type { TreeSource } from './use-tree.ts'

/** Nodes that are all there as a source: each is under the last of its path, in the order given. */
export function loadedTree<D>(
  nodes: readonly TreeNode<D>[],
  search: (word: string, leaves: readonly TreeNode<D>[]) => Promise<readonly TreeNode<D>[]>,
): TreeSource<D> {
  const under = Map.groupBy(nodes, n => n.path.at(-1) ?? '')
  const leaves = nodes.filter(n => n.leaf)
  return {
    children: async n => under.get(n?.key ?? '') ?? [],
    leaves: async n => leaves.filter(l => l.path.includes(n.key)),
    search: word => search(word, leaves),
  }
}

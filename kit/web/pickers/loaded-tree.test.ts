import { expect, it } from 'vitest'
import { loadedTree } from './loaded-tree.ts'
import type { TreeNode } from './tree-selection.ts'

const node = (key: string, path: readonly string[], leaf: boolean): TreeNode<string> => ({
  key,
  label: key,
  path,
  leaf,
  data: key,
})
const [a, aa, inner, b] = [
  node('a', [], false),
  node('aa', ['a'], false),
  node('inner', ['a', 'aa'], true),
  node('b', [], true),
]
const own = node('own', ['a'], true)
const tree = loadedTree([a, aa, own, inner, b], async (word, leaves) =>
  leaves.filter(l => l.key.includes(word)),
)
const keysOf = (nodes: readonly TreeNode<string>[] | undefined) => nodes?.map(n => n.key)

it('opens branches in the order given, and gives every leaf under one, at any depth', async () => {
  expect(keysOf(await tree.children(undefined))).toEqual(['a', 'b'])
  expect(keysOf(await tree.children(a))).toEqual(['aa', 'own'])
  expect(keysOf(await tree.children(inner))).toEqual([])
  expect(keysOf(await tree.leaves?.(a))).toEqual(['own', 'inner'])
})

it('searches leaves alone', async () => expect(keysOf(await tree.search?.('n'))).toEqual(['own', 'inner']))

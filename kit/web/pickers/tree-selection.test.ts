import { expect, it } from 'vitest'
import {
  countChosen,
  groupIntoLines,
  summarizeChosen,
  checkStateOf,
  toggleAll,
  toggleLeaf,
  toggleOpen,
  selectableCount,
  type ChosenLeaves,
  type TreeNode,
} from './tree-selection.ts'

const leaf = (key: string, path: string[], overrides: Partial<TreeNode> = {}): TreeNode => ({
  key,
  label: key,
  path,
  leaf: true,
  data: key,
  ...overrides,
})

const chosenOf = (...leaves: TreeNode[]): ChosenLeaves => new Map(leaves.map(l => [l.key, l]))
const a = leaf('a', ['p', 'b1', 'u1'], { group: '1 栋' })
const b = leaf('b', ['p', 'b1', 'u1'], { group: '1 栋' })
const c = leaf('c', ['p', 'b2'], { group: '2 栋' })
const disabledLeaf = leaf('x', ['p', 'b1', 'u1'], { disabledReason: '空置' })

it('keeps only one sibling open', () => {
  let open: ReadonlySet<string> = new Set(['p', 'b1', 'u1'])
  open = toggleOpen(open, 'b2', ['b1', 'b2', 'b3'])
  expect([...open].toSorted()).toEqual(['b2', 'p', 'u1'])
  expect([...toggleOpen(open, 'b2', ['b1', 'b2', 'b3'])].toSorted()).toEqual(['p', 'u1'])
})

it('a second leaf replaces the first where only one is allowed', () => {
  const first = toggleLeaf(chosenOf(), a, { many: false })
  expect([...toggleLeaf(first.chosen, b, { many: false }).chosen.keys()]).toEqual(['b'])
  expect([...toggleLeaf(first.chosen, a, { many: false }).chosen.keys()]).toEqual(['a'])
})

it('chooses and removes several leaves, up to the limit and never disabled ones', () => {
  expect([...toggleLeaf(chosenOf(a), b, { many: true }).chosen.keys()]).toEqual(['a', 'b'])
  expect([...toggleLeaf(chosenOf(a, b), a, { many: true }).chosen.keys()]).toEqual(['b'])
  expect(toggleLeaf(chosenOf(a), b, { many: true, max: 1 })).toEqual({ chosen: chosenOf(a), omitted: 1 })
  expect(toggleLeaf(chosenOf(a), disabledLeaf, { many: true }).chosen.size).toBe(1)
})

it('checks all leaves of a branch, unchecks them when all are checked, and stops at the limit', () => {
  const all = toggleAll(chosenOf(a), [a, b, disabledLeaf])
  expect([...all.chosen.keys()]).toEqual(['a', 'b'])
  expect(toggleAll(all.chosen, [a, b, disabledLeaf]).chosen.size).toBe(0)
  const limited = toggleAll(chosenOf(c), [a, b], 2)
  expect([...limited.chosen.keys()]).toEqual(['c', 'a'])
  expect(limited.omitted).toBe(1)
  expect(toggleAll(chosenOf(c), []).chosen).toEqual(chosenOf(c))
})

it('reports all, some or none by the selectable leaves', () => {
  const counts = countChosen(chosenOf(a, b, c))
  expect([counts.get('p'), counts.get('b1'), counts.get('b2'), counts.get('b3')]).toEqual([
    3,
    2,
    1,
    undefined,
  ])
  expect(checkStateOf(2, selectableCount({ count: 3 }, [a, b, disabledLeaf]))).toBe('all')
  expect(checkStateOf(2, selectableCount({ count: 3 }, undefined))).toBe('some')
  expect(checkStateOf(0, 0)).toBe('none')
  expect(checkStateOf(5, undefined)).toBe('some')
})

it('summarizes by group and groups leaves into lines', () => {
  expect(summarizeChosen(chosenOf(a, b, c))).toBe('1 栋 2、2 栋 1')
  expect(
    groupIntoLines([
      leaf('1', [], { lineLabel: '2F' }),
      leaf('2', [], { lineLabel: '1F' }),
      leaf('3', [], { lineLabel: '2F' }),
    ]).map(([h, l]) => [h, l.length]),
  ).toEqual([
    ['2F', 2],
    ['1F', 1],
  ])
})

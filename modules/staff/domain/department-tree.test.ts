import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { findSelfAndDescendants, findParentFault, pruneTree, buildDepartmentTree } from './department-tree.ts'

const departments = [
  { id: asId(1), name: '总部' },
  { id: asId(2), name: '工程', parentId: asId(1) },
  { id: asId(3), name: '电梯', parentId: asId(2) },
  { id: asId(4), name: '客服', parentId: asId(1) },
  { id: asId(5), name: '孤', parentId: asId(99) },
]

it('builds the tree with counts of all below', () => {
  const leaf = (staffId: Id) => ({ staffId, staffName: `员${staffId}`, state: 'active' as const })
  const t = buildDepartmentTree(
    departments,
    new Map([
      [asId(3), [leaf(asId(1)), leaf(asId(2))]],
      [asId(4), [leaf(asId(3))]],
    ]),
  )
  expect(t.map(n => [n.name, n.count])).toEqual([
    ['总部', 3],
    ['孤', 0],
  ])
  expect(defined(t[0]).children.map(n => [n.name, n.count])).toEqual([
    ['工程', 2],
    ['客服', 1],
  ])
  expect(
    pruneTree(
      t,
      n => n.name === '电梯',
      () => false,
    ).map(n => n.children.map(c => c.children.map(x => x.name))),
  ).toEqual([[['电梯']]])
})

it('keeps departments out of themselves and the tree within its depth', () => {
  expect(findSelfAndDescendants(departments, asId(2))).toEqual([2, 3])
  expect(findParentFault(departments, asId(2), asId(3))).toBe('不能移到本部门或其下级')
  expect(findParentFault(departments, asId(3), asId(1))).toBeUndefined()
  const deep = Array.from({ length: 8 }, (_, i) => ({
    id: asId(i + 1),
    name: `${i}`,
    ...(i ? { parentId: asId(i) } : {}),
  }))
  expect(findParentFault(deep, undefined, asId(8))).toBe('部门最多 8 层')
  expect(findParentFault(deep, undefined, asId(7))).toBeUndefined()
})

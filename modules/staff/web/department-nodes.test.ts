import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { buildDepartmentTree } from '../domain/department-tree.ts'
import { departmentNodes } from './department-nodes.ts'

const tree = buildDepartmentTree([
  { id: asId(1), name: '总部' },
  { id: asId(2), name: '工程', parentId: asId(1) },
  { id: asId(3), name: '电梯', parentId: asId(2) },
  { id: asId(4), name: '客服', parentId: asId(1) },
  { id: asId(5), name: '孤', parentId: asId(99) },
])

it('offers each department once, beside those above it (0§3)', () => {
  const leaves = tree.flatMap(d => departmentNodes(d)).filter(n => n.leaf)
  expect(leaves.map(n => [n.data.value, n.data.label, n.data.note])).toEqual([
    ['1', '总部', undefined],
    ['2', '工程', '总部'],
    ['3', '电梯', '总部 › 工程'],
    ['4', '客服', '总部'],
    ['5', '孤', undefined],
  ])
})

it('shows a department with others under it as a branch, and as its first leaf', () => {
  expect(tree.flatMap(d => departmentNodes(d)).map(n => [n.key, n.label, n.path.join('/')])).toEqual([
    ['d1', '总部', ''],
    ['1', '总部（本部门）', 'd1'],
    ['d2', '工程', 'd1'],
    ['2', '工程（本部门）', 'd1/d2'],
    ['3', '电梯', 'd1/d2'],
    ['4', '客服', 'd1'],
    ['5', '孤', ''],
  ])
})

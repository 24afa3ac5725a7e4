import type { Id } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { loadedTree } from '#kit/web/pickers/loaded-tree.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import { useCall } from '#kit/web/query.ts'
import { getDepartmentTree, type DepartmentNode } from '../contract/department.ts'

export interface PickedDepartment {
  readonly id: Id
  readonly name: string
}

const countDepartments = (d: DepartmentNode): number =>
  d.children.reduce((sum, c) => sum + countDepartments(c), 1)

/** A department with others under it is a branch, and the first leaf in it. */
function nodesOf(
  d: DepartmentNode,
  path: readonly string[] = [],
  names: readonly string[] = [],
): readonly TreeNode<PickedDepartment>[] {
  const branchKey = `d${d.id}`
  const data = { id: d.id, name: d.name }
  const note = `${d.count} 人`
  const leaf = {
    key: String(d.id),
    leaf: true,
    fullName: [...names, d.name].join(' › '),
    data,
    group: names[0] ?? d.name,
  } as const
  if (!d.children.length) return [{ ...leaf, label: d.name, path, note }]
  return [
    { key: branchKey, label: d.name, path, leaf: false, count: countDepartments(d), note, data },
    { ...leaf, label: `${d.name}（本部门）`, path: [...path, branchKey] },
    ...d.children.flatMap(c => nodesOf(c, [...path, branchKey], [...names, d.name])),
  ]
}

const searchDepartments = async (word: string, leaves: readonly TreeNode<PickedDepartment>[]) => {
  const match = await loadPinyinMatcher()
  return leaves.filter(l => match(l.data.name, word) !== undefined)
}

interface Props {
  readonly value: readonly Id[]
  readonly many?: boolean
  readonly max?: number | undefined
  readonly onDone: (chosen: readonly PickedDepartment[] | undefined) => void
}

/** 选择部门: the tree of departments as a slide-in, one or several. */
export function DepartmentPicker({ value, many = false, max, onDone }: Props) {
  const tree = useCall(getDepartmentTree, {}, { quiet: true, staleMs: 0 })
  const nodes = useMemo(() => tree.data?.flatMap(d => nodesOf(d)), [tree.data])
  const loaded = useMemo(() => nodes && loadedTree(nodes, searchDepartments), [nodes])
  const failing = useMemo<TreeSource<PickedDepartment>>(
    () => ({
      children: async () => {
        throw tree.error ?? new Error('部门加载失败，请重试')
      },
    }),
    [tree.error],
  )
  if (!nodes && !tree.isError) return null
  return (
    <TreePicker
      title="选择部门"
      source={loaded ?? failing}
      multiple={many}
      {...(many && max ? { max } : {})}
      unit="个部门"
      layout="rows"
      placeholder="部门名称或拼音首字母"
      emptyText="暂无部门，请先在通讯录新增部门"
      value={nodes?.filter(n => n.leaf && value.includes(n.data.id)) ?? []}
      onDone={got => onDone(got?.map(n => n.data))}
    />
  )
}

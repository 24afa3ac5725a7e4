import type { Id } from '#kit/domain/id.ts'
import { useMemo } from 'react'
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

/** A department with others under it is a branch, and the first leaf in it. */
function buildNodes(tree: readonly DepartmentNode[]): {
  readonly source: TreeSource<PickedDepartment>
  readonly leaves: readonly TreeNode<PickedDepartment>[]
} {
  const under = new Map<string, TreeNode<PickedDepartment>[]>()
  const leaves: TreeNode<PickedDepartment>[] = []
  const put = (at: string, n: TreeNode<PickedDepartment>): void => {
    under.set(at, [...(under.get(at) ?? []), n])
    if (n.leaf) {
      leaves.push(n)
    }
  }
  const walk = (d: DepartmentNode, path: readonly string[], names: readonly string[]): number => {
    const key = `d${d.id}`
    const at = path.at(-1) ?? ''
    const own = {
      leaf: true,
      fullName: [...names, d.name].join(' › '),
      data: { id: d.id, name: d.name },
      group: names[0] ?? d.name,
    } as const
    if (!d.children.length) {
      put(at, { ...own, key: String(d.id), label: d.name, path, note: `${d.count} 人` })
      return 1
    }
    put(key, { ...own, key: String(d.id), label: `${d.name}（本部门）`, path: [...path, key] })
    const n = 1 + d.children.reduce((sum, c) => sum + walk(c, [...path, key], [...names, d.name]), 0)
    put(at, { key, label: d.name, path, leaf: false, count: n, note: `${d.count} 人`, data: own.data })
    return n
  }
  for (const d of tree) {
    walk(d, [], [])
  }
  return {
    leaves,
    source: {
      children: async n => under.get(n?.key ?? '') ?? [],
      leaves: async n => leaves.filter(l => l.path.includes(n.key)),
      search: async word => {
        const match = await loadPinyinMatcher()
        return leaves.filter(l => match(l.data.name, word) !== undefined)
      },
    },
  }
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
  const nodes = useMemo(() => tree.data && buildNodes(tree.data), [tree.data])
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
      source={nodes?.source ?? failing}
      multiple={many}
      {...(many && max ? { max } : {})}
      unit="个部门"
      layout="rows"
      placeholder="部门名称或拼音首字母"
      emptyText="暂无部门，请先在通讯录新增部门"
      value={nodes?.leaves.filter(l => value.includes(l.data.id)) ?? []}
      onDone={got => onDone(got?.map(n => n.data))}
    />
  )
}

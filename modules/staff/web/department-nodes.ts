import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { Option } from '#kit/web/refs.ts'
import type { DepartmentNode } from '../contract/department.ts'

const countDepartments = (d: DepartmentNode): number =>
  d.children.reduce((sum, c) => sum + countDepartments(c), 1)

/** A department with others under it is a branch, and the first leaf in it. */
export function departmentNodes(
  d: DepartmentNode,
  path: readonly string[] = [],
  names: readonly string[] = [],
): readonly TreeNode<Option>[] {
  const key = String(d.id)
  const branchKey = `d${d.id}`
  const data = { value: key, label: d.name, note: names.join(' › ') || undefined }
  const note = `${d.count} 人`
  const fullName = [...names, d.name].join(' › ')
  const leaf = { key, leaf: true, fullName, data, group: names[0] ?? d.name } as const
  if (!d.children.length) return [{ ...leaf, label: d.name, path, note }]
  return [
    { key: branchKey, label: d.name, path, leaf: false, count: countDepartments(d), note, data },
    { ...leaf, label: `${d.name}（本部门）`, path: [...path, branchKey] },
    ...d.children.flatMap(c => departmentNodes(c, [...path, branchKey], [...names, d.name])),
  ]
}

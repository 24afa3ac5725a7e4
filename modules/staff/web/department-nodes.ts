import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { Option } from '#kit/web/refs.ts'
import type { DepartmentNode } from '../contract/department.ts'

const countDepartments = (d: DepartmentNode): number =>
  d.children.reduce((sum, c) => sum + countDepartments(c), 1)

/** A department with others under it is a branch, and the first leaf in it. */
export function departmentNodes(
  department: DepartmentNode,
  path: readonly string[] = [],
  names: readonly string[] = [],
): readonly TreeNode<Option>[] {
  const key = String(department.id)
  const branchKey = `d${department.id}`
  const data = { value: key, label: department.name, note: names.join(' › ') || undefined }
  const note = `${department.count} 人`
  const fullName = [...names, department.name].join(' › ')
  const leaf = { key, leaf: true, fullName, data, group: names[0] ?? department.name } as const
  if (!department.children.length) return [{ ...leaf, label: department.name, path, note }]
  return [
    {
      key: branchKey,
      label: department.name,
      path,
      leaf: false,
      count: countDepartments(department),
      note,
      data,
    },
    { ...leaf, label: `${department.name}（本部门）`, path: [...path, branchKey] },
    ...department.children.flatMap(c =>
      departmentNodes(c, [...path, branchKey], [...names, department.name]),
    ),
  ]
}

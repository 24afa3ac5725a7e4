import type { Id } from '#kit/domain/id.ts'
import { loadedTree } from '#kit/web/pickers/loaded-tree.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import { send } from '#kit/web/send.ts'
import type { DepartmentNode, StaffLeaf } from '../contract/department.ts'
import { pickStaff } from '../contract/staff.ts'
import { StaffAvatar } from './staff-avatar.tsx'

/** Somebody who was chosen. */
export interface PickedStaff {
  readonly id: Id
  readonly name: string
  readonly position?: string | undefined
  readonly departmentId?: Id | undefined
  readonly departmentName?: string | undefined
  readonly managerId?: Id | undefined
}

export type GetDisabledReason = (s: PickedStaff) => string | undefined
type StaffNode = TreeNode<PickedStaff>

const toPickedStaff = (staffLeaf: StaffLeaf, department: DepartmentNode): PickedStaff => ({
  id: staffLeaf.staffId,
  name: staffLeaf.staffName,
  position: staffLeaf.position,
  managerId: staffLeaf.managerId,
  ...(department.id ? { departmentId: department.id, departmentName: department.name } : {}),
})

export const toStaffNode = (
  pickedStaff: PickedStaff,
  path: readonly string[],
  disabledReason?: GetDisabledReason,
): StaffNode => ({
  key: String(pickedStaff.id),
  label: pickedStaff.name,
  path,
  leaf: true,
  prefix: <StaffAvatar name={pickedStaff.name} />,
  note: pickedStaff.position,
  fullName: pickedStaff.name,
  group: pickedStaff.departmentName,
  disabledReason: disabledReason?.(pickedStaff),
  data: pickedStaff,
})

/** Each person once, with the path in the tree. */
export function collectPeople(
  tree: readonly DepartmentNode[],
  disabledReason?: GetDisabledReason,
): StaffNode[] {
  const walk = (node: DepartmentNode, path: readonly string[]): StaffNode[] => {
    const here = [...path, `d${node.id}`]
    return [
      ...node.staffs.map(s => toStaffNode(toPickedStaff(s, node), here, disabledReason)),
      ...node.children.flatMap(c => walk(c, here)),
    ]
  }
  return tree.flatMap(n => walk(n, []))
}

/** People by name, department or position; by mobile number the server looks. */
async function searchStaff(all: ReturnType<typeof collectPeople>, word: string) {
  const match = await loadPinyinMatcher()
  const matches = (text: string | undefined): boolean => text !== undefined && match(text, word) !== undefined
  // A phone is not in the tree: the server knows whose it is.
  const byMobile = /\d{3}/.test(word)
    ? new Set(
        (await send(pickStaff, { keyword: word, page: 1, size: 2000 }, { quiet: true })).rows.map(s =>
          String(s.id),
        ),
      )
    : undefined
  return all
    .filter(
      p =>
        matches(p.label) ||
        matches(p.data.departmentName) ||
        matches(p.data.position) ||
        byMobile?.has(p.key),
    )
    .map(p => ({ ...p, note: [p.data.departmentName, p.data.position].filter(Boolean).join(' · ') }))
}

/** A loaded tree as a source: departments open into departments and people; people are its leaves (0§3). */
export function createStaffSource(
  tree: readonly DepartmentNode[],
  disabledReason?: GetDisabledReason,
): TreeSource<PickedStaff> {
  const people = collectPeople(tree, disabledReason)
  const selectableCounts = Map.groupBy(
    people.filter(p => !p.disabledReason).flatMap(p => p.path),
    key => key,
  )
  const branches = (node: DepartmentNode, path: readonly string[]): TreeNode<PickedStaff>[] => {
    const key = `d${node.id}`
    return [
      {
        key,
        label: node.name,
        path,
        leaf: false,
        count: selectableCounts.get(key)?.length ?? 0,
        note: `${node.count} 人`,
        data: node,
      },
      ...node.children.flatMap(c => branches(c, [...path, key])),
    ]
  }
  return loadedTree([...tree.flatMap(n => branches(n, [])), ...people], word => searchStaff(people, word))
}

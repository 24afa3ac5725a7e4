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

const toPickedStaff = (s: StaffLeaf, d: DepartmentNode): PickedStaff => ({
  id: s.staffId,
  name: s.staffName,
  position: s.position,
  managerId: s.managerId,
  ...(d.id ? { departmentId: d.id, departmentName: d.name } : {}),
})

export const toStaffNode = (
  p: PickedStaff,
  path: readonly string[],
  disabledReason?: GetDisabledReason,
): StaffNode => ({
  key: String(p.id),
  label: p.name,
  path,
  leaf: true,
  prefix: <StaffAvatar name={p.name} />,
  note: p.position,
  fullName: p.name,
  group: p.departmentName,
  disabledReason: disabledReason?.(p),
  data: p,
})

/** Each person once, with the path in the tree. */
export function collectPeople(
  tree: readonly DepartmentNode[],
  disabledReason?: GetDisabledReason,
): StaffNode[] {
  const walk = (n: DepartmentNode, path: readonly string[]): StaffNode[] => {
    const here = [...path, `d${n.id}`]
    return [
      ...n.staffs.map(s => toStaffNode(toPickedStaff(s, n), here, disabledReason)),
      ...n.children.flatMap(c => walk(c, here)),
    ]
  }
  return tree.flatMap(n => walk(n, []))
}

/** People by name, department or position; by mobile number the server looks. */
async function searchStaff(all: ReturnType<typeof collectPeople>, word: string) {
  const match = await loadPinyinMatcher()
  const matches = (text: string | undefined): boolean => text !== undefined && match(text, word) !== undefined
  // A telephone is not in the tree: the server knows whose it is.
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
  const branches = (n: DepartmentNode, path: readonly string[]): TreeNode<PickedStaff>[] => {
    const key = `d${n.id}`
    return [
      {
        key,
        label: n.name,
        path,
        leaf: false,
        count: selectableCounts.get(key)?.length ?? 0,
        note: `${n.count} 人`,
        data: n,
      },
      ...n.children.flatMap(c => branches(c, [...path, key])),
    ]
  }
  return loadedTree([...tree.flatMap(n => branches(n, [])), ...people], word => searchStaff(people, word))
}

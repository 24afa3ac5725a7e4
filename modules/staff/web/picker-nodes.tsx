import type { Node } from '#kit/web/pickers/choosing.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { matcher } from '#kit/web/pinyin.ts'
import { send } from '#kit/web/send.ts'
import type { DepartmentNode, StaffLeaf } from '../contract/department.ts'
import { listStaff } from '../contract/staff.ts'
import { Face } from './face.tsx'

/** Somebody who was chosen. */
export interface PickedStaff {
  readonly id: number
  readonly name: string
  readonly position?: string | undefined
  readonly departmentId?: number | undefined
  readonly departmentName?: string | undefined
  readonly managerId?: number | undefined
}

export type Forbids = (s: PickedStaff) => string | undefined
type Leaf = Node<PickedStaff>

const picked = (s: StaffLeaf, d: DepartmentNode): PickedStaff => ({
  id: s.staffId,
  name: s.staffName,
  position: s.position,
  managerId: s.managerId,
  ...(d.id ? { departmentId: d.id, departmentName: d.name } : {}),
})

export const leafOf = (p: PickedStaff, path: readonly string[], why?: Forbids): Leaf => ({
  key: String(p.id),
  label: p.name,
  path,
  leaf: true,
  lead: <Face name={p.name} />,
  note: p.position,
  full: p.name,
  group: p.departmentName,
  off: why?.(p),
  data: p,
})

/** Each person once, where he stands in the tree. */
export function peopleOf(tree: readonly DepartmentNode[], why?: Forbids): Leaf[] {
  const walk = (n: DepartmentNode, path: readonly string[]): Leaf[] => {
    const here = [...path, `d${n.id}`]
    return [...n.staffs.map(s => leafOf(picked(s, n), here, why)), ...n.children.flatMap(c => walk(c, here))]
  }
  return tree.flatMap(n => walk(n, []))
}

/**
 * The tree that is known already as a source: departments open into departments and people, people are its
 * leaves (0§3).
 */
export function sourceOf(tree: readonly DepartmentNode[], why?: Forbids): TreeSource<PickedStaff> {
  const all = peopleOf(tree, why)
  const able = new Map<string, number>()
  const under = new Map<string, Node<PickedStaff>[]>()
  for (const p of all) {
    for (const k of p.path) {
      able.set(k, (able.get(k) ?? 0) + (p.off ? 0 : 1))
    }
  }
  const walk = (n: DepartmentNode, path: readonly string[]): void => {
    const key = `d${n.id}`
    under.set(path.at(-1) ?? '', [
      ...(under.get(path.at(-1) ?? '') ?? []),
      {
        key,
        label: n.name,
        path,
        leaf: false,
        count: able.get(key) ?? 0,
        note: `${n.count} 人`,
        data: n as never,
      },
    ])
    for (const c of n.children) {
      walk(c, [...path, key])
    }
    under.set(key, [
      ...(under.get(key) ?? []),
      ...n.staffs.map(s => leafOf(picked(s, n), [...path, key], why)),
    ])
  }
  for (const n of tree) {
    walk(n, [])
  }
  return {
    under: async n => under.get(n?.key ?? '') ?? [],
    leaves: async n => all.filter(p => p.path.includes(n.key)),
    find: async word => {
      const match = await matcher()
      const fits = (text: string | undefined): boolean =>
        text !== undefined && match(text, word) !== undefined
      // A telephone is not in the tree: the server knows whose it is.
      const called = /\d{3}/.test(word)
        ? new Set(
            (await send(listStaff, { keyword: word, page: 1, size: 2000 }, { quiet: true })).rows.map(s =>
              String(s.id),
            ),
          )
        : undefined
      return all
        .filter(
          p => fits(p.label) || fits(p.data.departmentName) || fits(p.data.position) || called?.has(p.key),
        )
        .map(p => ({ ...p, note: [p.data.departmentName, p.data.position].filter(Boolean).join(' · ') }))
    },
  }
}

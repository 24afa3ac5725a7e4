import type { Id } from '#kit/domain/id.ts'
import type { DepartmentNode, StaffLeaf } from '../contract/department.ts'

export interface FlatDepartment {
  readonly id: Id
  readonly name: string
  readonly parentId?: Id
  readonly sort?: number
}

/** How deep a tree may be: as deep as the wire carries. */
export const maxDepth = 8

/**
 * Departments under their parents, in order; whose parent is gone is at the top. Counts take in everyone
 * below.
 */
export function buildDepartmentTree(
  all: readonly FlatDepartment[],
  staffs: ReadonlyMap<Id, readonly StaffLeaf[]> = new Map(),
  counts: ReadonlyMap<Id, number> = new Map(),
): DepartmentNode[] {
  const known = new Set(all.map(d => d.id))
  const under = Map.groupBy(all, d => (d.parentId !== undefined && known.has(d.parentId) ? d.parentId : 0))
  const node = (department: FlatDepartment, seen: ReadonlySet<Id>): DepartmentNode => {
    const children = (under.get(department.id) ?? [])
      .filter(c => !seen.has(c.id))
      .map(c => node(c, new Set([...seen, c.id])))
    const own = staffs.get(department.id) ?? []
    return {
      ...department,
      staffs: own,
      children,
      count: (counts.get(department.id) ?? own.length) + children.reduce((n, c) => n + c.count, 0),
    }
  }
  return (under.get(0) ?? []).map(d => node(d, new Set([d.id])))
}

/** Only branches that lead to something wanted; a wanted department keeps all under it. */
export const pruneTree = (
  nodes: readonly DepartmentNode[],
  wanted: (n: DepartmentNode) => boolean,
  leaf: (s: StaffLeaf) => boolean,
): DepartmentNode[] =>
  nodes.flatMap(node => {
    if (wanted(node)) return [node]
    const children = pruneTree(node.children, wanted, leaf)
    const staffs = node.staffs.filter(leaf)
    return children.length || staffs.length ? [{ ...node, children, staffs }] : []
  })

/** The ids under a department, itself included. */
export function findSelfAndDescendants(all: readonly FlatDepartment[], id: Id): Id[] {
  const out = [id]
  for (let i = 0; i < out.length; i++) {
    for (const d of all) {
      if (d.parentId === out[i] && !out.includes(d.id)) {
        out.push(d.id)
      }
    }
  }
  return out
}

/** Why a department may not be under another: not below itself, not deeper than the tree may be. */
export function findParentFault(
  all: readonly FlatDepartment[],
  id: Id | undefined,
  parentId: Id | undefined,
): string | undefined {
  if (parentId === undefined) return undefined
  if (id !== undefined && findSelfAndDescendants(all, id).includes(parentId)) return '不能移到本部门或其下级'
  const by = new Map(all.map(d => [d.id, d]))
  let depth = 1
  for (let p = by.get(parentId); p; p = p.parentId === undefined ? undefined : by.get(p.parentId)) {
    if (++depth > 100) break
  }
  const height = (x: number): number =>
    1 + Math.max(0, ...all.filter(d => d.parentId === x).map(d => height(d.id)))
  return depth + (id === undefined ? 1 : height(id)) - 1 > maxDepth ? `部门最多 ${maxDepth} 层` : undefined
}

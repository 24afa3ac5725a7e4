import type { Id } from '#kit/domain/id.ts'

export interface TypeNode {
  readonly id: Id
  readonly parentId?: Id | undefined
}

export const maxLevels = 3

/** The type itself and what is above it, the nearest first. A circle ends where it closes. */
export function ancestorsOf<T extends TypeNode>(types: ReadonlyMap<Id, T>, id: Id): T[] {
  const path: T[] = []
  let next = types.get(id)
  while (next && !path.includes(next)) {
    path.push(next)
    next = next.parentId === undefined ? undefined : types.get(next.parentId)
  }
  return path
}

/** The type itself and all that lie under it. */
export function descendantsOf(types: Iterable<TypeNode>, id: Id): Set<Id> {
  const found = new Set<Id>([id])
  const all = [...types]
  for (let grown = true; grown;) {
    const before = found.size
    for (const type of all) {
      if (type.parentId !== undefined && found.has(type.parentId)) {
        found.add(type.id)
      }
    }
    grown = found.size > before
  }
  return found
}

const depthBelow = (types: Iterable<TypeNode>, id: Id): number => {
  const all = [...types]
  const depth = (at: Id, seen: number): number =>
    seen > all.length
      ? seen
      : Math.max(1, ...all.filter(type => type.parentId === at).map(type => 1 + depth(type.id, seen + 1)))
  return depth(id, 0)
}

/** Why a type may not lie under that one: a circle, or deeper than three levels (WO-1). */
export function parentRefusal(
  types: ReadonlyMap<Id, TypeNode>,
  id: Id | undefined,
  parentId: Id | undefined,
): string | undefined {
  if (parentId === undefined) return undefined
  if (!types.has(parentId)) return '上级类型不存在或已被删除，请重新选择'
  if (id !== undefined && descendantsOf(types.values(), id).has(parentId))
    return '上级类型不能是它自己或它的下级'
  const above = ancestorsOf(types, parentId).length
  const below = id === undefined ? 1 : depthBelow(types.values(), id)
  return above + below > maxLevels ? `类型最多 ${maxLevels} 级，请选择更上一级的类型` : undefined
}

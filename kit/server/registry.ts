import type { Entity } from '#kit/contract/entity.ts'

const known = new Map<string, Entity<any>>()
/** Every entity of the running product by its name: references are followed through it. */
export function knowEntities(all: readonly Entity<any>[]): void {
  for (const e of all) {
    const other = known.get(e.name)
    if (other && other !== e) throw new Error(`Two entities are called ${e.name}`)
    known.set(e.name, e)
  }
}
export function entityNamed(name: string): Entity<any> {
  const e = known.get(name)
  if (!e) throw new Error(`No entity is called ${name}`)
  return e
}
export const entities = (): readonly Entity<any>[] => [...known.values()]

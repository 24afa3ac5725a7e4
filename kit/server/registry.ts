import type { Entity } from '#kit/contract/entity.ts'
import type { Choices } from '#kit/contract/field.ts'

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

const tables = new Map<string, Choices>()

/** Every choice table by the name under which it is served. */
export function knowChoices(all: readonly Choices[]): void {
  for (const c of all) {
    const other = tables.get(c.name)
    if (other && other !== c && JSON.stringify(other.rows) !== JSON.stringify(c.rows))
      throw new Error(`Two choice tables are called ${c.name}`)
    tables.set(c.name, c)
  }
}

export const choiceTables = (): readonly Choices[] => [...tables.values()]

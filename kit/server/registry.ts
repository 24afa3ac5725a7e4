import type { Entity } from '#kit/contract/entity.ts'
import type { Choices } from '#kit/contract/field.ts'

const entitiesByName = new Map<string, Entity>()

/** Every entity of the running product by its name: references are followed through it. */
export function registerEntities(all: readonly Entity[]): void {
  for (const e of all) {
    const other = entitiesByName.get(e.name)
    if (other && other !== e) throw new Error(`Two entities are called ${e.name}`)
    entitiesByName.set(e.name, e)
  }
}

export function getEntity(name: string): Entity {
  const e = entitiesByName.get(name)
  if (!e) throw new Error(`No entity is called ${name}`)
  return e
}

export const allEntities = (): readonly Entity[] => [...entitiesByName.values()]

const choicesByName = new Map<string, Choices>()

/** Every choice table by the name under which it is served. */
export function registerChoices(all: readonly Choices[]): void {
  for (const choices of all) {
    const other = choicesByName.get(choices.name)
    if (other && other !== choices && JSON.stringify(other.rows) !== JSON.stringify(choices.rows))
      throw new Error(`Two choice tables are called ${choices.name}`)
    choicesByName.set(choices.name, choices)
  }
}

export const allChoices = (): readonly Choices[] => [...choicesByName.values()]

import type { Field, FieldKind, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { wireMembersOf } from '#kit/contract/wire.ts'
import type { Direction } from './components.ts'

const firstCode = (field: Field): unknown => Object.values(field.choices?.rows ?? {})[0]?.[0] ?? 0
const within = (field: Field): number => Math.max(field.min ?? 1, Math.min(1, field.max ?? 1))

/** A value of each kind, in its wire form. */
const exampleByKind: Record<Exclude<FieldKind, 'part' | 'lines'>, (field: Field) => unknown> = {
  id: within,
  int: within,
  text: field => (field.label === '手机号' ? '13800138000' : field.label).slice(0, field.max ?? 20),
  decimal: () => '1.5',
  money: () => '100.00',
  day: () => '2026-02-28',
  month: () => '2026-02',
  moment: () => '2026-02-28 09:12:00',
  flag: () => 1,
  choice: firstCode,
  choices: field => [firstCode(field)],
  ref: field => (field.targetBy === 'key' ? 'A0001' : 1),
  list: () => 'A,B',
  file: () => 'k7Qm2c',
}

const maxDepth = 3

function exampleOfField(field: Field, direction: Direction, depth: number): unknown {
  if (field.kind !== 'part' && field.kind !== 'lines') return exampleByKind[field.kind](field)
  if (field.kind === 'lines' && depth >= maxDepth) return []
  const row = exampleOfMembers(nestedFieldsOf(field), direction, depth + 1)
  return field.kind === 'lines' ? [row] : row
}

/** The required members of what is sent; of an answer all of them, where nothing is required `null`. */
export function exampleOfMembers(
  described: Shape | Fields,
  direction: Direction,
  depth = 0,
): Record<string, unknown> {
  return Object.fromEntries(
    wireMembersOf(described).flatMap(({ field, names }) => {
      if (direction === 'input')
        return field.required ? [[names[0], exampleOfField(field, direction, depth)]] : []
      const isShown = field.required || (depth === 0 && field.kind !== 'part' && field.kind !== 'lines')
      const value = isShown ? exampleOfField(field, direction, depth) : null
      return names.map(name => [name, value])
    }),
  )
}

export const exampleOfValue = (field: Field, direction: Direction): unknown =>
  exampleOfField(field, direction, 0)

import type { Field, Fields } from '../field.ts'
import type { Shape } from '../shape.ts'

/** An object of the wire before or after its members have been read. */
export type RawObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is RawObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/**
 * `cardNo` → `CardNo`, `lotId` → `LotID`. A name the rule does not make is written on its field or its
 * shape.
 */
const toPascalCase = (key: string): string =>
  (key.charAt(0).toUpperCase() + key.slice(1)).replace(/Id$/, 'ID')

type Names = readonly [first: string, ...others: string[]]

const wireNamesOf = (key: string, field: Field, shape?: Pick<Shape, 'wireNames'>): Names => {
  const declared = shape?.wireNames?.[key] ?? field.wire ?? toPascalCase(key)
  if (typeof declared === 'string') return [declared]
  const [first = toPascalCase(key), ...others] = declared
  return [first, ...others]
}

/** The name we write first, as a fault names the field. */
export const wireNameOf = (key: string, field: Field, shape?: Pick<Shape, 'wireNames'>): string =>
  wireNamesOf(key, field, shape)[0]

/** A member on the wire, computed once per shape: names as written, and in lower case as read. */
export interface WireMember {
  readonly key: string
  readonly field: Field
  readonly names: Names
  readonly lowerNames: readonly string[]
  readonly topLevelNames: readonly string[]
  readonly nested: 'lines' | 'part' | undefined
}

/** What the envelope itself carries for the input that has none of it. */
const envelopeNames = ['id', 'ids', 'pageindex', 'pagesize', 'projectcode', 'keyword']

const membersCache = new WeakMap<object, readonly WireMember[]>()

export const isShape = (described: Shape | Fields): described is Shape =>
  'form' in described && typeof described.form === 'string'

/** A shape's members, or those of a bare set of fields (nested rows); made once each. */
export function wireMembersOf(described: Shape | Fields): readonly WireMember[] {
  const known = membersCache.get(described)
  if (known) return known
  const shape = isShape(described) ? described : undefined
  const fields: Fields = isShape(described) ? described.fields : described
  const members = Object.entries(fields).map(([key, field]) => {
    const names = wireNamesOf(key, field, shape)
    const lowerNames = names.map(name => name.toLowerCase())
    return {
      key,
      field,
      names,
      lowerNames,
      topLevelNames: lowerNames.filter(name => envelopeNames.includes(name)),
      nested: field.kind === 'lines' || field.kind === 'part' ? field.kind : undefined,
    }
  })
  membersCache.set(described, members)
  return members
}

/** The members that a page sums up. */
export const sumMembersOf = (shape: Shape): readonly WireMember[] =>
  wireMembersOf(shape).filter(member => shape.sums?.includes(member.key))

/** The one field of a shape of a bare value (`singleValue`). */
export function valueFieldOf(shape: Shape): Field {
  const field = shape.fields.data
  if (!field) throw new Error('a shape of a bare value has the field `data`')
  return field
}

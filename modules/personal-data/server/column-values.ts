import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { ColumnRole } from '#kit/server/personal-data/declaration.ts'
import {
  blankedNumber,
  blankedText,
  nameTokensOf,
  tokensOf,
  wholeNameTokensOf,
  type Identifiers,
  type Token,
} from '../domain/identifiers.ts'
import type { StoredColumn } from './catalogue.ts'

type Sql = RawBuilder<unknown>

export const column = (name: string): Sql => sql`t.${sql.id(name)}`

/** One of the conditions; false where there are none. */
export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`

/** What is looked for in texts, and what stands there afterwards. */
export interface Replacement {
  readonly numbers: readonly Token[]
  readonly names: readonly Token[]
  /** Names as a column of names has them. */
  readonly exactNames: readonly string[]
  readonly code: string
}

/** In texts that speak of the person: numbers, and names within the text. */
export const replacementOf = (identifiers: Identifiers, code: string): Replacement => ({
  numbers: tokensOf(identifiers),
  names: nameTokensOf(identifiers),
  exactNames: identifiers.names,
  code,
})

/** In texts that may speak of anybody: numbers, and names that are the whole value. */
export const cautiousReplacementOf = (identifiers: Identifiers, code: string): Replacement => ({
  ...replacementOf(identifiers, code),
  names: wholeNameTokensOf(identifiers),
})

export const identifies = (role: ColumnRole): role is 'mobile' | 'idCard' | 'email' =>
  role === 'mobile' || role === 'idCard' || role === 'email'

export const isText = (role: ColumnRole): boolean => role === 'text' || role === 'note' || role === 'json'

export const isName = (role: ColumnRole): boolean =>
  role === 'name' || role === 'keptName' || role === 'named'

/** What stays. */
export const isKept = (role: ColumnRole): boolean => role === 'kept' || role === 'keptName'

const staysWithPerson = (role: ColumnRole): boolean =>
  role === 'kept' || role === 'keptFiles' || role === 'bulkFiles'

export const isDocument = (role: ColumnRole, { type }: StoredColumn): boolean =>
  role === 'json' || type === 'json' || type === 'jsonb'

const emptyByType: Readonly<Record<string, string>> = {
  text: "''",
  'text[]': "'{}'",
  json: "'{}'",
  jsonb: "'{}'",
  boolean: 'false',
  bytea: "''",
}

const emptied = ({ type, isRequired }: StoredColumn): Sql =>
  isRequired ? sql.raw(emptyByType[type] ?? '0') : sql.raw('null')

/** A note must say something where its column is required. */
const emptiedNote = (stored: StoredColumn): Sql =>
  stored.isRequired && stored.type === 'text' ? sql`${blankedText}::text` : emptied(stored)

const patternOf = (tokens: readonly Token[]): string => tokens.map(token => token.pattern).join('|')

/** A text, or the values of a document, in which the tokens give way; the names of its members never do. */
export function replaced(name: string, role: ColumnRole, stored: StoredColumn, by: Replacement): Sql {
  const { type } = stored
  const isJson = isDocument(role, stored)
  const steps = [
    [by.numbers, blankedNumber],
    [by.names, by.code],
  ] as const
  const value = steps
    .filter(([tokens]) => tokens.length)
    .reduce<Sql>(
      (rest, [tokens, text]) =>
        isJson
          ? sql`blank_json(${rest}, ${patternOf(tokens)}, ${text})`
          : sql`regexp_replace(${rest}, ${patternOf(tokens)}, ${text}, 'g')`,
      isJson ? sql`${column(name)}::jsonb` : sql`${column(name)}::text`,
    )
  return sql`(${value})::${sql.raw(type)}`
}

/**
 * The same of a row that may be somebody else's and holds a number of the person: in a document names give
 * way where they are a whole value, or stand in a value with a number. Elsewhere in it they may be a word.
 */
export function replacedNearNumbers(
  name: string,
  role: ColumnRole,
  stored: StoredColumn,
  by: Replacement,
  wholeNames: readonly Token[],
): Sql {
  if (!isDocument(role, stored) || !by.names.length) return replaced(name, role, stored, by)
  const [numbers, names] = [patternOf(by.numbers), patternOf(by.names)]
  const near = sql`blank_json_near(${column(name)}::jsonb, ${numbers}, ${names}, ${by.code}::text)`
  const whole = sql`blank_json(${near}, ${patternOf(wholeNames)}, ${by.code}::text)`
  return sql`(blank_json(${whole}, ${numbers}, ${blankedNumber}))::${sql.raw(stored.type)}`
}

/** A number plate as it is stored, alone in its column. */
export const platePattern = '^[一-龥][A-Z][A-Z0-9]{5,6}$'

/** The value of a column of the person's own rows after the erasure; nothing where it stays. */
export function ownValue(
  name: string,
  role: ColumnRole,
  stored: StoredColumn,
  by: Replacement,
  ownerId: Id,
): Sql | undefined {
  if (typeof role === 'object')
    return typeof role.becomes === 'string' ? sql.raw(role.becomes) : role.becomes(ownerId)
  if (staysWithPerson(role)) return undefined
  if (role === 'text')
    return by.numbers.length || by.names.length ? replaced(name, role, stored, by) : undefined
  // An empty name stays one: there was nobody.
  if (role === 'name' || role === 'keptName')
    return sql`case when coalesce(${column(name)}, '') = '' then ${column(name)} else ${by.code}::text end`
  if (role === 'named')
    return sql`case when ${isNamed(name, by)} then ${by.code}::text else ${column(name)} end`
  if (role === 'json') return stored.isRequired ? sql.raw("'{}'") : sql.raw('null')
  return role === 'note' ? emptiedNote(stored) : emptied(stored)
}

/** Whether what is charged is the person, or a car. */
export const isNamed = (name: string, { exactNames }: Pick<Replacement, 'exactNames'>): Sql =>
  sql`(${column(name)} = any(${[...exactNames]}::text[]) or ${column(name)} ~ ${platePattern})`

/** A column that is not needed any more. */
export const clearedValue = (role: ColumnRole, stored: StoredColumn): Sql | undefined => {
  if (typeof role === 'object') return typeof role.becomes === 'string' ? sql.raw(role.becomes) : undefined
  return isKept(role) ? undefined : emptied(stored)
}

/** Whether a text holds one of the tokens. */
export const holdsToken = (name: string, tokens: readonly Token[]): Sql =>
  anyOf(
    tokens.map(
      token =>
        sql`(strpos(${column(name)}::text, ${token.text}) > 0 and ${column(name)}::text ~ ${token.pattern})`,
    ),
  )

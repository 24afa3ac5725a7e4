import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { ColumnRole, PersonalTable } from '#kit/server/personal-data/declaration.ts'
import { erasedName, patternOf, tokensOf, type Identifiers, type Token } from '../domain/identifiers.ts'
import type { StoredColumn, StoredTable } from './catalogue.ts'
import { peopleOfKind, type Person } from './person.ts'

type Sql = RawBuilder<unknown>

/** A table with its declaration and as the database has it. */
export interface DeclaredTable {
  readonly name: string
  readonly declared: PersonalTable
  readonly stored: StoredTable
}

const column = (name: string): Sql => sql`t.${sql.id(name)}`

export const anyOf = (conditions: readonly Sql[]): Sql => sql`(${sql.join(conditions, sql` or `)})`

/** Rows that a log has of the person's records. */
const historyConditions = (history: PersonalTable['history'], { records }: Person): Sql[] =>
  history
    ? records
        .filter(record => record.id > 0)
        .map(({ entity, id }) => sql`(${column(history[0])} = ${entity} and ${column(history[1])} = ${id})`)
    : []

/** Conditions of the rows that are the person's own. */
export function ownConditions({ declared }: DeclaredTable, person: Person): Sql[] {
  const numbers = [...person.exclusive.mobiles, ...person.exclusive.idCards]
  return [
    ...Object.entries(declared.people ?? {}).flatMap(([entity, rowsOf]) => {
      const people = peopleOfKind(person, entity)
      return people ? [rowsOf(people)] : []
    }),
    ...historyConditions(declared.history, person),
    ...(numbers.length ? (declared.ownBy ?? []) : []).map(
      name => sql`${column(name)} = any(${numbers}::text[])`,
    ),
  ]
}

const textsByRole = ({ names, mobiles, idCards, emails }: Identifiers) =>
  ({ name: names, mobile: mobiles, idCard: idCards, email: emails }) as const

const identifies = (role: ColumnRole): role is 'name' | 'mobile' | 'idCard' | 'email' =>
  role === 'name' || role === 'mobile' || role === 'idCard' || role === 'email'

/** Whether a text holds one of the tokens. */
const holdsToken = (name: string, tokens: readonly Token[]): Sql =>
  anyOf(
    tokens.map(token =>
      token.isNumber
        ? sql`(strpos(${column(name)}::text, ${token.text}) > 0 and ${column(name)}::text ~ ${patternOf(token)})`
        : sql`strpos(${column(name)}::text, ${token.text}) > 0`,
    ),
  )

/** Columns in which something identifies the person alone, with the condition. */
export function foundColumns(
  { declared, stored }: DeclaredTable,
  { exclusive }: Person,
  isSearched: (role: ColumnRole) => boolean,
): (readonly [name: string, condition: Sql])[] {
  if (declared.onlyOwnRows) return []
  const texts = textsByRole(exclusive)
  const tokens = tokensOf(exclusive)
  return Object.entries(declared.columns).flatMap(([name, role]) => {
    if (!isSearched(role) || !stored.columns.has(name)) return []
    if (identifies(role))
      return texts[role].length
        ? [[name, sql`${column(name)} = any(${[...texts[role]]}::text[])`] as const]
        : []
    return tokens.length ? [[name, holdsToken(name, tokens)] as const] : []
  })
}

/** Free texts and documents, and what stays: there it is only looked for. */
export const isKept = (role: ColumnRole): boolean => role === 'kept' || role === 'keptName'
export const isReported = (role: ColumnRole): boolean => identifies(role) || role === 'text' || isKept(role)
export const isTreatedElsewhere = (role: ColumnRole): boolean => identifies(role) || role === 'text'

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

const blanked = (name: string, { type }: StoredColumn, tokens: readonly Token[]): Sql => {
  const text = tokens.reduce<Sql>(
    (inner, token) => sql`regexp_replace(${inner}, ${patternOf(token)}, ${token.replacement}, 'g')`,
    sql`${column(name)}::text`,
  )
  return type === 'text' ? text : sql`(${text})::${sql.raw(type)}`
}

/** The value of a column after the erasure; nothing where it stays. */
export function treatedValue(
  name: string,
  role: ColumnRole,
  stored: StoredColumn,
  tokens: readonly Token[],
): Sql | undefined {
  if (typeof role === 'object') return sql.raw(role.becomes)
  if (role === 'kept' || role === 'keptName') return undefined
  if (role === 'text') return tokens.length ? blanked(name, stored, tokens) : undefined
  // An empty name stays one: there was nobody.
  if (role === 'name') return sql`case when ${column(name)} is null then null else ${erasedName}::text end`
  return emptied(stored)
}

/** What an erasure sets in the person's own rows. */
export function ownAssignments({ declared, stored }: DeclaredTable, person: Person): Sql[] {
  const tokens = tokensOf(person.all)
  return Object.entries(declared.columns).flatMap(([name, role]) => {
    const storedColumn = stored.columns.get(name)
    const value = storedColumn && treatedValue(name, role, storedColumn, tokens)
    return value ? [sql`${sql.id(name)} = ${value}`] : []
  })
}

/** What it sets in the rows of others: in each of them only the columns that the person stands in. */
export function elsewhereAssignments(
  { declared, stored }: DeclaredTable,
  person: Person,
  found: readonly (readonly [name: string, condition: Sql])[],
): Sql[] {
  const tokens = tokensOf(person.exclusive)
  return found.flatMap(([name, condition]) => {
    const [role, storedColumn] = [declared.columns[name], stored.columns.get(name)]
    const value = role && storedColumn && treatedValue(name, role, storedColumn, tokens)
    return value ? [sql`${sql.id(name)} = case when ${condition} then ${value} else ${column(name)} end`] : []
  })
}

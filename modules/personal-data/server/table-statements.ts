import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { wireNameOf } from '#kit/contract/wire.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { writeCallsOf } from '#kit/server/handler/registration.ts'
import type {
  ByPersonKind,
  ColumnRole,
  PeopleSql,
  PersonalTable,
} from '#kit/server/personal-data/declaration.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import {
  blankedNumber,
  blankedText,
  erasedName,
  tokensOf,
  type Identifiers,
  type Token,
} from '../domain/identifiers.ts'
import type { StoredColumn, StoredTable } from './catalogue.ts'
import { peopleOfKind, type Person } from './person.ts'

type Sql = RawBuilder<unknown>

/** A table with its declaration and as the database has it. */
export interface DeclaredTable {
  readonly name: string
  readonly declared: PersonalTable
  readonly stored: StoredTable
  /** Of a log: conditions of the rows that it has of the person's own rows in other tables. */
  readonly rowHistory?: (person: Person) => Sql[]
}

const column = (name: string): Sql => sql`t.${sql.id(name)}`

export const anyOf = (conditions: readonly Sql[]): Sql => sql`(${sql.join(conditions, sql` or `)})`

const conditionsOf = (byKind: ByPersonKind<PeopleSql> | undefined, person: Person): Sql[] =>
  Object.entries(byKind ?? {}).flatMap(([entity, rowsOf]) => {
    const people = peopleOfKind(person, entity)
    return people ? [rowsOf(people)] : []
  })

/** Rows that a log has of the person's records. */
const historyConditions = (history: PersonalTable['history'], { records }: Person): Sql[] =>
  history
    ? records
        .filter(record => record.id > 0)
        .map(({ entity, id }) => sql`(${column(history[0])} = ${entity} and ${column(history[1])} = ${id})`)
    : []

/** The names on the wire, in lower case, of what identifies people in the records of people. */
function identifyingNames(): string[] {
  const entities = new Map(companyDeclarations().entities.map(entity => [entity.name, entity]))
  return personKinds().flatMap(({ entity: name, mobiles = [], idCards = [], emails = [] }) => {
    const entity = entities.get(name)
    const columns = new Set([...mobiles, ...idCards, ...emails])
    return entity
      ? storedKeys(entity)
          .filter(key => columns.has(columnOf(key)))
          .flatMap(key => (entity.fields[key] ? [wireNameOf(key, entity.fields[key]).toLowerCase()] : []))
      : []
  })
}

/** Rows of calls that were sent a number of the person, or that wrote a record of the person. */
function callConditions(calls: PersonalTable['calls'], { exclusive, records }: Person): Sql[] {
  if (!calls) return []
  const [route, input] = calls
  const someMember = (condition: Sql): Sql => sql`exists (
    select 1
    from jsonb_each_text(case when jsonb_typeof(${column(input)}) = 'object' then ${column(input)} end) m
    where ${condition}
  )`
  const numbers = [...exclusive.mobiles, ...exclusive.idCards, ...exclusive.emails]
  const byNumber = sql`lower(m.key) = any(${identifyingNames()}::text[]) and m.value = any(${numbers}::text[])`
  const byRecord = records.flatMap(({ entity, id }) => {
    const routes = writeCallsOf(entity).map(call => call.route)
    return id && routes.length
      ? [
          sql`(
            ${column(route)} = any(${routes}::text[])
            and ${someMember(sql`lower(m.key) = 'id' and m.value = ${String(id)}`)}
          )`,
        ]
      : []
  })
  return [...(numbers.length ? [someMember(byNumber)] : []), ...byRecord]
}

/** Conditions of the rows that are the person's own. */
export function ownConditions({ declared, rowHistory }: DeclaredTable, person: Person): Sql[] {
  const numbers = [...person.exclusive.mobiles, ...person.exclusive.idCards]
  return [
    ...conditionsOf(declared.people, person),
    ...historyConditions(declared.history, person),
    ...(rowHistory?.(person) ?? []),
    ...callConditions(declared.calls, person),
    ...(numbers.length ? (declared.ownBy ?? []) : []).map(
      name => sql`${column(name)} = any(${numbers}::text[])`,
    ),
  ]
}

const textsByRole = ({ mobiles, idCards, emails }: Identifiers) =>
  ({ mobile: mobiles, idCard: idCards, email: emails }) as const

const identifies = (role: ColumnRole): role is 'mobile' | 'idCard' | 'email' =>
  role === 'mobile' || role === 'idCard' || role === 'email'

const isText = (role: ColumnRole): boolean => role === 'text' || role === 'note' || role === 'json'

/** Whether a text holds one of the tokens. */
const holdsToken = (name: string, tokens: readonly Token[]): Sql =>
  anyOf(
    tokens.map(
      token =>
        sql`(strpos(${column(name)}::text, ${token.text}) > 0 and ${column(name)}::text ~ ${token.pattern})`,
    ),
  )

/** Columns of others' rows in which something is the person's alone, with the condition. */
export function foundColumns(
  { declared, stored }: DeclaredTable,
  person: Person,
  isSearched: (role: ColumnRole) => boolean,
): (readonly [name: string, condition: Sql])[] {
  if (declared.onlyOwnRows) return []
  const texts = textsByRole(person.exclusive)
  const tokens = tokensOf(person.exclusive)
  const found = Object.entries(declared.columns).flatMap(([name, role]) => {
    if (!isSearched(role) || !stored.columns.has(name)) return []
    if (identifies(role))
      return texts[role].length
        ? [[name, sql`${column(name)} = any(${[...texts[role]]}::text[])`] as const]
        : []
    return tokens.length ? [[name, holdsToken(name, tokens)] as const] : []
  })
  const beside = Object.entries(declared.beside ?? {}).flatMap(([name, byKind]) => {
    const conditions = conditionsOf(byKind, person)
    return conditions.length ? [[name, anyOf(conditions)] as const] : []
  })
  return [...found.filter(([name]) => !beside.some(([each]) => each === name)), ...beside]
}

/** What stays is only looked for. */
export const isKept = (role: ColumnRole): boolean => role === 'kept' || role === 'keptName'
export const isReported = (role: ColumnRole): boolean => identifies(role) || isText(role) || isKept(role)
export const isTreatedElsewhere = (role: ColumnRole): boolean => identifies(role) || isText(role)

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

/** In documents values alone are blanked, never the names of their members. */
function blanked(name: string, role: ColumnRole, { type }: StoredColumn, tokens: readonly Token[]): Sql {
  const pattern = tokens.map(token => token.pattern).join('|')
  const inJson = sql`blank_json(${column(name)}::jsonb, ${pattern}, ${blankedNumber})`
  if (role === 'json') return sql`${inJson}::text`
  if (type === 'jsonb' || type === 'json') return sql`${inJson}::${sql.raw(type)}`
  const text = sql`regexp_replace(${column(name)}::text, ${pattern}, ${blankedNumber}, 'g')`
  return type === 'text' ? text : sql`(${text})::${sql.raw(type)}`
}

/** The value of a column of the person's own rows after the erasure; nothing where it stays. */
export function ownValue(
  name: string,
  role: ColumnRole,
  stored: StoredColumn,
  tokens: readonly Token[],
  ownerId: Id,
): Sql | undefined {
  if (typeof role === 'object')
    return typeof role.becomes === 'string' ? sql.raw(role.becomes) : role.becomes(ownerId)
  if (isKept(role)) return undefined
  if (role === 'text') return tokens.length ? blanked(name, role, stored, tokens) : undefined
  // An empty name stays one: there was nobody.
  if (role === 'name') return sql`case when ${column(name)} is null then null else ${erasedName}::text end`
  if (role === 'json') return stored.isRequired ? sql.raw("'{}'") : sql.raw('null')
  return role === 'note' ? emptiedNote(stored) : emptied(stored)
}

/** What an erasure sets in the person's own rows. */
export function ownAssignments({ declared, stored }: DeclaredTable, person: Person): Sql[] {
  const tokens = tokensOf(person.all)
  return Object.entries(declared.columns).flatMap(([name, role]) => {
    const storedColumn = stored.columns.get(name)
    const value = storedColumn && ownValue(name, role, storedColumn, tokens, person.ownerId)
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
    if (!role || !storedColumn) return []
    const value =
      isText(role) && !declared.beside?.[name]
        ? blanked(name, role, storedColumn, tokens)
        : ownValue(name, role, storedColumn, tokens, person.ownerId)
    return value ? [sql`${sql.id(name)} = case when ${condition} then ${value} else ${column(name)} end`] : []
  })
}

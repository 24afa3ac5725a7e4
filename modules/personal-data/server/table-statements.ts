import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { wireNameOf } from '#kit/contract/wire.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { writeCallsOf } from '#kit/server/handler/registration.ts'
import type {
  ByPersonKind,
  PeopleSql,
  PersonalTable,
  PersonKind,
} from '#kit/server/personal-data/declaration.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import type { StoredTable } from './catalogue.ts'
import { anyOf, column, ownValue, replacementOf } from './column-values.ts'
import { confirmedKeys, peopleOfKind, type Person } from './person.ts'

type Sql = RawBuilder<unknown>

/** Of a log: conditions of the rows that it has of rows in other tables. */
export interface RowHistory {
  /** Of the person's own rows, and with them to be emptied. */
  readonly own: (person: Person) => Sql[]
  /** Of vouchers and of rows that were confirmed: they stay, and the person in them gives way. */
  readonly about: (person: Person) => Sql[]
}

/** A table with its declaration and as the database has it. */
export interface DeclaredTable {
  readonly name: string
  readonly declared: PersonalTable
  readonly stored: StoredTable
  readonly rowHistory?: RowHistory
  /** Of answers that are repeated: conditions of those that hold a row of the person. */
  readonly ownAnswers?: (person: Person) => Sql[]
  /** The table with whose rows those of this one go. */
  readonly parent?: DeclaredTable
}

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
        .map(({ entity, id }) => sql`(${sql.raw(history[0])} = ${entity} and ${column(history[1])} = ${id})`)
    : []

/** The names on the wire, in lower case, of chosen columns of a kind. */
function wireNamesOf({ entity: name }: PersonKind, columns: readonly string[]): string[] {
  const entity = companyDeclarations().entities.find(each => each.name === name)
  return entity
    ? storedKeys(entity)
        .filter(key => columns.includes(columnOf(key)))
        .flatMap(key => (entity.fields[key] ? [wireNameOf(key, entity.fields[key]).toLowerCase()] : []))
    : []
}

const writeRoutesOf = (entity: string): string[] => writeCallsOf(entity).map(call => call.route)

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
  const names = personKinds().flatMap(kind =>
    wireNamesOf(kind, [...(kind.mobiles ?? []), ...(kind.idCards ?? []), ...(kind.emails ?? [])]),
  )
  const byNumber = sql`lower(m.key) = any(${names}::text[]) and m.value = any(${numbers}::text[])`
  const byName = personKinds().flatMap(kind => {
    const routes = writeRoutesOf(kind.entity)
    const member = sql`lower(m.key) = any(${wireNamesOf(kind, [kind.name])}::text[])
      and m.value = any(${[...exclusive.names]}::text[])`
    return routes.length && exclusive.names.length
      ? [sql`(${column(route)} = any(${routes}::text[]) and ${someMember(member)})`]
      : []
  })
  const byRecord = records.flatMap(({ entity, id }) => {
    const routes = writeRoutesOf(entity)
    return id && routes.length
      ? [
          sql`(
            ${column(route)} = any(${routes}::text[])
            and ${someMember(sql`lower(m.key) = 'id' and m.value = ${String(id)}`)}
          )`,
        ]
      : []
  })
  return [...(numbers.length ? [someMember(byNumber)] : []), ...byName, ...byRecord]
}

/** What names a row in lists of confirmed rows: its key, in words where it has several columns. */
export const rowKey = ({ stored }: Pick<DeclaredTable, 'stored'>): Sql =>
  sql`concat_ws('/', ${sql.join(stored.key.map(name => sql`${column(name)}::text`))})`

export const isConfirmed = (
  table: Pick<DeclaredTable, 'name' | 'stored'>,
  person: Person,
): Sql | undefined => {
  const keys = confirmedKeys(person, table.name)
  return keys.length ? sql`${rowKey(table)} = any(${[...keys]}::text[])` : undefined
}

/** Rows that hold a number of the person where they name whom they are about. */
export function numberConditions({ declared }: Pick<DeclaredTable, 'declared'>, person: Person): Sql[] {
  const numbers = [...person.all.mobiles, ...person.all.idCards]
  return (numbers.length ? (declared.ownBy ?? []) : []).map(
    name => sql`${column(name)} = any(${numbers}::text[])`,
  )
}

/**
 * Conditions of the rows that are the person's own: by a link, or by a number and somebody's
 * confirmation.
 */
export function ownConditions(table: DeclaredTable, person: Person): Sql[] {
  const { declared, rowHistory, parent } = table
  const parents = parent ? ownConditions(parent, person) : []
  const confirmed = isConfirmed(table, person)
  const byNumber = numberConditions(table, person)
  return [
    ...conditionsOf(declared.people, person),
    ...historyConditions(declared.history, person),
    ...(rowHistory?.own(person) ?? []),
    ...callConditions(declared.calls, person),
    ...(parent && parents.length && declared.ownWith
      ? [
          sql`${column(declared.ownWith[1])} in (
            select t.id
            from ${sql.table(parent.name)} t
            where t.owner_id = ${person.ownerId} and ${anyOf(parents)}
          )`,
        ]
      : []),
    ...(confirmed && byNumber.length ? [sql`(${confirmed} and ${anyOf(byNumber)})`] : []),
  ]
}

/** Columns of others' rows that speak of the person by a link. */
export const besideColumns = (
  { declared }: DeclaredTable,
  person: Person,
): (readonly [name: string, condition: Sql])[] =>
  Object.entries(declared.beside ?? {}).flatMap(([name, byKind]) => {
    const conditions = conditionsOf(byKind, person)
    return conditions.length ? [[name, anyOf(conditions)] as const] : []
  })

/** What an erasure sets in the person's own rows. */
export function ownAssignments({ declared, stored }: DeclaredTable, person: Person): Sql[] {
  const by = replacementOf(person.all, person.code)
  return Object.entries(declared.columns).flatMap(([name, role]) => {
    const storedColumn = stored.columns.get(name)
    const value = storedColumn && ownValue(name, role, storedColumn, by, person.ownerId)
    return value ? [sql`${sql.id(name)} = ${value}`] : []
  })
}

/** In each row only the columns in which the person stands. */
export const conditionalAssignments = (
  changes: readonly (readonly [name: string, condition: Sql, value: Sql])[],
): Sql[] =>
  changes.map(
    ([name, condition, value]) =>
      sql`${sql.id(name)} = case when ${condition} then ${value} else ${column(name)} end`,
  )

/** What becomes of the columns that a link names. */
export function besideAssignments(table: DeclaredTable, person: Person): Sql[] {
  const by = replacementOf(person.all, person.code)
  return conditionalAssignments(
    besideColumns(table, person).flatMap(([name, condition]) => {
      const [role, stored] = [table.declared.columns[name], table.stored.columns.get(name)]
      const value = role && stored && ownValue(name, role, stored, by, person.ownerId)
      return value ? [[name, condition, value] as const] : []
    }),
  )
}

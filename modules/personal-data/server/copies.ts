import { sql, type RawBuilder } from '#kit/server/db.ts'
import {
  anyOf,
  cautiousReplacementOf,
  column,
  holdsToken,
  isDocument,
  isText,
  replaced,
  replacedNearNumbers,
  replacementOf,
} from './column-values.ts'
import { wholeNameTokensOf } from '../domain/identifiers.ts'
import type { ColumnRole } from '#kit/server/personal-data/declaration.ts'
import type { StoredColumn } from './catalogue.ts'
import type { Person } from './person.ts'
import type { DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

interface CopyStatements {
  /** Rows in which the person is found. */
  readonly condition: Sql
  readonly assignments: Sql[]
}

/** A name that is the whole of a text, or of a value within a document. */
const holdsWholeName = (name: string, isJson: boolean, names: readonly string[]): Sql =>
  isJson
    ? anyOf(names.map(each => sql`strpos(${column(name)}::text, ${JSON.stringify(each)}) > 0`))
    : sql`${column(name)}::text = any(${[...names]}::text[])`

/** An answer that says that the call went well, and nothing of what it wrote. */
const withoutContent = (name: string, { type }: StoredColumn): Sql =>
  sql`jsonb_set(${column(name)}::jsonb, '{Data}', 'null', false)::${sql.raw(type)}`

/**
 * What becomes of copies, row by row: where the row is about the person, or holds a number that nobody
 * else has, numbers and names within texts give way; elsewhere a name that is a whole value and nobody
 * else's.
 */
export function copyStatements(
  table: DeclaredTable,
  person: Person,
  isUntouched: Sql | undefined,
): CopyStatements | undefined {
  const about = table.rowHistory?.about(person) ?? []
  const known = replacementOf(person.all, person.code)
  const { answers } = table.declared
  const ownAnswers = table.ownAnswers?.(person) ?? []
  const isOwnAnswer = anyOf(ownAnswers)
  const numbered = replacementOf({ ...person.exclusive, names: person.all.names }, person.code)
  const cautious = (answers ? replacementOf : cautiousReplacementOf)(person.exclusive, person.code)
  const isAbout = anyOf(about)
  const isAllowed = isUntouched ? sql`(${isUntouched}) is not true` : sql`true`
  const holdsNames = (name: string, isJson: boolean): Sql =>
    answers ? holdsToken(name, cautious.names) : holdsWholeName(name, isJson, person.exclusive.names)
  const near = (name: string, role: ColumnRole, stored: StoredColumn): Sql =>
    replacedNearNumbers(name, role, stored, numbered, wholeNameTokensOf(person.all))
  const changes = Object.entries(table.declared.columns).flatMap(([name, role]) => {
    const stored = table.stored.columns.get(name)
    if (!isText(role) || !stored) return []
    const isJson = isDocument(role, stored)
    const hasNumber = numbered.numbers.length ? holdsToken(name, numbered.numbers) : sql`false`
    const hasName = cautious.names.length ? holdsNames(name, isJson) : sql`false`
    const value = sql`case
      ${ownAnswers.length ? sql`when f.is_own_answer then ${withoutContent(name, stored)}` : sql``}
      when f.is_about then ${replaced(name, role, stored, known)}
      when ${hasNumber} and f.is_allowed
        then ${answers ? replaced(name, role, stored, numbered) : near(name, role, stored)}
      when ${hasName} and f.is_allowed then ${replaced(name, role, stored, cautious)}
      else ${column(name)}
    end`
    return [{ name, found: sql`${hasNumber} or ${hasName}`, value }]
  })
  if (!changes.length) return undefined
  const isFilled = anyOf(changes.map(({ name }) => sql`${column(name)} is not null`))
  // What a row is about has a condition for each table: it stands once, for all columns.
  return {
    condition: sql`(
      ((${isAbout} or ${isOwnAnswer}) and ${isFilled})
      or (${anyOf(changes.map(({ found }) => found))} and ${isAllowed})
    )`,
    assignments: [
      sql`(${sql.join(changes.map(({ name }) => sql.id(name)))}) = (
        select ${sql.join(changes.map(({ value }) => value))}
        from (
          select ${isAbout} as is_about, ${isOwnAnswer} as is_own_answer, ${isAllowed} as is_allowed
          offset 0
        ) f
      )`,
    ],
  }
}

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
    const change = {
      name,
      condition: sql`(
        ${column(name)} is not null
        and (${isAbout} or ${isOwnAnswer} or ((${hasNumber} or ${hasName}) and ${isAllowed}))
      )`,
      value: sql`case
        ${ownAnswers.length ? sql`when ${isOwnAnswer} then ${withoutContent(name, stored)}` : sql``}
        when ${isAbout} then ${replaced(name, role, stored, known)}
        when ${hasNumber} and ${isAllowed}
          then ${answers ? replaced(name, role, stored, numbered) : near(name, role, stored)}
        when ${hasName} and ${isAllowed} then ${replaced(name, role, stored, cautious)}
        else ${column(name)}
      end`,
    }
    return [change]
  })
  return changes.length
    ? {
        condition: anyOf(changes.map(change => change.condition)),
        assignments: changes.map(({ name, value }) => sql`${sql.id(name)} = ${value}`),
      }
    : undefined
}

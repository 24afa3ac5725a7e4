import { codeOf, type Choices } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from './db.ts'
import type { Scope } from './scope.ts'

type Fragment = RawBuilder<unknown>

const literalOf = (value: number | string): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

const fragments = new Map<string, Fragment>()

/** Constant text is made once: statements that share it are written out faster. */
function constant(text: string): Fragment {
  const known = fragments.get(text)
  if (known) return known
  const made = sql.raw(text)
  fragments.set(text, made)
  return made
}

/**
 * The stored code of a choice as a literal, so that partial indexes match: `state = ${code(billState,
 * 'abolished')}`.
 */
export const code = <K extends string>(choices: Choices<K>, key: NoInfer<K>): Fragment =>
  constant(literalOf(codeOf(choices, key)))

/** Several codes in parentheses, for `in` and `not in`. */
export const codes = <K extends string>(choices: Choices<K>, ...keys: readonly NoInfer<K>[]): Fragment =>
  constant(`(${keys.map(key => literalOf(codeOf(choices, key))).join(', ')})`)

/**
 * `= 7` or `= any('{7,8}')`: which rows, by their ids. A single id is compared as itself, because the
 * database then plans the statement once and not at every execution: it takes a list for ten rows until it
 * sees it.
 */
export const equalsAny = (ids: readonly (number | string)[]): Fragment =>
  ids.length === 1 ? sql`= ${ids[0]}::bigint` : sql`= any(${[...ids]}::bigint[])`

/** Rows that are not in the recycle bin (`DeleteTag` 0), of a table under this alias where it has one. */
export const notDeleted = (alias?: string): Fragment => constant(`${alias ? `${alias}.` : ''}delete_tag = 0`)

/** The order of `naturalSortKey` in SQL: digits by their value, small letters and capitals alike. */
export const naturalOrder = (column: Fragment): Fragment =>
  sql`regexp_replace(regexp_replace(lower(${column}), '(\\d+)', '00000\\1', 'g'), '0*(\\d{6})(?!\\d)', '\\1', 'g') collate "C"`

/** The day on which a moment is here: cast as it comes, it is cut in the zone of the process. */
export const localDay = (time: Date): Fragment =>
  sql`(${time}::timestamptz at time zone 'Asia/Shanghai')::date`

/** What every change of a record writes beside its own columns: a new version, when, and by whom. */
export const touch = (scope: Pick<Scope, 'operatorId' | 'time'>, alias?: string): Fragment => {
  const version = constant(`${alias ? `${alias}.` : ''}version`)
  return sql`version = ${version} + 1, update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}`
}

/** Whose a new row is, who adds it and when: the columns of an insert, with `createdValues`. */
export const createdColumns = constant('owner_id, create_by, update_by, create_time, update_time')

/** The time is that of the request, as `touch` writes it, not the database's. */
export const createdValues = ({
  ownerId,
  operatorId,
  time,
}: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>): Fragment =>
  sql`${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, ${time}::timestamptz, ${time}::timestamptz`

/** A yes-or-no filter: what fulfils the condition, what does not, or everything where nothing is asked. */
export const flagFilter = (
  value: boolean | undefined,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown>[] => {
  if (value === undefined) return []
  return value ? [condition] : [sql`(${condition}) is not true`]
}

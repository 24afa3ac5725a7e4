import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { PlannedColumn } from '#kit/server/company-data/plan.ts'
import type { ReferencedColumn } from '#kit/server/personal-data/declaration.ts'
import type { TableLabels } from './labels.ts'
import type { DeclaredTable } from './table-statements.ts'

/** A column as a person reads it. */
export interface GivenColumn {
  readonly heading: string
  readonly value: RawBuilder<unknown>
  readonly isAmount: boolean
}

/** Choices by their labels, times of the clock on the wall, lists with commas. */
function readableValue({ name, type, codes }: PlannedColumn): RawBuilder<unknown> {
  const column = sql`t.${sql.id(name)}`
  if (codes?.length) {
    const cases = codes.map(([code, label]) => sql`when ${code}::int then ${label}::text`)
    return sql`case ${column} ${sql.join(cases, sql` `)} end`
  }
  if (type === 'boolean') return sql`case when ${column} then '是' when not ${column} then '否' end`
  if (type.startsWith('timestamp'))
    return sql`to_char(${column} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI')`
  if (type === 'text[]') return sql`array_to_string(${column}, '、')`
  return sql`${column}::text`
}

function referencedValue({ table, column, by }: ReferencedColumn, ownerId: Id): RawBuilder<unknown> {
  return sql`(
    select x.${sql.id(column)}::text
    from ${sql.table(table)} x
    where x.owner_id = ${ownerId} and x.id = t.${sql.id(by)}
  )`
}

/** What a person is given of a table: what its module declares, of that only what may leave the company. */
export function givenColumns(
  table: DeclaredTable,
  labels: TableLabels | undefined,
  ownerId: Id,
): GivenColumn[] {
  return (table.declared.exported ?? []).flatMap(each => {
    if (typeof each !== 'string')
      return [{ heading: each.heading, value: referencedValue(each, ownerId), isAmount: false }]
    const column = labels?.columns.get(each)
    return column
      ? [{ heading: column.heading, value: readableValue(column), isAmount: column.type === 'numeric(14,2)' }]
      : []
  })
}

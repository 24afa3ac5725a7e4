import type { Id } from '#kit/domain/id.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import { valuesByKey } from './column-storage.ts'
import { sql, type RawBuilder, type Tx } from './db.ts'
import { publishRowsWritten, type RecordChange, type WrittenRow } from './record-events.ts'
import type { Scope } from './scope.ts'
import { createdColumns, createdValues, notDeleted, touch } from './sql.ts'
import { recordsetOf } from './table.ts'
import { analyzeIfGrown } from './table-statistics.ts'
import { assertInDomain } from './table/filter.ts'

/** A row whose id is known before it is written: rows that refer to each other take one statement each. */
export interface IdentifiedRow {
  readonly id: Id
  readonly values: object
  /** What its column `search_text` holds, where the table has one. */
  readonly searchText?: string | undefined
}

const columnList = (columns: readonly string[], alias?: string): RawBuilder<unknown> =>
  sql.join(columns.map(c => (alias ? sql.ref(`${alias}.${c}`) : sql.id(c))))

/** The values of many records as the rows `r`, each with its id and its search text. */
function numberedRows(
  entity: Entity,
  rows: readonly IdentifiedRow[],
): { readonly columns: readonly string[]; readonly as: RawBuilder<unknown> } {
  const { columns, as } = recordsetOf(
    entity,
    rows.map(row => row.values),
  )
  return {
    columns,
    as: sql`(
      select r.*, x.row_id, x.row_search
      from (select *, row_number() over () as row_index from ${as}) r
      join unnest(
        ${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.searchText ?? '')}::text[]
      ) with ordinality x(row_id, row_search, row_index) on x.row_index = r.row_index
    ) r`,
  }
}

const hasSearchText = ([row]: readonly IdentifiedRow[]): boolean => row?.searchText !== undefined

/** Answers with the project, too, where records belong to one: what is published says it. */
const returningIds = (entity: Entity, alias: string): RawBuilder<unknown> =>
  entity.tenancy === 'project'
    ? sql`returning ${sql.ref(`${alias}.id`)}, ${sql.ref(`${alias}.project_code`)}`
    : sql`returning ${sql.ref(`${alias}.id`)}`

function publishWritten(
  tx: Tx,
  { ownerId }: Scope,
  entity: Entity,
  action: RecordChange['action'],
  rows: readonly WrittenRow[],
): ReadonlySet<Id> {
  publishRowsWritten(tx, ownerId, { entity: entity.name, action }, rows)
  return new Set(rows.map(row => row.id))
}

/** New ids of a table, each with the automatic codes of its record. */
export async function reserveIds(
  tx: Tx,
  entity: Entity,
  count: number,
  codes: Readonly<Record<string, string | undefined>> = {},
): Promise<({ readonly id: Id } & Readonly<Record<string, unknown>>)[]> {
  if (!count) return []
  return tx.rows(sql`
    select ${sql.join([
      sql`nextval(pg_get_serial_sequence(${entity.table}, 'id')) as id`,
      ...Object.entries(codes).map(([key, prefix]) => sql`next_code(${prefix}) as ${sql.id(columnOf(key))}`),
    ])}
    from generate_series(1, ${count}::int)
  `)
}

/** Adds rows in the order of these fields. Returns the ids of those that broke no unique key. */
export async function insertIdentified(
  tx: Tx,
  entity: Entity,
  scope: Scope,
  rows: readonly IdentifiedRow[],
  order: readonly string[] = [],
): Promise<ReadonlySet<Id>> {
  if (!rows.length) return new Set()
  for (const { values } of rows) {
    assertInDomain(entity, scope, valuesByKey(values), true)
  }
  const search = hasSearchText(rows)
  const { columns, as } = numberedRows(entity, rows)
  const inOrder = sql.join([...order.map(columnOf), 'row_id'].map(column => sql.ref(`r.${column}`)))
  const inserted = await tx.rows<WrittenRow>(sql`
    insert into ${sql.table(entity.table)} as t (
      ${createdColumns}, id, ${search ? sql`search_text, ` : sql``} ${columnList(columns)}
    )
    select ${createdValues(scope)}, r.row_id, ${search ? sql`r.row_search, ` : sql``} ${columnList(columns, 'r')}
    from ${as}
    order by ${inOrder}
    on conflict do nothing
    ${returningIds(entity, 't')}
  `)
  await analyzeIfGrown(tx, entity.table, inserted.length)
  return publishWritten(tx, scope, entity, 'insert', inserted)
}

/** Writes the filled values of rows over what is there. Returns the ids of those that differed. */
export async function updateIdentified(
  tx: Tx,
  entity: Entity,
  scope: Scope,
  rows: readonly IdentifiedRow[],
  condition: RawBuilder<unknown> = notDeleted('t'),
): Promise<ReadonlySet<Id>> {
  const { columns, as } = numberedRows(entity, rows)
  if (!columns.length) return new Set()
  const search = hasSearchText(rows)
  const merged = columns.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`)
  const changed = await tx.rows<WrittenRow>(sql`
    update ${sql.table(entity.table)} t
    set ${sql.join(columns.map((c, i) => sql`${sql.id(c)} = ${merged[i]}`))},
      ${search ? sql`search_text = r.row_search, ` : sql``} ${touch(scope, 't')}
    from ${as}
    where t.owner_id = ${scope.ownerId}
      and t.id = r.row_id
      and ${condition}
      and row(${sql.join(merged)}) is distinct from row(${columnList(columns, 't')})
    ${returningIds(entity, 't')}
  `)
  return publishWritten(tx, scope, entity, 'update', changed)
}

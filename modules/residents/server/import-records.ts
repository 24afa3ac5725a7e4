import type { Id } from '#kit/domain/id.ts'
import { columnOf, type Entity } from '#kit/contract/entity.ts'
import { columnValues } from '#kit/server/column-storage.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'

/** A row of an import whose id is known before it is written. */
export type IdentifiedRow = object & { readonly id: Id }

/** SQL types of stored columns that are no fields of the entity, by key. */
type ExtraColumns = Readonly<Record<string, string>>

/** The next ids of a table, so that rows that refer to each other are written in one statement each. */
export async function reserveIds(tx: Tx, table: string, count: number): Promise<Id[]> {
  if (!count) return []
  const rows = await tx.rows<{ id: Id }>(
    sql`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id
      from generate_series(1, ${count}::int)
    `,
  )
  return rows.map(row => row.id)
}

const parseJson = (text: string): unknown => JSON.parse(text)

/** Rows with their ids as a set `r`. */
function recordset(entity: Entity, rows: readonly IdentifiedRow[], extra: ExtraColumns) {
  const values = rows.map(row => new Map<string, unknown>(Object.entries(row)))
  const keys = [...new Set(values.flatMap(row => [...row.keys()]))].filter(k => k !== 'id' && !(k in extra))
  const empty = Object.fromEntries(keys.map(key => [key, undefined]))
  const records = values.map(row => ({
    id: row.get('id'),
    ...Object.fromEntries(Object.keys(extra).map(key => [columnOf(key), row.get(key) ?? null])),
    ...Object.fromEntries(
      columnValues(entity, { ...empty, ...Object.fromEntries(row) }).map(([column, value, type]) => [
        column,
        type === 'jsonb' && typeof value === 'string' ? parseJson(value) : value,
      ]),
    ),
  }))
  const columns = [
    ...columnValues(entity, empty).map(([column, , type]) => ({ column, type })),
    ...Object.entries(extra).map(([key, type]) => ({ column: columnOf(key), type })),
  ]
  return {
    columns: columns.map(c => sql.id(c.column)),
    as: sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(
      id bigint, ${sql.join(columns.map(c => sql`${sql.id(c.column)} ${sql.raw(c.type)}`))}
    )`,
  }
}

/** Inserts those that break no unique key and returns their ids. */
export async function insertRows(
  tx: Tx,
  entity: Entity,
  { ownerId, operatorId }: Scope,
  rows: readonly IdentifiedRow[],
  extra: ExtraColumns = {},
): Promise<ReadonlySet<Id>> {
  if (!rows.length) return new Set()
  const { columns, as } = recordset(entity, rows, extra)
  const inserted = await tx.rows<{ id: Id }>(sql`
    insert into ${sql.table(entity.table)} (owner_id, create_by, update_by, id, ${sql.join(columns)})
    select ${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, r.id,
      ${sql.join(columns.map(column => sql`r.${column}`))}
    from ${as}
    on conflict do nothing
    returning id
  `)
  const ids = inserted.map(row => row.id)
  publishRecordsWritten(tx, ownerId, { entity: entity.name, action: 'insert', ids })
  return new Set(ids)
}

/** Writes the filled values of rows over what is there. Returns the ids of those that differed. */
export async function updateRows(
  tx: Tx,
  entity: Entity,
  scope: Scope,
  rows: readonly IdentifiedRow[],
  condition: ReturnType<typeof touch>,
  extra: ExtraColumns = {},
): Promise<ReadonlySet<Id>> {
  if (!rows.length) return new Set()
  const { columns, as } = recordset(entity, rows, extra)
  const merged = columns.map(column => sql`coalesce(r.${column}, t.${column})`)
  const changed = await tx.rows<{ id: Id }>(sql`
    update ${sql.table(entity.table)} as t
    set ${sql.join(columns.map((column, i) => sql`${column} = ${merged[i]}`))}, ${touch(scope, 't')}
    from ${as}
    where t.owner_id = ${scope.ownerId}
      and t.id = r.id
      and ${condition}
      and row(${sql.join(merged)}) is distinct from row(${sql.join(columns.map(column => sql`t.${column}`))})
    returning t.id
  `)
  const ids = changed.map(row => row.id)
  publishRecordsWritten(tx, scope.ownerId, { entity: entity.name, action: 'update', ids })
  return new Set(ids)
}

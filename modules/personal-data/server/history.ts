import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { wireNameOf } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { writeCallsOf } from '#kit/server/handler/registration.ts'
import { clearedValue, column } from './column-values.ts'
import { isLog } from './declared-tables.ts'
import type { DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

const entityOf = (table: string) => companyDeclarations().entities.find(each => each.table === table)

/** What was logged of these rows: that they were changed stays, what stood in them does not. */
export async function emptyHistory(
  tx: Tx,
  ownerId: Id,
  tables: readonly DeclaredTable[],
  name: string,
  rowIds: readonly string[],
): Promise<void> {
  const entity = entityOf(name)
  for (const { name: log, declared, stored } of entity ? tables.filter(isLog) : []) {
    const [entityText, idColumn] = defined(declared.history)
    const assignments = Object.entries(declared.columns).flatMap(([each, role]) => {
      const storedColumn = stored.columns.get(each)
      const value = role === 'note' && storedColumn ? clearedValue(role, storedColumn) : undefined
      return value ? [sql`${sql.id(each)} = ${value}`] : []
    })
    if (!assignments.length) continue
    await tx.execute(sql`
      update ${sql.table(log)} t
      set ${sql.join(assignments)}
      where t.owner_id = ${ownerId}
        and ${sql.raw(entityText)} = ${defined(entity).name}
        and t.${sql.id(idColumn)} = any(${[...rowIds]}::bigint[])
    `)
  }
}

/** A document without these members. */
const without = (name: string, members: readonly string[]): Sql =>
  sql`case
    when jsonb_typeof(${column(name)}) = 'object' then ${column(name)} - ${[...members]}::text[]
    else ${column(name)}
  end`

/**
 * What was logged of columns that were cleared: the change history of the rows, and what was sent to the
 * calls that wrote them, without these columns.
 */
export async function clearHistory(
  tx: Tx,
  ownerId: Id,
  tables: readonly DeclaredTable[],
  name: string,
  rowIds: readonly string[],
  columns: readonly string[],
): Promise<void> {
  const entity = entityOf(name)
  if (!entity) return
  const keys = storedKeys(entity).filter(key => columns.includes(columnOf(key)))
  for (const log of tables.filter(isLog)) {
    const [entityText, idColumn] = defined(log.declared.history)
    const documents = [...log.stored.columns].flatMap(([each, { type }]) =>
      type === 'jsonb' && each in log.declared.columns ? [each] : [],
    )
    if (!documents.length) continue
    await tx.execute(sql`
      update ${sql.table(log.name)} t
      set ${sql.join(documents.map(each => sql`${sql.id(each)} = ${without(each, keys)}`))}
      where t.owner_id = ${ownerId}
        and ${sql.raw(entityText)} = ${entity.name}
        and t.${sql.id(idColumn)} = any(${[...rowIds]}::bigint[])
    `)
  }
  const names = keys.flatMap(key => (entity.fields[key] ? [wireNameOf(key, entity.fields[key])] : []))
  const routes = writeCallsOf(entity.name).map(call => call.route)
  for (const { name: log, declared } of routes.length ? tables : []) {
    if (!declared.calls) continue
    const [route, input] = declared.calls
    await tx.execute(sql`
      update ${sql.table(log)} t
      set ${sql.id(input)} = ${without(input, names)}
      where t.owner_id = ${ownerId}
        and ${column(route)} = any(${routes}::text[])
        and coalesce(${column(input)} ->> 'Id', ${column(input)} ->> 'ID', ${column(input)} ->> 'id')
          = any(${[...rowIds]}::text[])
    `)
  }
}

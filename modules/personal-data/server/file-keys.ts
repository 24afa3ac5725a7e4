import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { findHeldKeys } from '#kit/server/file-access.ts'
import { isFileKey } from '#kit/server/files.ts'
import { personalTables } from '#kit/server/personal-data/registry.ts'
import type { ColumnRole } from '#kit/server/personal-data/declaration.ts'
import type { DeclaredTable } from './table-statements.ts'

/** Keys of the files that the chosen columns of these rows hold. */
export async function readFileKeys(
  tx: Tx,
  table: DeclaredTable,
  columns: readonly string[],
  where: RawBuilder<unknown>,
  roles: readonly ColumnRole[] = ['files'],
): Promise<string[]> {
  const holding = columns.filter(
    name => roles.includes(table.declared.columns[name] ?? 'kept') && table.stored.columns.has(name),
  )
  const keys: string[] = []
  for (const name of holding) {
    const rows = await tx.rows<{ files?: string | readonly string[] }>(sql`
      select t.${sql.id(name)} as files
      from ${sql.table(table.name)} t
      where ${where} and t.${sql.id(name)} is not null
    `)
    keys.push(...rows.flatMap(row => row.files ?? []))
  }
  return keys.filter(isFileKey)
}

/** Those of the keys that a table without an entity holds: an uploaded sheet, an output. */
export async function findOtherFileKeys(tx: Tx, ownerId: Id, keys: readonly string[]): Promise<Set<string>> {
  const entityTables = new Set(companyDeclarations().entities.map(entity => entity.table))
  const holders = personalTables()
    .filter(([name]) => !entityTables.has(name))
    .flatMap(([name, { columns }]) =>
      Object.entries(columns)
        .filter(([, role]) => role === 'files')
        .map(
          ([column]) => sql`
            select ${sql.id(column)} as key
            from ${sql.table(name)}
            where owner_id = ${ownerId} and ${sql.id(column)} = any(${[...keys]}::text[])
          `,
        ),
    )
  if (!holders.length) return new Set()
  const rows = await tx.rows<{ key: string }>(sql`${sql.join(holders, sql` union all `)}`)
  return new Set(rows.map(row => row.key))
}

/** Removes the files that no record of the company holds any more: one may stand in several. */
export async function discardUnused(
  tx: Tx,
  app: Pick<App, 'files'>,
  ownerId: Id,
  keys: readonly string[],
): Promise<void> {
  if (!keys.length) return
  const inUse = await findHeldKeys(tx, ownerId, [...new Set(keys)])
  await app.files.discard(
    tx,
    ownerId,
    [...new Set(keys)].filter(key => !inUse.has(key)),
  )
}

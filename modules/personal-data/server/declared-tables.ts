import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { personalTables } from '#kit/server/personal-data/registry.ts'
import { readCatalogue } from './catalogue.ts'
import { isHeldByLaw } from './held.ts'
import type { Person } from './person.ts'
import { anyOf, ownConditions, type DeclaredTable } from './table-statements.ts'

/** A log of records of all kinds: it names the entity in a column. */
const isLog = ({ declared }: DeclaredTable): boolean => declared.history?.[0] === 'entity'

/** Vouchers keep what was done to them as long as the law keeps them. */
const hasOwnHistory = (table: DeclaredTable): boolean =>
  !isLog(table) && table.stored.key.join() === 'id' && !isHeldByLaw(table)

/** Rows that a log of all entities has of the rows that are the person's own. */
function rowHistoryOf(
  tables: readonly DeclaredTable[],
  [entityColumn, idColumn]: readonly [entity: string, id: string],
): (person: Person) => RawBuilder<unknown>[] {
  const entities = new Map(companyDeclarations().entities.map(entity => [entity.table, entity.name]))
  return person =>
    tables.flatMap(table => {
      const entity = entities.get(table.name)
      const own = entity !== undefined && hasOwnHistory(table) ? ownConditions(table, person) : []
      return own.length
        ? [
            sql`(
              t.${sql.id(entityColumn)} = ${entity}
              and t.${sql.id(idColumn)} in (
                select t.id from ${sql.table(table.name)} t where t.owner_id = ${person.ownerId} and ${anyOf(own)}
              )
            )`,
          ]
        : []
    })
}

/** The declared tables as the database has them. */
export async function readDeclaredTables(db: Db): Promise<DeclaredTable[]> {
  const catalogue = await readCatalogue(db)
  const tables = personalTables().flatMap(([name, declared]) => {
    const stored = catalogue.get(name)
    return stored ? [{ name, declared, stored }] : []
  })
  return tables.map(table =>
    table.declared.history && isLog(table)
      ? { ...table, rowHistory: rowHistoryOf(tables, table.declared.history) }
      : table,
  )
}

import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { writeCallsOf } from '#kit/server/handler/registration.ts'
import { personalTables } from '#kit/server/personal-data/registry.ts'
import { readCatalogue } from './catalogue.ts'
import { anyOf } from './column-values.ts'
import { isHeldByLaw } from './held.ts'
import type { Person } from './person.ts'
import { isConfirmed, ownConditions, type DeclaredTable, type RowHistory } from './table-statements.ts'

type Sql = RawBuilder<unknown>

/** A log of records of all kinds. */
export const isLog = ({ declared }: Pick<DeclaredTable, 'declared'>): boolean =>
  declared.history !== undefined && declared.isCopy === true

const hasOwnHistory = (table: DeclaredTable): boolean => !isLog(table) && table.stored.key.join() === 'id'

/** The names of the entities by their tables. */
export const entitiesByTable = (): ReadonlyMap<string, string> =>
  new Map(companyDeclarations().entities.map(entity => [entity.table, entity.name]))

/** Rows that a log of all entities has of rows of other tables. */
function rowHistoryOf(
  tables: readonly DeclaredTable[],
  [entityText, idColumn]: readonly [entity: string, id: string],
  spoken?: readonly string[],
): RowHistory {
  const entities = entitiesByTable()
  const isSpoken = (entity: string | undefined): boolean =>
    entity !== undefined && (spoken?.includes(entity) ?? true)
  const logged = tables.filter(table => isSpoken(entities.get(table.name)) && hasOwnHistory(table))
  const rowsOf = ({ name }: DeclaredTable, conditions: readonly Sql[], { ownerId }: Person): Sql[] =>
    conditions.length
      ? [
          sql`(
            ${sql.raw(entityText)} = ${entities.get(name)}
            and t.${sql.id(idColumn)} in (
              select t.id from ${sql.table(name)} t where t.owner_id = ${ownerId} and ${anyOf(conditions)}
            )
          )`,
        ]
      : []
  return {
    own: person =>
      logged.flatMap(table =>
        isHeldByLaw(table) ? [] : rowsOf(table, ownConditions(table, person), person),
      ),
    // Vouchers keep what was done to them as long as the law keeps them.
    about: person =>
      logged.flatMap(table => {
        const own = isHeldByLaw(table) ? ownConditions(table, person) : []
        const confirmed = isConfirmed(table, person)
        return rowsOf(table, [...own, ...(confirmed ? [confirmed] : [])], person)
      }),
  }
}

/** Answers of calls that wrote a row of the person's own, or a voucher of the person. */
const ownAnswersOf =
  (tables: readonly DeclaredTable[], [route, answer]: readonly [route: string, answer: string]) =>
  (person: Person): Sql[] => {
    const entities = entitiesByTable()
    const data = sql`t.${sql.id(answer)} -> 'Data'`
    const id = sql`coalesce(${data} ->> 'Id', ${data} ->> 'ID', ${data} ->> 'id')`
    return tables.flatMap(table => {
      const routes = writeCallsOf(entities.get(table.name) ?? '').map(call => call.route)
      const conditions = hasOwnHistory(table) ? ownConditions(table, person) : []
      return routes.length && conditions.length
        ? [
            sql`(
              t.${sql.id(route)} = any(${routes}::text[])
              and ${id} in (
                select t.id::text from ${sql.table(table.name)} t
                where t.owner_id = ${person.ownerId} and ${anyOf(conditions)}
              )
            )`,
          ]
        : []
    })
  }

/** The declared tables as the database has them. */
export async function readDeclaredTables(db: Db): Promise<DeclaredTable[]> {
  const catalogue = await readCatalogue(db)
  const known = new Map(
    personalTables().flatMap(([name, declared]): [string, DeclaredTable][] => {
      const stored = catalogue.get(name)
      return stored ? [[name, { name, declared, stored }]] : []
    }),
  )
  const tables = [...known.values()].map(table => {
    const parent = known.get(table.declared.ownWith?.[0] ?? '')
    return parent ? { ...table, parent } : table
  })
  return tables.map(table => {
    const { history, historyEntities, answers } = table.declared
    return {
      ...table,
      ...(history && isLog(table) ? { rowHistory: rowHistoryOf(tables, history, historyEntities) } : {}),
      ...(answers ? { ownAnswers: ownAnswersOf(tables, answers) } : {}),
    }
  })
}

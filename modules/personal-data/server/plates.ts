import { sql, type Db } from '#kit/server/db.ts'
import { anyOf, column, platePattern } from './column-values.ts'
import { withPlates, type Person } from './person.ts'
import { ownConditions, type DeclaredTable } from './table-statements.ts'

/** The person with the plates of cars for which the person pays: what is charged is called after the car. */
export async function readPlates(db: Db, person: Person, tables: readonly DeclaredTable[]): Promise<Person> {
  const selects = tables.flatMap(table => {
    const own = ownConditions(table, person)
    return Object.entries(table.declared.columns).flatMap(([name, role]) =>
      role === 'named' && own.length
        ? [
            sql`
              select ${column(name)} as plate
              from ${sql.table(table.name)} t
              where t.owner_id = ${person.ownerId} and ${anyOf(own)} and ${column(name)} ~ ${platePattern}
            `,
          ]
        : [],
    )
  })
  if (!selects.length) return person
  const rows = await db.rows<{ plate: string }>(sql`${sql.join(selects, sql` union `)}`)
  return rows.length
    ? withPlates(
        person,
        rows.map(row => row.plate),
      )
    : person
}

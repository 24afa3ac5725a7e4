import type { Db } from '#kit/server/db.ts'
import { personalTables } from '#kit/server/personal-data/registry.ts'
import { readCatalogue } from './catalogue.ts'
import type { DeclaredTable } from './table-statements.ts'

/** The declared tables as the database has them. */
export async function readDeclaredTables(db: Db): Promise<DeclaredTable[]> {
  const catalogue = await readCatalogue(db)
  return personalTables().flatMap(([name, declared]) => {
    const stored = catalogue.get(name)
    return stored ? [{ name, declared, stored }] : []
  })
}

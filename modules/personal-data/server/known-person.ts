import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { requirePerson, type ConfirmedRows, type Person, type PersonKey } from './person.ts'
import { readPlates } from './plates.ts'
import type { DeclaredTable } from './table-statements.ts'

export interface KnownPerson {
  readonly person: Person
  readonly tables: readonly DeclaredTable[]
}

/** A person with everything that identifies the person, and the tables in which to look. */
export async function requireKnownPerson(
  db: Db,
  ownerId: Id,
  key: PersonKey,
  confirmed?: ConfirmedRows,
  others?: readonly PersonKey[],
): Promise<KnownPerson> {
  const tables = await readDeclaredTables(db)
  const person = await requirePerson(db, ownerId, key, confirmed, others)
  return { person: await readPlates(db, person, tables), tables }
}

import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { namePrefix } from '../domain/file-name.ts'
import type { Selection } from './selection.ts'

/** Names that will be added to a folder. */
interface NewNames {
  readonly folders?: readonly string[]
  readonly files?: readonly string[]
}

/** Behind every character that a name may have. */
const lastCharacter = '\u{10ffff}'

/** By the unique index on the names of a folder: one range of it for each beginning. */
const rowsWithPrefix = ({ folders = [], files = [] }: NewNames): RawBuilder<unknown> => {
  const prefixes = [
    ...new Set([
      ...folders.map(name => namePrefix(name, { isFolder: true })),
      ...files.map(name => namePrefix(name)),
    ]),
  ]
  return sql`
    unnest(${prefixes}::text[], ${prefixes.map(prefix => prefix + lastCharacter)}::text[]) as p(low, high)
  `
}

/**
 * The existing names of a folder that share a prefix with the new ones, by an index range: in a folder of
 * fifty thousand files the others are not read. A folder and a file do not share a name (FILE-2).
 */
export async function findTakenNames(
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  folderId: Id,
  names: NewNames,
): Promise<ReadonlySet<string>> {
  const namesAlike = (table: string, isInFolder: RawBuilder<unknown>) => sql<{ nameKey: string }>`
    select t.name_key
    from ${rowsWithPrefix(names)}
    join ${sql.table(table)} t on t.name_key >= p.low collate "C" and t.name_key < p.high collate "C"
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and ${isInFolder}
      and ${notDeleted('t')}
  `
  const [folders, files] = await tx.all<[{ nameKey: string }, { nameKey: string }]>(
    namesAlike('file_dir', sql`t.pid = ${folderId}`),
    namesAlike('file_info', sql`t.dir_id = ${folderId}`),
  )
  return new Set([...folders, ...files].map(row => row.nameKey))
}

export const namesOf = ({ folders, files }: Pick<Selection, 'folders' | 'files'>): NewNames => ({
  folders: folders.map(folder => folder.name),
  files: files.map(file => file.name),
})

import type pg from 'pg'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { StoredTable } from './catalogue.ts'
import { attachmentFolder, safeName } from './manifest.ts'
import { quoteName, quoteText } from './values-sql.ts'

export interface StoredAttachment {
  readonly key: string
  readonly name: string
  /** Parts separated by `/`. */
  readonly folder: string | null
}

const batchSize = 1000

/** A text as one part of a folder's path. */
const partOf = (value: string): string => `translate(left(${value}, 60), '/\\', '__')`

/** The files that each record of an entity holds, in a folder of that record. */
function heldFiles(entity: Entity, stored: StoredTable): string[] {
  const columns = new Map(stored.columns.map(column => [column.name, column.type]))
  const title = columnOf(entity.title)
  const hasTitle = columns.has(title) && entity.title !== 'id'
  const record = `${hasTitle ? `coalesce(${partOf(`t.${quoteName(title)}::text`)}, '') || '-' || ` : ''}t.id`
  const folder = `${quoteText(`${safeName(entity.label)}/`)} || ${record}`
  return storedKeys(entity).flatMap(key => {
    const field = entity.fields[key]
    if (!field || (field.kind !== 'file' && !field.holdsFiles) || !columns.has(columnOf(key))) return []
    const column = `t.${quoteName(columnOf(key))}`
    const value = columns.get(columnOf(key)) === 'text[]' ? `unnest(${column})` : column
    return [
      `select ${value} as key, ${folder} as folder, 1 as rank from ${quoteName(entity.table)} t where t.owner_id = $1`,
    ]
  })
}

/**
 * The files of a company with their folders, in batches: that which a module gives, else that of the record
 * with the lowest path; files that no record holds have none.
 */
export async function* readAttachments(
  client: pg.ClientBase,
  ownerId: number,
  {
    entities,
    tables,
    fileFolders,
  }: {
    readonly entities: readonly Entity[]
    readonly tables: readonly StoredTable[]
    readonly fileFolders: readonly string[]
  },
): AsyncGenerator<readonly StoredAttachment[]> {
  const tableByName = new Map(tables.map(table => [table.name, table]))
  const holders = [
    ...fileFolders.map(text => `select key, folder, 0 as rank from (${text}) g`),
    ...entities.flatMap(entity => {
      const stored = tableByName.get(entity.table)
      return stored ? heldFiles(entity, stored) : []
    }),
  ]
  await client.query(
    `declare company_files no scroll cursor for
    with holder as (${holders.join(' union all ') || 'select null::text as key, null::text as folder, 0 as rank'}),
      chosen as (
        select distinct on (key) key, folder
        from holder
        where key is not null
        order by key, rank, folder
      )
    select s.key, s.name, c.folder
    from file_store s
    left join chosen c on c.key = s.key
    where s.owner_id = $1 and s.expire_time is null
    order by c.folder, s.name, s.key`,
    [ownerId],
  )
  for (;;) {
    const { rows } = await client.query<StoredAttachment>(`fetch ${batchSize} from company_files`)
    if (!rows.length) break
    yield rows
  }
  await client.query('close company_files')
}

/** Gives every file a path that no other has, whatever letters in it are small or capital. */
export class AttachmentPaths {
  readonly #taken = new Set<string>()

  pathOf({ key, name, folder }: StoredAttachment): string {
    const parts = (folder ?? '未归属').split('/').map(safeName)
    const place = [attachmentFolder, ...parts].join('/')
    const dot = name.lastIndexOf('.')
    const stem = safeName(dot > 0 ? name.slice(0, dot) : name).slice(0, 60)
    const ending = dot > 0 ? `.${safeName(name.slice(dot + 1)).slice(0, 10)}` : ''
    const candidates = [`${stem}${ending}`, `${stem}-${key.slice(0, 8)}${ending}`, `${stem}-${key}${ending}`]
    const path = candidates.map(each => `${place}/${each}`).find(each => !this.#taken.has(each.toLowerCase()))
    if (path === undefined) throw new Error(`no path for file ${key}`)
    this.#taken.add(path.toLowerCase())
    return path
  }
}

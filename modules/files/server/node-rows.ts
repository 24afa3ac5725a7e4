import type { ValueOf } from '#kit/contract/field.ts'
import { deleteTag, nodeType } from '../contract/choices.ts'
import type { Id } from '#kit/domain/id.ts'
import { secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { toFieldValues } from '#kit/server/column-storage.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { outOfDomain, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { nodeFields } from '../contract/node.ts'
import { remainingSeconds } from '../domain/remaining-time.ts'
import { linksTo } from './file-link.ts'

type Sql = RawBuilder<unknown>
export type Node = ValueOf<typeof nodeFields>

/** A row with what only the server knows of it. */
export type NodeRow = Node & {
  readonly fileKey?: string
  readonly binKey?: string
  /** What the bin lists; the rest went there in a folder. */
  readonly isBinRoot?: boolean
}

const readRows = async (db: Db, statement: Sql): Promise<NodeRow[]> => {
  const rows = await db.rows<Record<string, unknown>>(sql`${statement}`)
  return rows.map(row => ({ ...toFieldValues(nodeFields, row), ...secretsOf(row) }))
}

const secretsOf = ({ fileKey, binKey, binRoot }: Record<string, unknown>): Omit<NodeRow, keyof Node> => ({
  ...(typeof fileKey === 'string' && { fileKey }),
  ...(typeof binKey === 'string' && { binKey }),
  ...(binRoot === true && { isBinRoot: true }),
})

interface RowsOptions {
  readonly where: Sql
  readonly order?: Sql
  readonly limit?: number
  readonly offset?: number
  readonly lock?: boolean
}

const tailOf = ({ order, limit, offset = 0, lock }: RowsOptions): Sql => sql`
  ${order ? sql`order by ${order}` : sql``}
  ${limit === undefined ? sql`` : sql`limit ${limit} offset ${offset}`}
  ${lock ? sql`for update of t` : sql``}
`

/** How many folders and files are in the folder `t`; `which` is one that an index is for. */
const itemCount = (ownerId: Id, which: (alias: string) => Sql): Sql => sql`
  (
    select count(*)
    from file_dir c
    where c.owner_id = ${ownerId} and c.project_code = t.project_code and c.pid = t.id and ${which('c')}
  ) + (
    select count(*)
    from file_info f
    where f.owner_id = ${ownerId} and f.project_code = t.project_code and f.dir_id = t.id and ${which('f')}
  )
`

const wentTogether = (alias: string): Sql => sql`
  ${sql.ref(`${alias}.bin_key`)} = t.bin_key
    and ${sql.ref(`${alias}.delete_tag`)} = ${code(deleteTag, 'binned')}
`

/**
 * Folders as nodes, with the number of what each holds, in the bin of what went there with it. `t` is the
 * table.
 */
export const findFolderRows = (db: Db, ownerId: Id, options: RowsOptions): Promise<NodeRow[]> =>
  readRows(
    db,
    sql`
      select t.id, ${code(nodeType, 'folder')}::text as type, t.name, t.project_code, t.pid, t.delete_tag,
        t.directory_type, t.file_label, t.create_time, t.update_time, t.delete_time, t.version, t.bin_key,
        t.bin_root,
        case
          when t.delete_tag = 0 then ${itemCount(ownerId, notDeleted)}
          else ${itemCount(ownerId, wentTogether)}
        end as item_count
      from file_dir t
      where t.owner_id = ${ownerId} and ${options.where} ${tailOf(options)}
    `,
  )

/** Files as nodes. `t` is the table. */
export const findFileRows = (db: Db, ownerId: Id, options: RowsOptions): Promise<NodeRow[]> =>
  readRows(
    db,
    sql`
      select t.id, ${code(nodeType, 'file')}::text as type, t.name, t.project_code, t.dir_id, t.file_size,
        t.file_label, t.delete_tag, 0 as directory_type, t.content_type, t.sha256, t.uploader_name,
        t.create_time, t.update_time, t.delete_time, t.version, t.file_key, t.bin_key, t.bin_root
      from file_info t
      where t.owner_id = ${ownerId} and ${options.where} ${tailOf(options)}
    `,
  )

/** The number of the project, which the old wire names beside its code. */
export async function projectIdOf(db: Db, ownerId: Id, projectCode: string): Promise<Id | undefined> {
  const found = await db.one<{ id: Id }>(sql`
    select id from estate where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
  `)
  return found?.id
}

/** Refuses a project that is none of the company's, as one outside the data domain. */
export async function requireProjectId(db: Db, ownerId: Id, projectCode: string): Promise<Id> {
  const id = await projectIdOf(db, ownerId, projectCode)
  if (id === undefined) throw outOfDomain()
  return id
}

interface NodeContext {
  readonly app: Pick<App, 'files'>
  readonly scope: Scope
  readonly now: Moment
}

/** The node as it is answered: its link, and how long it stays in the bin. */
export function toNode(
  { fileKey, binKey, isBinRoot: _isBinRoot, ...node }: NodeRow,
  { app, scope, now }: NodeContext,
  projectId: Id | undefined,
): Node {
  return {
    ...node,
    ...(projectId !== undefined && { projectId }),
    ...(fileKey !== undefined && binKey === undefined && linksTo(app, scope, node)),
    ...(node.deleteTime !== undefined && {
      remainingSeconds: remainingSeconds(secondsBetween(node.deleteTime, now)),
    }),
  }
}

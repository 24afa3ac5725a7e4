import type { Id } from '#kit/domain/id.ts'
import { invalidField, notFound } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { reservedUploadBytes } from '#kit/server/resumable-upload.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { deleteTag } from '../contract/choices.ts'
import {
  getFolderTree,
  getNode,
  getUsage,
  listBin,
  listNodes,
  type FolderTreeNode,
} from '../contract/node.ts'
import { uploadPurpose } from '../contract/transfer.ts'
import { storedLabel } from '../domain/labels.ts'
import { subtreesOf } from '../domain/folder-tree.ts'
import { quotaBytes } from '../contract/limits.ts'
import { breadcrumbsIn, findPlaces, placeText } from './folder-place.ts'
import {
  findFileRows,
  findFolderRows,
  projectIdOf,
  requireProjectId,
  toNode,
  type NodeRow,
} from './node-rows.ts'
import { findFolders, type Folder } from './folders.ts'
import { projectOf } from './project.ts'

type Sql = RawBuilder<unknown>

const defaultPageSize = 60

/** Columns that a list is ordered by; folders have a name and a time only. */
const orders: Readonly<Record<string, { readonly file: Sql; readonly folder: Sql }>> = {
  name: { file: sql`t.sort_name`, folder: sql`t.sort_name` },
  filesize: { file: sql`t.file_size`, folder: sql`t.sort_name` },
  updatetime: { file: sql`t.update_time`, folder: sql`t.update_time` },
}

function readOrder(order = 'name'): { readonly file: Sql; readonly folder: Sql } {
  const column = orders[order.replace(/^-|\s+(asc|desc)$/gi, '').toLowerCase()]
  if (!column) throw invalidField('OrderBy', '只能按名称、大小或修改时间排序')
  const direction = /^-|\sdesc$/i.test(order) ? sql`desc` : sql`asc`
  return {
    file: sql`${column.file} ${direction}, t.id ${direction}`,
    folder: sql`${column.folder} ${direction}, t.id ${direction}`,
  }
}

interface Slice {
  readonly limit: number
  readonly offset: number
}

/** The part of a page that falls on the folders, and the part on the files behind them. */
function slicesOf(
  page: number,
  size: number,
  folders: number,
): { readonly folder: Slice; readonly file: Slice } {
  const from = (page - 1) * size
  const folderCount = Math.max(0, Math.min(size, folders - from))
  return {
    folder: { limit: folderCount, offset: Math.min(from, folders) },
    file: { limit: size - folderCount, offset: Math.max(0, from - folders) },
  }
}

interface Conditions {
  readonly folder: Sql
  readonly file: Sql
}

interface NodeQuery {
  readonly projectCode: string
  readonly dirId?: Id
  readonly keyword?: string
  readonly label?: string
}

/** What a label or a keyword finds in the whole project; nothing where a folder is meant. */
function searchOf({ label, keyword }: NodeQuery): Sql | undefined {
  if (label) return sql`t.file_label @> array[${storedLabel(label)}]::text[]`
  return keyword?.trim() ? matchesSearchText(keyword) : undefined
}

/** A folder's content, or what is searched for. */
function conditionsOf(query: NodeQuery): Conditions {
  const inProject = sql`t.project_code = ${query.projectCode} and ${notDeleted('t')}`
  const found = searchOf(query)
  if (found) {
    const matches = sql`${inProject} and ${found}`
    return { folder: matches, file: matches }
  }
  return {
    folder: sql`${inProject} and t.pid = ${query.dirId ?? 0}`,
    file: sql`${inProject} and t.dir_id = ${query.dirId ?? 0}`,
  }
}

interface Counted {
  readonly folders: number
  readonly files: number
  readonly bytes: number
}

async function countNodes(db: Db, ownerId: Id, where: Conditions): Promise<Counted> {
  const [[folders], [files]] = await db.all<[{ n: number }, { n: number; bytes: number }]>(
    sql`select count(*)::int as n from file_dir t where t.owner_id = ${ownerId} and ${where.folder}`,
    sql`
      select count(*)::int as n, coalesce(sum(t.file_size), 0)::bigint as bytes
      from file_info t
      where t.owner_id = ${ownerId} and ${where.file}
    `,
  )
  return { folders: folders?.n ?? 0, files: files?.n ?? 0, bytes: Number(files?.bytes ?? 0) }
}

async function findNodes(
  { db, scope }: ReadContext,
  where: Conditions,
  order: { readonly folder: Sql; readonly file: Sql },
  paging: { readonly page?: number; readonly size?: number },
): Promise<{ readonly counted: Counted; readonly rows: NodeRow[] }> {
  const { page = 1, size = defaultPageSize } = paging
  const counted = await countNodes(db, scope.ownerId, where)
  const slices = slicesOf(page, size, counted.folders)
  const [folders, files] = await Promise.all([
    slices.folder.limit
      ? findFolderRows(db, scope.ownerId, { where: where.folder, order: order.folder, ...slices.folder })
      : [],
    slices.file.limit
      ? findFileRows(db, scope.ownerId, { where: where.file, order: order.file, ...slices.file })
      : [],
  ])
  return { counted, rows: [...folders, ...files] }
}

/** A folder that is not there, in the bin or of another project is not an empty one. */
async function assertFolder(db: Db, ownerId: Id, { projectCode, dirId = 0 }: NodeQuery): Promise<void> {
  if (dirId === 0) return
  const found = await db.one(sql`
    select id
    from file_dir
    where owner_id = ${ownerId} and id = ${dirId} and project_code = ${projectCode} and ${notDeleted()}
  `)
  if (!found) throw notFound()
}

function treeOf(folders: readonly Folder[]): FolderTreeNode[] {
  const children = Map.groupBy(folders, folder => folder.pid)
  const nodesIn = (pid: Id): FolderTreeNode[] =>
    (children.get(pid) ?? []).map(folder => ({ ...folder, children: nodesIn(folder.id) }))
  return nodesIn(0)
}

const isBinRoot = (projectCode: string): Sql =>
  sql`t.project_code = ${projectCode} and t.delete_tag = ${code(deleteTag, 'binned')} and t.bin_root`

/** What the files of each batch in the bin have together. */
async function binSizes(db: Db, ownerId: Id, rows: readonly NodeRow[]): Promise<ReadonlyMap<string, number>> {
  const keys = rows.flatMap(row => (row.type === 'folder' && row.binKey ? [row.binKey] : []))
  if (!keys.length) return new Map()
  const sizes = await db.rows<{ binKey: string; bytes: number }>(sql`
    select bin_key, sum(file_size)::bigint as bytes
    from file_info
    where owner_id = ${ownerId}
      and bin_key = any(${keys}::text[])
      and delete_tag = ${code(deleteTag, 'binned')}
    group by bin_key
  `)
  return new Map(sizes.map(({ binKey, bytes }) => [binKey, bytes]))
}

/** Bytes of all files under a folder. */
async function folderBytes(db: Db, ownerId: Id, projectCode: string, ids: readonly Id[]): Promise<number> {
  const found = await db.one<{ bytes: number }>(sql`
    select coalesce(sum(file_size), 0)::bigint as bytes
    from file_info
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and dir_id = any(${[...ids]}::bigint[])
      and ${notDeleted()}
  `)
  return found?.bytes ?? 0
}

/** What was asked, with both names of its project. */
async function withProject<I extends { readonly projectCode?: string; readonly projectId?: Id }>(
  db: Db,
  scope: Scope,
  input: I,
): Promise<I & { readonly projectCode: string; readonly projectId: Id }> {
  const projectCode = await projectOf(db, scope, input)
  return { ...input, projectCode, projectId: await requireProjectId(db, scope.ownerId, projectCode) }
}

export const nodeListHandlers = [
  reads(listNodes, async (input, c) => {
    const { db, scope } = c
    const query = await withProject(db, scope, input)
    const isSearch = searchOf(query) !== undefined
    if (!isSearch) {
      await assertFolder(db, scope.ownerId, query)
    }
    const { counted, rows } = await findNodes(c, conditionsOf(query), readOrder(query.order), query)
    const breadcrumbsOf = breadcrumbsIn(
      isSearch ? await findFolders(db, scope.ownerId, query.projectCode) : [],
    )
    return {
      total: counted.folders + counted.files,
      sum: { fileSize: counted.bytes },
      rows: rows.map(row => ({
        ...toNode(row, c, query.projectId),
        ...(isSearch && {
          folderPath: placeText(breadcrumbsOf(row.pid ?? row.dirId ?? 0).map(step => step.name)),
        }),
      })),
    }
  }),
  reads(getNode, async ({ id, type }, c) => {
    const { db, scope } = c
    const where = sql`t.id = ${id} and t.delete_tag >= 0`
    const [row] = await (type === 'folder' ? findFolderRows : findFileRows)(db, scope.ownerId, { where })
    if (!row) throw notFound()
    const projectCode = requireProject(scope.domain, row.projectCode)
    const folders = await findFolders(db, scope.ownerId, projectCode)
    const ancestors = breadcrumbsIn(folders)(row.pid ?? row.dirId ?? 0)
    const subtree = subtreesOf(folders, [id]).map(folder => folder.id)
    return {
      ...toNode(row, c, await projectIdOf(db, scope.ownerId, projectCode)),
      ...(type === 'folder' && {
        fileSize: await folderBytes(db, scope.ownerId, projectCode, subtree),
      }),
      folderPath: placeText(ancestors.map(step => step.name)),
      ancestors,
    }
  }),
  reads(getFolderTree, async (input, { db, scope }) => {
    const { projectCode } = await withProject(db, scope, input)
    return treeOf(await findFolders(db, scope.ownerId, projectCode))
  }),
  reads(listBin, async (input, c) => {
    const { db, scope } = c
    const query = await withProject(db, scope, input)
    const matches = query.keyword?.trim() ? sql`and ${matchesSearchText(query.keyword)}` : sql``
    const where = sql`${isBinRoot(query.projectCode)} ${matches}`
    const order = sql`t.delete_time desc, t.id desc`
    const { counted, rows } = await findNodes(
      c,
      { folder: where, file: where },
      { folder: order, file: order },
      query,
    )
    const sizes = await binSizes(db, scope.ownerId, rows)
    const placeOf = await findPlaces(db, scope.ownerId, rows)
    return {
      total: counted.folders + counted.files,
      sum: { fileSize: counted.bytes },
      rows: rows.map(row => ({
        ...toNode(row, c, query.projectId),
        folderPath: placeOf(row),
        ...(row.type === 'folder' && row.binKey && { fileSize: sizes.get(row.binKey) ?? 0 }),
      })),
    }
  }),
  reads(getUsage, async (input, { db, scope }) => {
    const { ownerId } = scope
    const { projectCode } = await withProject(db, scope, input)
    const [[usage], [files], [bin]] = await db.all<[{ bytes: number }, { n: number }, { n: number }]>(
      sql`
        select used_bytes as bytes from file_usage where owner_id = ${ownerId} and project_code = ${projectCode}
      `,
      sql`
        select count(*)::int as n
        from file_info
        where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
      `,
      sql`
        select (
          select count(*) from file_dir t where t.owner_id = ${ownerId} and ${isBinRoot(projectCode)}
        )::int + (
          select count(*) from file_info t where t.owner_id = ${ownerId} and ${isBinRoot(projectCode)}
        )::int as n
      `,
    )
    return {
      usedBytes: usage?.bytes ?? 0,
      reservedBytes: await reservedUploadBytes(db, ownerId, uploadPurpose, projectCode),
      quotaBytes,
      fileCount: files?.n ?? 0,
      binCount: bin?.n ?? 0,
    }
  }),
]

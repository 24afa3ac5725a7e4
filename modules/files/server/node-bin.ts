import { randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { deleteTag, shareState } from '../contract/choices.ts'
import { binDays } from '../contract/limits.ts'
import { changeUsage, findFolders, lockProject } from './folders.ts'
import { assertWritableParents, auditNodes } from './node-moves.ts'
import type { NodeRow } from './node-rows.ts'
import { assertChangeable, withoutNested, type Selection } from './selection.ts'

export const binned = code(deleteTag, 'binned')

interface BinKey {
  readonly id: Id
  readonly key: string
}

const newBinKeys = (nodes: readonly NodeRow[]): BinKey[] =>
  nodes.map(({ id }) => ({ id, key: randomBytes(16).toString('hex') }))

const keysSql = (keys: readonly BinKey[]) => sql`
  unnest(${keys.map(k => k.id)}::bigint[], ${keys.map(k => k.key)}::text[]) as k(id, key)
`

/** Moves folders and their content to the bin. Returns the folders and files moved. */
async function binFolders(
  tx: Tx,
  scope: Scope,
  keys: readonly BinKey[],
): Promise<{ readonly folderIds: Id[]; readonly fileIds: Id[] }> {
  if (!keys.length) return { folderIds: [], fileIds: [] }
  const { ownerId } = scope
  const folders = await tx.rows<{ id: Id }>(sql`
    with recursive tree as (
      select t.id, k.key, true as is_root
      from ${keysSql(keys)}
      join file_dir t on t.owner_id = ${ownerId} and t.id = k.id
      where t.owner_id = ${ownerId}
      union all
      select c.id, tree.key, false
      from tree
      join file_dir c on c.owner_id = ${ownerId} and c.pid = tree.id
      where c.owner_id = ${ownerId} and ${notDeleted('c')}
    )
    update file_dir d
    set delete_tag = ${binned}, bin_key = tree.key, bin_root = tree.is_root,
      delete_time = ${scope.time}::timestamptz, ${touch(scope, 'd')}
    from tree
    where d.owner_id = ${ownerId} and d.id = tree.id
    returning d.id
  `)
  const files = await tx.rows<{ id: Id }>(sql`
    update file_info f
    set delete_tag = ${binned}, bin_key = d.bin_key, delete_time = ${scope.time}::timestamptz,
      ${touch(scope, 'f')}
    from file_dir d
    where d.owner_id = ${ownerId}
      and d.bin_key = any(${keys.map(k => k.key)}::text[])
      and d.delete_tag = ${binned}
      and f.owner_id = ${ownerId}
      and f.dir_id = d.id
      and ${notDeleted('f')}
    returning f.id
  `)
  return { folderIds: folders.map(row => row.id), fileIds: files.map(row => row.id) }
}

async function binFiles(tx: Tx, scope: Scope, keys: readonly BinKey[]): Promise<void> {
  if (!keys.length) return
  await tx.execute(sql`
    update file_info f
    set delete_tag = ${binned}, bin_key = k.key, bin_root = true, delete_time = ${scope.time}::timestamptz,
      ${touch(scope, 'f')}
    from ${keysSql(keys)}
    where f.owner_id = ${scope.ownerId} and f.id = k.id
  `)
}

/** FILE-6: what is deleted is shared no more; a share ends with the last that it names. */
async function unshare(
  tx: Tx,
  scope: Scope,
  folderIds: readonly Id[],
  fileIds: readonly Id[],
): Promise<void> {
  const folders = sql`${folderIds.map(String)}::text[]`
  const files = sql`${fileIds.map(String)}::text[]`
  const isMeant = sql`
    owner_id = ${scope.ownerId}
      and state = ${code(shareState, 'active')}
      and (dir_ids && ${folders} or file_ids && ${files})
  `
  const isNothingLeft = sql`coalesce(dir_ids, '{}') <@ ${folders} and coalesce(file_ids, '{}') <@ ${files}`
  await tx.execute(sql`
    update file_share
    set state = ${code(shareState, 'revoked')}, ${touch(scope)}
    where ${isMeant} and ${isNothingLeft}
  `)
  await tx.execute(sql`
    update file_share
    set dir_ids = array(select each from unnest(dir_ids) as each where each <> all(${folders})),
      file_ids = array(select each from unnest(file_ids) as each where each <> all(${files})),
      ${touch(scope)}
    where ${isMeant}
  `)
}

/** FILE-4: each selected folder or file is one entry of the bin, its content with it. */
export async function binSelection(tx: Tx, scope: Scope, selected: Selection): Promise<void> {
  const { projectCode } = selected
  assertChangeable(selected)
  await lockProject(tx, scope.ownerId, projectCode)
  const all = await findFolders(tx, scope.ownerId, projectCode)
  assertWritableParents(scope, all, selected)
  const roots = withoutNested(selected, all)
  const { folderIds, fileIds } = await binFolders(tx, scope, newBinKeys(roots.folders))
  await binFiles(tx, scope, newBinKeys(roots.files))
  await unshare(tx, scope, folderIds, [...fileIds, ...roots.files.map(file => file.id)])
  await auditNodes(tx, scope, 'delete', roots)
}

export const binKeysOf = ({ folders, files }: Selection): string[] =>
  [...folders, ...files].flatMap(node => node.binKey ?? [])

/**
 * FILE-4: the rows stay, marked as purged, without their bytes. Bytes that a copy still uses are kept.
 */
async function purgeKeys(
  tx: Tx,
  app: Pick<App, 'files'>,
  scope: Scope,
  projectCode: string,
  keys: readonly string[],
): Promise<void> {
  if (!keys.length) return
  const { ownerId } = scope
  const inBatch = sql`
    owner_id = ${ownerId} and bin_key = any(${[...keys]}::text[]) and delete_tag = ${binned}
  `
  const purged = sql`
    delete_tag = ${code(deleteTag, 'purged')}, bin_key = null, bin_root = false, ${touch(scope)}
  `
  const files = await tx.rows<{ fileKey: string; fileSize: number }>(sql`
    select file_key, file_size from file_info where ${inBatch}
  `)
  await tx.execute(sql`update file_dir set ${purged} where ${inBatch}`)
  await tx.execute(sql`update file_info set file_key = null, ${purged} where ${inBatch}`)
  await changeUsage(tx, ownerId, projectCode, -files.reduce((sum, file) => sum + file.fileSize, 0))
  const candidates = [...new Set(files.map(file => file.fileKey))]
  const kept = await tx.rows<{ fileKey: string }>(sql`
    select distinct file_key
    from file_info
    where owner_id = ${ownerId} and file_key = any(${candidates}::text[]) and delete_tag >= 0
  `)
  const keptKeys = new Set(kept.map(row => row.fileKey))
  await app.files.discard(
    tx,
    ownerId,
    candidates.filter(key => !keptKeys.has(key)),
  )
}

export async function purgeSelection(
  tx: Tx,
  app: Pick<App, 'files'>,
  scope: Scope,
  selected: Selection,
): Promise<void> {
  await lockProject(tx, scope.ownerId, selected.projectCode)
  await purgeKeys(tx, app, scope, selected.projectCode, binKeysOf(selected))
  await auditNodes(tx, scope, 'purge', selected)
}

const binRootKeys = (tx: Tx, ownerId: Id, projectCode: string, before?: Date) => {
  const condition = sql`
    owner_id = ${ownerId}
      and project_code = ${projectCode}
      and delete_tag = ${binned}
      and bin_root
      ${before ? sql`and delete_time < ${before}` : sql``}
  `
  return tx.rows<{ binKey: string }>(sql`
    select bin_key from file_dir where ${condition} union all select bin_key from file_info where ${condition}
  `)
}

/** 清空回收站 of one project; with `before`, what was deleted until then. Returns the number of entries. */
export async function purgeBin(
  tx: Tx,
  app: Pick<App, 'files'>,
  scope: Scope,
  projectCode: string,
  before?: Date,
): Promise<number> {
  await lockProject(tx, scope.ownerId, projectCode)
  const keys = (await binRootKeys(tx, scope.ownerId, projectCode, before)).map(row => row.binKey)
  await purgeKeys(tx, app, scope, projectCode, keys)
  return keys.length
}

/** FILE-5: every hour, what has been in the bin for ten days goes. */
export const purgeCron = defineCron({
  name: 'file-bin',
  schedule: '50 * * * *',
  run: async app => {
    const before = new Date(app.clock() - binDays * 86_400_000)
    const isOver = sql`delete_tag = ${binned} and delete_time < ${before}`
    const due = sql<{ ownerId: Id }>`
      select distinct owner_id
      from file_dir
      where ${isOver}
      union
      select distinct owner_id
      from file_info
      where ${isOver}
    `
    await forEachDueCompany(app.database, due, async (tx, ownerId) => {
      const projects = await tx.rows<{ projectCode: string }>(sql`
        select distinct project_code
        from file_dir
        where owner_id = ${ownerId} and ${isOver}
        union
        select distinct project_code
        from file_info
        where owner_id = ${ownerId} and ${isOver}
      `)
      for (const { projectCode } of projects) {
        await purgeBin(tx, app, clockScope(app, ownerId), projectCode, before)
      }
    })
  },
})

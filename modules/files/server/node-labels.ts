import { invalidField, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { requirePermission } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { cleanLabels, labelFault } from '../domain/labels.ts'
import { menu } from '../module.ts'
import { assertWritableFolder, findFolders, nameColumns } from './folders.ts'
import type { NodeRow } from './node-rows.ts'

/** FILE-7. In a special folder for those alone who may keep it. */
export async function setLabels(
  { tx, scope }: WriteContext,
  row: NodeRow,
  rawLabels: readonly string[],
): Promise<void> {
  const labels = cleanLabels(rawLabels)
  const fault = labelFault(labels)
  if (fault) throw invalidField('FileLabel', fault)
  if (labels.join(',') === (row.fileLabel ?? []).join(',')) return
  requirePermission(scope, menu.file.permissions.edit)
  if (row.deleteTag === 'binned') refuse('文件已在回收站，请先还原')
  assertWritableFolder(
    scope,
    await findFolders(tx, scope.ownerId, row.projectCode),
    row.type === 'folder' ? row.id : (row.dirId ?? 0),
  )
  const { searchText } = nameColumns(row.name, labels)
  const set = sql`
    set file_label = ${labels}::text[], search_text = ${searchText}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${row.id}
  `
  await tx.execute(row.type === 'folder' ? sql`update file_dir ${set}` : sql`update file_info ${set}`)
  await audit(tx, scope, [
    {
      action: 'update',
      entity: row.type === 'folder' ? 'fileDir' : 'fileInfo',
      entityId: row.id,
      projectCode: row.projectCode,
      before: { fileLabel: row.fileLabel },
      after: { fileLabel: labels },
    },
  ])
}

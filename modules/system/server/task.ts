import type { Id } from '#kit/domain/id.ts'
import type { FileKey } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, findPage, tenantFilter } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import {
  cancelTask,
  listTasks,
  getTask,
  retryTask,
  taskCenter,
  downloadTaskFaults,
  downloadTaskResult,
  type Task,
} from '../contract/task.ts'

registerFileAccess(
  taskCenter.name,
  caller => sql`${tenantFilter(taskCenter, caller)} and t.operator_id = ${caller.operatorId}`,
)

/** A task of the caller; those of others are not found. */
async function requireOwnTask(db: Db, scope: Scope, id: Id): Promise<Task> {
  const task = await requireById(db, taskCenter, scope, id)
  if (task.operatorId !== scope.operatorId) throw notFound()
  return task
}

async function loadTaskFile(
  app: App,
  scope: Scope,
  key: FileKey | undefined,
  missingText: string,
): Promise<FileResponse> {
  const file = key && (await app.files.find(scope.ownerId, key))
  if (!file) return refuse(missingText)
  return { name: file.name, type: file.type, size: file.size, body: file.read }
}

export const taskHandlers = [
  reads(listTasks, (q, { db, scope }) =>
    findPage(db, taskCenter, scope, q, {
      filters: listTasks.input.filters ?? [],
      where: [sql`t.operator_id = ${scope.operatorId}`],
    }),
  ),
  reads(getTask, ({ id }, { db, scope }) => requireOwnTask(db, scope, id)),
  writes(cancelTask, async ({ id }, { tx, scope, app }) => {
    await requireOwnTask(tx, scope, id)
    await app.jobs.cancel(tx, scope.ownerId, id)
  }),
  writes(retryTask, async ({ id }, { tx, scope, app }) => {
    await requireOwnTask(tx, scope, id)
    await app.jobs.retry(tx, scope.ownerId, id)
  }),
  reads(downloadTaskResult, async ({ id }, { db, scope, app }) => {
    const { resultFile } = await requireOwnTask(db, scope, id)
    return loadTaskFile(app, scope, resultFile, '没有结果文件，或已超过 7 天保留期')
  }),
  reads(downloadTaskFaults, async ({ id }, { db, scope, app }) => {
    const { faultFile } = await requireOwnTask(db, scope, id)
    return loadTaskFile(app, scope, faultFile, '没有错误行文件，或已超过 7 天保留期')
  }),
]

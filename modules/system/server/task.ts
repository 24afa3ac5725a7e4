import type { FileKey } from '#kit/contract/field.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { absent, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { fileBody } from '#kit/server/http.ts'
import type { Scope } from '#kit/server/scope.ts'
import { need, page } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import {
  cancelTask,
  listTasks,
  oneTask,
  retryTask,
  taskCenter,
  taskFaults,
  taskResult,
  type Task,
} from '../contract/task.ts'

/** A task is its operator's; to others it is not there. */
async function own(db: Db, scope: Scope, id: number): Promise<Task> {
  const t = await need(db, taskCenter, scope, id)
  if (t.operatorId !== scope.operatorId) throw absent()
  return t
}

async function fileOf(world: World, scope: Scope, key: FileKey | undefined, missing: string): Promise<Blob> {
  const f = key && (await world.files.find(scope.ownerId, key))
  return f ? { name: f.name, type: f.type, size: f.size, body: fileBody(f.path) } : refuse(missing)
}

export const taskHandlers = [
  reads(listTasks, (q, { db, scope }) =>
    page(db, taskCenter, scope, q, {
      filters: listTasks.input.filters!,
      where: [sql`t.operator_id = ${scope.operatorId}`],
    }),
  ),
  reads(oneTask, ({ id }, { db, scope }) => own(db, scope, id)),
  writes(cancelTask, async ({ id }, { tx, scope, world }) => {
    await own(tx, scope, id)
    await world.jobs.cancel(tx, scope.ownerId, id)
  }),
  writes(retryTask, async ({ id }, { tx, scope, world }) => {
    await own(tx, scope, id)
    await world.jobs.retry(tx, scope.ownerId, id)
  }),
  reads(taskResult, async ({ id }, { db, scope, world }) =>
    fileOf(world, scope, (await own(db, scope, id)).resultFile, '没有结果文件，或已超过 7 天保留期'),
  ),
  reads(taskFaults, async ({ id }, { db, scope, world }) =>
    fileOf(world, scope, (await own(db, scope, id)).faultFile, '没有错误行文件，或已超过 7 天保留期'),
  ),
]

import type { FileResponse } from '#kit/contract/file-response.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import {
  cancelRemoteTasks,
  downloadTaskOutput,
  getRemoteTask,
  remoteTask,
  remoteTasks,
  sendRemoteTask,
  type RemoteTask,
} from '../contract/remote-task.ts'
import { menu } from '../module.ts'
import { isTaskOpen } from '../domain/task-state.ts'
import { notifyAgent } from './device-hub.ts'
import { cancelled, endTask } from './task-end.ts'
import { sendTasks } from './task-send.ts'

export interface TaskOutput {
  readonly output?: string
  readonly data?: unknown
  readonly fileKey?: string
  readonly fileSize?: number
  readonly fileSha256?: string
}

export const findOutput = (db: Db, ownerId: Id, taskId: Id): Promise<TaskOutput | undefined> =>
  db.one(sql`
    select output, data, file_key, file_size, file_sha256
    from remote_task_output
    where owner_id = ${ownerId} and task_id = ${taskId}
  `)

/** What is shown of a whole output beside its beginning and end. */
export const wholeOutputFields = ({ fileSize, fileSha256 }: TaskOutput) =>
  fileSize === undefined ? {} : { outputSize: fileSize, ...(fileSha256 && { outputSha256: fileSha256 }) }

/** The whole output of a task whose result the caller may see. */
export async function openTaskOutput(
  { db, scope, app }: ReadContext,
  { id, taskNo }: Pick<RemoteTask, 'id' | 'taskNo'>,
): Promise<FileResponse> {
  const { fileKey } = (await findOutput(db, scope.ownerId, id)) ?? {}
  const stored = fileKey === undefined ? undefined : await app.files.find(scope.ownerId, fileKey)
  if (!stored) throw notFound()
  return { name: `${taskNo}.txt`, type: stored.type, size: stored.size, body: stored.read }
}

const isOwn = (scope: Scope, task: Pick<RemoteTask, 'operatorId'>): boolean =>
  task.operatorId === scope.operatorId

/** RMT-3: the sender's, and theirs who look after safety. */
const canReadOutput = (scope: Scope, task: Pick<RemoteTask, 'operatorId'>): boolean =>
  isOwn(scope, task) || hasPermission(scope, menu.security.permissions.view)

/** What the sender reads as its reason: by whom, where it was somebody else. */
const cancelReason = (scope: Scope, task: RemoteTask): string =>
  isOwn(scope, task) ? cancelled : `${cancelled}（${scope.name}）`

const cannotCancel = (scope: Scope, task: RemoteTask | undefined): string | undefined => {
  if (!task) return '任务不存在'
  if (!isTaskOpen(task.state)) return '任务已结束'
  return isOwn(scope, task) || hasPermission(scope, menu.gateway.permissions.edit)
    ? undefined
    : '只有下发人或网关管理人员可以取消该任务'
}

interface GatewayPresence {
  readonly isOnline: boolean
  readonly hasBeatSince: boolean
}

/** Whether the site may have it: its gateway is there, or was since the task was sent. */
async function couldHaveArrived({ tx, scope }: WriteContext, task: RemoteTask): Promise<boolean> {
  const presence = await tx.one<GatewayPresence>(sql`
    select is_online, coalesce(last_beat >= ${task.sendTime}::timestamptz, false) as has_beat_since
    from gateway
    where owner_id = ${scope.ownerId} and id = ${task.gatewayId}
  `)
  return task.state === 'received' || presence?.isOnline === true || presence?.hasBeatSince === true
}

async function cancelTask(c: WriteContext, task: RemoteTask): Promise<void> {
  const { tx, app, scope } = c
  if (await couldHaveArrived(c, task)) {
    await update(tx, remoteTask, scope, task.id, {
      isCancelling: true,
      ...(isOwn(scope, task) ? {} : { reason: cancelReason(scope, task) }),
    })
    notifyAgent(tx, task.gatewayId, { kind: 'cancel', taskId: task.id })
  } else {
    await endTask(tx, app, scope.ownerId, task.id, { state: 'failed', reason: cancelReason(scope, task) })
  }
}

async function cancelTasks(ids: readonly string[], c: WriteContext) {
  const { tx, scope } = c
  const found = await findByIds(tx, remoteTask, scope, ids, { lock: true })
  const byId = new Map(found.map(task => [task.id, task]))
  const skipped: { id: Id; reason: string }[] = []
  for (const id of new Set(ids.map(parseId))) {
    const task = byId.get(id)
    const reason = cannotCancel(scope, task)
    if (reason !== undefined || !task) {
      skipped.push({ id, reason: reason ?? '任务不存在' })
    } else {
      await cancelTask(c, task)
    }
  }
  if (!found.length) throw notFound()
  if (ids.length === 1 && skipped[0]) return refuse(skipped[0].reason)
  const success = new Set(ids).size - skipped.length
  return { success, fail: 0, skipped: skipped.length, rows: skipped }
}

export const remoteTaskServer = crudHandlers(remoteTasks, {
  filter: ({ fileId }) => (fileId === undefined ? [] : [sql`t.run_file_id = ${fileId}`]),
})

export const remoteTaskHandlers = [
  writes(sendRemoteTask, sendTasks),
  writes(cancelRemoteTasks, ({ ids }, c) => cancelTasks(ids, c)),
  reads(getRemoteTask, async ({ id }, { db, scope }) => {
    const task = await requireById(db, remoteTask, scope, id)
    if (!canReadOutput(scope, task)) return task
    const found = await findOutput(db, scope.ownerId, id)
    return {
      ...task,
      ...(found?.output === undefined ? {} : { output: found.output }),
      ...(found?.data === undefined ? {} : { rows: JSON.stringify(found.data) }),
      ...(found && wholeOutputFields(found)),
    }
  }),
  reads(downloadTaskOutput, async ({ id }, c) => {
    const task = await requireById(c.db, remoteTask, c.scope, id)
    if (!canReadOutput(c.scope, task)) throw notFound()
    return openTaskOutput(c, task)
  }),
]

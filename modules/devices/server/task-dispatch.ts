import { toInstant, readMoment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { packageText } from '../contract/agent-commands.ts'
import { sendToAgent, sentNow, type AgentConnection } from './device-hub.ts'
import { commandOfTask, openTask, taskColumns, type TaskRow } from './task-row.ts'
import { signWithUpdateKey } from './update-key.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A file's link is made when it is sent: it opens for an hour or two. An agent's package is signed. */
async function agentInput(
  app: App,
  ownerId: Id,
  task: SendableTask,
): Promise<Readonly<Record<string, unknown>>> {
  const { fileKey, ...input } = task.runInput
  if (typeof fileKey !== 'string') return input
  const link = app.files.signedUrl(ownerId, fileKey)
  if (commandOfTask(task) !== 'updateAgent') return { ...input, link }
  const signature = await signWithUpdateKey(app, packageText(text(input.sha256)))
  return { link, size: input.size, sha256: input.sha256, signature }
}

const deadlineOf = ({ deadline }: SendableTask): number => {
  const moment = readMoment(deadline)
  return moment === undefined ? Date.parse(deadline) : toInstant(moment)
}

/** What of a task is sent. */
export type SendableTask = Pick<
  TaskRow,
  'id' | 'cmdType' | 'deviceId' | 'runInput' | 'deadline' | 'isCancelling'
>

/** Sends a task once over a connection. */
export async function sendTask(app: App, connection: AgentConnection, task: SendableTask): Promise<void> {
  if (connection.sentTasks.has(task.id)) return
  connection.sentTasks.add(task.id)
  if (task.isCancelling) {
    sendToAgent(connection, { kind: 'cancel', taskId: task.id })
    return
  }
  const input = await agentInput(app, connection.ownerId, task)
  const timeoutMs = deadlineOf(task) - app.clock()
  // Nobody waits for it any more: the sweep ends it.
  if (timeoutMs <= 0) return
  sendToAgent(connection, {
    kind: 'command',
    taskId: task.id,
    command: commandOfTask(task),
    deviceId: task.deviceId,
    input,
    timeoutMs,
    sentMs: sentNow(),
  })
}

/** Sends what waits for the gateway and was not sent on this connection; the agent runs each task once. */
export async function dispatchTasks(app: App, connection: AgentConnection): Promise<void> {
  const { ownerId, gatewayId, sentTasks } = connection
  // What is sent while this reads is not in what it reads.
  const sentBefore = [...sentTasks]
  const tasks = await app.database.reader(ownerId).rows<TaskRow>(sql`
    select ${taskColumns}
    from remote_task t
    where t.owner_id = ${ownerId} and t.gateway_id = ${gatewayId} and ${openTask}
    order by t.id
  `)
  const open = new Set(tasks.map(task => task.id))
  for (const id of sentBefore) {
    if (!open.has(id)) {
      sentTasks.delete(id)
    }
  }
  for (const task of tasks) {
    await sendTask(app, connection, task)
  }
}

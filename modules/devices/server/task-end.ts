import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { faultKind, faultState, taskState } from '../contract/choices.ts'
import { failuresForFault } from '../domain/health.ts'
import { runCommandEndHandler } from './command-end.ts'
import { hubOf, notifyAgent, type TaskEnding } from './device-hub.ts'
import { closeFaults, openFaults, sameTarget } from './fault.ts'
import { insertTasks } from './task-insert.ts'
import { commandOfTask, openTask, taskColumns, type TaskRow } from './task-row.ts'

interface EndedTask extends TaskRow {
  readonly runWasTried: boolean
  /** Its target has failed several commands in a row. */
  readonly hasFault: boolean
}

export const taskResultKind = 'TASK_RESULT'

/** With the commit: what is done about the end gets the output. */
const storeOutput = (tx: Tx, ownerId: Id, taskId: Id, { output, data, whole }: TaskEnding): void => {
  if (output === undefined && data === undefined) return
  tx.defer(sql`
    insert into remote_task_output (owner_id, task_id, output, data, file_key, file_size, file_sha256)
    values (
      ${ownerId}, ${taskId}, ${output ?? null}, ${data === undefined ? null : JSON.stringify(data)}::json,
      ${whole?.fileKey ?? null}, ${whole?.size ?? null}, ${whole?.sha256 ?? null}
    )
    on conflict (owner_id, task_id) do update
    set output = excluded.output, data = excluded.data,
      file_key = excluded.file_key, file_size = excluded.file_size, file_sha256 = excluded.file_sha256
  `)
}

/** RMT-2: what was dangerous is audited with its output, and what the whole of a long one is. */
const auditEnd = (tx: Tx, ownerId: Id, task: TaskRow, { whole, ...ending }: TaskEnding): Promise<void> =>
  task.isDangerous
    ? audit(
        tx,
        { ownerId, operatorId: task.operatorId, name: task.operatorName, ip: '', requestId: task.taskNo },
        [
          {
            action: 'state',
            entity: 'remoteTask',
            entityId: task.id,
            projectCode: task.projectCode,
            after: {
              cmdType: commandOfTask(task),
              cmdData: task.cmdData,
              ...ending,
              ...(whole && { outputSize: whole.size, outputSha256: whole.sha256 }),
            },
          },
        ],
      )
    : Promise.resolve()

/** Some failures in a row of what was tried are a fault of the target; a success ends it. */
async function countFailures(
  tx: Tx,
  ownerId: Id,
  now: Date,
  task: EndedTask,
  isDone: boolean,
): Promise<void> {
  const key = { gatewayId: task.gatewayId, deviceId: task.deviceId, kind: 'command' } as const
  if (isDone) return task.hasFault ? closeFaults(tx, ownerId, now, [key]) : undefined
  if (!task.runWasTried) return
  const last = await tx.rows<{ state: number }>(sql`
    select state
    from remote_task
    where owner_id = ${ownerId}
      and device_id = ${task.deviceId}
      and ${task.deviceId ? sql`true` : sql`gateway_id = ${task.gatewayId}`}
      and end_time is not null
      and run_was_tried
      and delete_tag = 0
    order by id desc
    limit ${failuresForFault}
  `)
  const allFailed = last.every(row => row.state !== codeOf(taskState, 'done'))
  if (last.length < failuresForFault || !allFailed) return
  await openFaults(tx, ownerId, now, [
    { ...key, projectCode: task.projectCode, level: 'minor', title: `指令连续 ${failuresForFault} 次失败` },
  ])
}

/** Sent once more, where its module asked for it; true where it was. */
async function retry(tx: Tx, ownerId: Id, now: Date, task: TaskRow, ending: TaskEnding): Promise<boolean> {
  if (ending.state === 'done' || task.runRetries <= 0 || task.isCancelling) return false
  const scope = { ownerId, operatorId: task.operatorId, name: task.operatorName, time: now.toISOString() }
  await insertTasks(tx, scope, [
    {
      projectCode: task.projectCode,
      gatewayId: task.gatewayId,
      deviceId: task.deviceId,
      devNo: task.devNo,
      command: commandOfTask(task),
      cmdData: task.cmdData,
      input: task.runInput,
      timeoutMs: task.runTimeout,
      purpose: task.runPurpose,
      reference: task.runReference,
      retries: task.runRetries - 1,
    },
  ])
  return true
}

interface SentTask {
  readonly ownerId: Id
  readonly operatorId: Id
  readonly taskId: Id
}

/** RMT-3: to the sender alone; the process that holds the sender's browser reads the result. */
export function publishResult(app: App, tx: Tx, { ownerId, operatorId, taskId }: SentTask): void {
  if (operatorId > 0) {
    app.live.publishOnCommit(tx, ownerId, [operatorId], taskResultKind, { id: taskId })
  }
}

interface EndOptions {
  /** Narrows it further. */
  readonly where?: RawBuilder<unknown>
  /** False: what its module does about it is what failed. */
  readonly notifiesModule?: boolean
  /** The site has answered: it has received the task, reported as such before or not. */
  readonly isAnswered?: boolean
}

/** How the site, too, words it. */
export const cancelled = '已取消'

const isCancelled = ({ state, reason }: TaskEnding): boolean =>
  state === 'failed' && reason?.startsWith(cancelled) === true

/** What is cancelled, or not allowed on site, tells nothing of the health of its target. */
const wasTried = (ending: TaskEnding): RawBuilder<unknown> =>
  isCancelled(ending) || ending.isRefused === true
    ? sql`false`
    : sql`${ending.state === 'done'} or not t.is_cancelling`

/** Of a task that somebody has cancelled the reason says who, whatever the site calls it. */
function reasonOf(ending: TaskEnding): RawBuilder<unknown> {
  const text = ending.reason?.slice(0, 500) ?? null
  return text !== null && isCancelled(ending)
    ? sql`coalesce(case when t.is_cancelling then t.reason end, ${cancelled}) || ${text.slice(cancelled.length)}::text`
    : sql`${text}::text`
}

/**
 * Ends a task that is under way, once: its state, output, audit, faults, what its module does about it, and
 * who is notified. Returns whether it was this that ended it.
 */
export async function endTask(
  tx: Tx,
  app: App,
  ownerId: Id,
  taskId: Id,
  ending: TaskEnding,
  { where = sql`true`, notifiesModule = true, isAnswered = false }: EndOptions = {},
): Promise<boolean> {
  const now = new Date(app.clock())
  const task = await tx.one<EndedTask>(sql`
    update remote_task t
    set state = ${code(taskState, ending.state)}, end_time = ${now}, update_time = ${now},
      receive_time = ${isAnswered ? sql`coalesce(t.receive_time, ${now})` : sql`t.receive_time`},
      reason = ${reasonOf(ending)},
      run_was_tried = ${wasTried(ending)},
      progress_done = ${ending.state === 'done' ? sql`t.progress_total` : sql`t.progress_done`}
    where t.owner_id = ${ownerId} and t.id = ${taskId} and ${openTask} and ${where}
    returning ${taskColumns}, t.run_was_tried, exists (
      select 1
      from device_fault f
      where f.owner_id = ${ownerId}
        and ${sameTarget('f', 't')}
        and f.kind = ${code(faultKind, 'command')}
        and f.state = ${code(faultState, 'open')}
    ) as has_fault
  `)
  if (!task) return false
  storeOutput(tx, ownerId, taskId, ending)
  // Sent in one message.
  await Promise.all([
    auditEnd(tx, ownerId, task, ending),
    countFailures(tx, ownerId, now, task, ending.state === 'done'),
  ])
  const isRetried = notifiesModule && (await retry(tx, ownerId, now, task, ending))
  if (notifiesModule && task.runPurpose !== undefined && !isRetried) {
    const { state: outcome, whole: _, ...rest } = ending
    const { gatewayId, deviceId, runReference: reference } = task
    const end = { taskId, gatewayId, deviceId, reference, outcome, ...rest }
    await runCommandEndHandler(task.runPurpose, {
      tx,
      scope: systemScope(ownerId, now.toISOString()),
      app,
      end,
    })
  }
  // Waiting callers of this process need not wait for the notice, nor read.
  tx.onCommit(() => hubOf(app).finish(ownerId, taskId, ending))
  notifyAgent(tx, task.gatewayId, { kind: 'ended', taskId })
  publishResult(app, tx, { ownerId, operatorId: task.operatorId, taskId })
  return true
}

/**
 * What came after the task had timed out is kept with it, and audited: it stays timed out. False where it has
 * its late result already.
 */
export async function endLate(
  tx: Tx,
  app: App,
  ownerId: Id,
  taskId: Id,
  ending: TaskEnding,
  { where = sql`true` }: EndOptions = {},
): Promise<boolean> {
  const task = await tx.one<TaskRow>(sql`
    update remote_task t
    set reason = ${ending.reason}, update_time = ${new Date(app.clock())}
    where t.owner_id = ${ownerId}
      and t.id = ${taskId}
      and t.state = ${code(taskState, 'timedOut')}
      and t.reason is distinct from ${ending.reason}
      and ${where}
    returning ${taskColumns}
  `)
  if (!task) return false
  storeOutput(tx, ownerId, taskId, ending)
  await auditEnd(tx, ownerId, task, ending)
  publishResult(app, tx, { ownerId, operatorId: task.operatorId, taskId })
  return true
}

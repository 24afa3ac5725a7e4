import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '../scope.ts'
import { sql, type Db, type Tx } from '../db.ts'
import { currentTraceparent } from '../observation/operation.ts'
import { notDeleted } from '../sql.ts'
import type { Job, JobOutcome } from './job.ts'

/** States of a task, as `task_center.state` holds them. */
export const taskState = { waiting: 10, running: 20, done: 30, failed: 40, partial: 50, stopped: 60 } as const

const resultRetentionMs = 7 * 86_400_000
const stalledAfterMs = 10 * 60_000
const maxAttempts = 20

export interface TaskRow {
  id: Id
  ownerId: Id
  title: string
  kind: string
  runInput: unknown
  runCheckpoint?: unknown
  runAttempt: number
  operatorId: Id
  operatorName: string
  projectCode?: string
  runIp: string
  runRequest: string
  /** The trace of the request that began it. */
  runTrace?: string
  runStopping: boolean
}

export type TaskKey = Pick<TaskRow, 'id' | 'ownerId'>
/** One attempt at a task: its writes count only while no other attempt has begun. */
export type TaskAttempt = TaskKey & Pick<TaskRow, 'runAttempt'>

const ofThisAttempt = (task: TaskAttempt) => sql`owner_id = ${task.ownerId}
  and id = ${task.id}
  and run_attempt = ${task.runAttempt}
  and state = ${taskState.running}`

export async function insertTask(tx: Tx, scope: Scope, job: Job, title: string, input: object): Promise<Id> {
  const row = await tx.one<{ id: Id }>(sql`
    insert into task_center (
      owner_id, project_code, title, task_type, kind, operator_id, operator_name, create_by, update_by,
      run_input, run_ip, run_request, run_trace
    )
    values (
      ${scope.ownerId}, ${scope.projectCode || null}, ${title}, ${job.type ?? null}, ${job.kind},
      ${scope.operatorId}, ${scope.name}, ${scope.operatorId}, ${scope.operatorId},
      ${JSON.stringify(input)}::jsonb, ${scope.ip}, ${scope.requestId}, ${currentTraceparent() ?? null}
    )
    returning id
  `)
  if (!row) throw new Error('the new task was not returned')
  return row.id
}

/** Begins an attempt: from now on the writes of earlier ones find no row. */
export const claimTask = (tx: Tx, task: TaskKey, now: string): Promise<TaskRow | undefined> =>
  tx.one<TaskRow>(sql`
    update task_center
    set state = ${taskState.running}, run_attempt = run_attempt + 1,
      start_time = coalesce(start_time, ${now}::timestamptz), update_time = ${now}::timestamptz
    where owner_id = ${task.ownerId}
      and id = ${task.id}
      and state in (${taskState.waiting}, ${taskState.running})
    returning id, owner_id, title, kind, run_input, run_checkpoint, run_attempt, operator_id,
      operator_name, project_code, run_ip, run_request, run_trace, run_stopping
  `)

export interface Progress {
  readonly done: number
  readonly total: number | undefined
  readonly note: string | undefined
}

/** A sign of life, with the progress if there is any. Nothing: another attempt has taken the task over. */
export const writeProgress = (
  tx: Tx,
  task: TaskAttempt,
  progress: Progress | undefined,
  now: string,
): Promise<{ runStopping: boolean } | undefined> => {
  const columns = progress
    ? sql`done = ${progress.done}, total = coalesce(${progress.total ?? null}, total), note = ${progress.note ?? null},`
    : sql``
  return tx.one<{ runStopping: boolean }>(sql`
    update task_center
    set ${columns} update_time = ${now}::timestamptz
    where ${ofThisAttempt(task)}
    returning run_stopping
  `)
}

/** Whether the attempt still holds the task, and so the checkpoint is saved. */
export const saveCheckpoint = async (
  tx: Tx,
  task: TaskAttempt,
  value: unknown,
  now: string,
): Promise<boolean> =>
  (await tx.execute(
    sql`
      update task_center
      set run_checkpoint = ${JSON.stringify(value)}::jsonb, update_time = ${now}::timestamptz
      where ${ofThisAttempt(task)}
    `,
  )) > 0

/** Ends the attempt with its outcome; whether it still held the task. Files are kept for seven days. */
export const endTask = async (
  tx: Tx,
  task: TaskAttempt,
  state: number,
  outcome: JobOutcome,
  now: number,
): Promise<boolean> => {
  const nowText = new Date(now).toISOString()
  const hasFile = (outcome.file ?? outcome.faultFile) !== undefined
  // Also where a part of it failed: every line has been dealt with.
  const reachedTheEnd = state === taskState.done || state === taskState.partial
  const expireTime = hasFile ? new Date(now + resultRetentionMs).toISOString() : null
  const ended = await tx.execute(sql`
    update task_center
    set state = ${state}, end_time = ${nowText}::timestamptz, update_time = ${nowText}::timestamptz,
      note = null, message = ${outcome.message ?? null}, success = ${outcome.success ?? 0},
      fail = ${outcome.fail ?? 0}, skipped = ${outcome.skipped ?? 0},
      done = case when ${reachedTheEnd} then coalesce(total, done) else done end,
      summary = ${outcome.summary ? JSON.stringify(outcome.summary) : null}::jsonb,
      result_file = ${outcome.file ?? null}, fault_file = ${outcome.faultFile ?? null},
      expire_time = ${expireTime}::timestamptz
    where ${ofThisAttempt(task)}
  `)
  return ended > 0
}

/** Puts the task back for another process, which goes on from the checkpoint; whether it was still held. */
export const releaseTask = async (tx: Tx, task: TaskAttempt, now: string): Promise<boolean> =>
  (await tx.execute(
    sql`
      update task_center
      set state = ${taskState.waiting}, update_time = ${now}::timestamptz
      where ${ofThisAttempt(task)}
    `,
  )) > 0

/** Stops what waits at once; what runs is marked and stops at its next step. */
export const markStopping = (
  tx: Tx,
  task: TaskKey,
  now: string,
): Promise<{ state: number; operatorId: Id } | undefined> =>
  tx.one(sql<{ state: number; operatorId: Id }>`
    update task_center
    set run_stopping = true, version = version + 1, update_time = ${now}::timestamptz,
      state = case when state = ${taskState.waiting} then ${taskState.stopped} else state end,
      end_time = case when state = ${taskState.waiting} then ${now}::timestamptz end,
      message = case when state = ${taskState.waiting} then '已停止' else message end
    where owner_id = ${task.ownerId}
      and id = ${task.id}
      and ${notDeleted()}
      and state in (${taskState.waiting}, ${taskState.running})
    returning state, operator_id
  `)

/** A failed or stopped task waits again, its checkpoint kept. */
export const resetTask = (
  tx: Tx,
  task: TaskKey,
  now: string,
): Promise<{ operatorId: Id; kind: string } | undefined> =>
  tx.one(sql<{ operatorId: Id; kind: string }>`
    update task_center
    set state = ${taskState.waiting}, run_stopping = false, end_time = null, message = null,
      note = null, version = version + 1, update_time = ${now}::timestamptz
    where owner_id = ${task.ownerId}
      and id = ${task.id}
      and ${notDeleted()}
      and state in (${taskState.failed}, ${taskState.stopped})
    returning operator_id, kind
  `)

/** Companies with a running task that no process has moved for ten minutes. */
export const ownersOfStalledTasks = async (db: Db, now: number): Promise<Id[]> => {
  const rows = await db.rows<{ ownerId: Id }>(sql`
    select distinct owner_id
    from task_center
    where state = ${taskState.running}
      and update_time < ${new Date(now - stalledAfterMs).toISOString()}::timestamptz
    order by owner_id
  `)
  return rows.map(row => row.ownerId)
}

/** Gives up stalled tasks after twenty attempts. Returns how many, and the others, touched. */
export async function takeStalledTasks(
  tx: Tx,
  ownerId: Id,
  now: number,
): Promise<{ failed: number; stalled: Pick<TaskRow, 'id' | 'ownerId' | 'kind'>[] }> {
  const nowText = new Date(now).toISOString()
  const isStalled = sql`owner_id = ${ownerId}
    and state = ${taskState.running}
    and update_time < ${new Date(now - stalledAfterMs).toISOString()}::timestamptz`
  const failed = await tx.execute(
    sql`
      update task_center
      set state = ${taskState.failed}, end_time = ${nowText}::timestamptz,
        update_time = ${nowText}::timestamptz, message = '任务多次中断，请重试'
      where ${isStalled} and run_attempt >= ${maxAttempts}
    `,
  )
  const stalled = await tx.rows<Pick<TaskRow, 'id' | 'ownerId' | 'kind'>>(
    sql`
      update task_center
      set update_time = ${nowText}::timestamptz
      where ${isStalled}
      returning owner_id, id, kind
    `,
  )
  return { failed, stalled }
}

import { Refused } from '#kit/contract/wire.ts'
import type { App } from '../app.ts'
import { errorMessage } from '../database-error.ts'
import { CompanyLocked } from '../company-scope.ts'
import { isDatabaseUnavailable, type Database, type Tx } from '../db.ts'
import { runOperation } from '../observation/operation.ts'
import { diskFullMessage, isDiskFullError } from '../disk-space.ts'
import { FileStoreUnavailable } from '../file-storage.ts'
import { unrestrictedDomain, withoutClosedProjects, type Caller, type Scope } from '../scope.ts'
import type { LoadCaller } from '../session.ts'
import type { Job, JobContext, JobOutcome } from './job.ts'
import { saveCheckpoint, taskState, writeProgress, type Progress, type TaskRow } from './task-table.ts'

/** Why a run was aborted: by the operator, or because this process ends. */
export type StopReason = 'stopped' | 'closing'
export class TaskStopped extends Error {
  readonly why: StopReason
  constructor(why: StopReason) {
    super(why)
    this.why = why
  }
}

/** The task is another attempt's now: whatever this one still does must not count. */
class TaskLostError extends Error {}

/** What a run needs of the runner: where it writes, and what becomes of the task at its end. */
export interface RunEnvironment {
  readonly app: App
  readonly database: Database
  readonly clock: () => number
  readonly loadCaller: LoadCaller
  readonly publish: (tx: Tx, task: TaskRow, state: number, details?: object) => void
  readonly end: (task: TaskRow, state: number, outcome: JobOutcome) => Promise<void>
  readonly handBack: (task: TaskRow) => Promise<void>
}

/**
 * Whom the task acts for: the operator who started it, with that operator's present permissions; `operatorId`
 * 0 is the installation itself. Undefined: the account has been disabled.
 */
async function scopeOf(task: TaskRow, env: RunEnvironment): Promise<Scope | undefined> {
  const caller: Caller | undefined =
    task.operatorId === 0
      ? {
          ownerId: task.ownerId,
          operatorId: 0,
          name: task.operatorName,
          isOwner: true,
          permissions: new Set<string>(),
          domain: unrestrictedDomain,
          canSeePersonalData: true,
        }
      : await env.loadCaller(task.ownerId, task.operatorId)
  return (
    caller && {
      // A sheet's kind is the menu that grants it.
      ...withoutClosedProjects(caller, task.kind),
      projectCode: task.projectCode ?? '',
      ip: task.runIp,
      requestId: task.runRequest,
      time: new Date(env.clock()).toISOString(),
    }
  )
}

const progressIntervalMs = 1000
const heartbeatMs = 5000

/** Writes progress once a second, a sign of life every five; hears of a stop even if its message was lost. */
function openProgressWriter(
  task: TaskRow,
  stop: AbortController,
  env: RunEnvironment,
): { report: JobContext['reportProgress']; close: () => void } {
  let latest: Progress | undefined
  let writtenAt = 0
  const write = async (): Promise<void> => {
    const progress = latest
    latest = undefined
    writtenAt = env.clock()
    const row = await env.database
      .tx(task.ownerId, async tx => {
        const written = await writeProgress(tx, task, progress, new Date(env.clock()).toISOString())
        if (written && progress) {
          env.publish(tx, task, taskState.running, progress)
        }
        return written
      })
      .catch(() => ({ runStopping: false }))
    if (!row) {
      stop.abort(new TaskLostError())
    } else if (row.runStopping) {
      stop.abort(new TaskStopped('stopped'))
    }
  }
  const timer = setInterval(() => {
    if (latest || env.clock() - writtenAt > heartbeatMs) {
      write().catch((err: unknown) => env.app.log.warn({ err, task: task.id }, 'progress not written'))
    }
  }, progressIntervalMs)
  return {
    report: (done, total, note) => {
      latest = { done, total, note }
    },
    close: () => clearInterval(timer),
  }
}

function openCheckpoint(task: TaskRow, signal: AbortSignal, env: RunEnvironment): JobContext['checkpoint'] {
  let saved = task.runCheckpoint
  return {
    // A job reads only what it has saved itself.
    read: <T>() => saved as T | undefined,
    save: async (tx, value) => {
      signal.throwIfAborted()
      const isHeld = await saveCheckpoint(tx, task, value, new Date(env.clock()).toISOString())
      if (!isHeld) throw new TaskLostError()
      tx.onCommit(() => {
        saved = value
      })
    },
  }
}

const endStateOf = ({ success = 0, fail = 0 }: JobOutcome): number => {
  if (fail === 0) return taskState.done
  return success > 0 ? taskState.partial : taskState.failed
}

/**
 * Runs a claimed task to its end, whatever that is. `claimed` aborts when the queue has given the task to
 * another process; then nothing of it is written any more.
 */
export async function runTask(
  task: TaskRow,
  job: Job,
  stop: AbortController,
  claimed: AbortSignal,
  env: RunEnvironment,
): Promise<void> {
  const scope = await scopeOf(task, env)
  if (!scope) return env.end(task, taskState.failed, { message: '发起人的账号已停用，任务未执行' })
  const signal = AbortSignal.any([stop.signal, claimed])
  const progress = openProgressWriter(task, stop, env)
  try {
    const run = () =>
      job.run(task.runInput, {
        database: env.database,
        scope,
        app: env.app,
        taskId: task.id,
        signal,
        reportProgress: progress.report,
        checkpoint: openCheckpoint(task, signal, env),
      })
    const outcome = await runOperation(
      { name: `job ${task.kind}`, kind: 'job', log: env.app.log, traceparent: task.runTrace },
      run,
    )
    await env.end(task, endStateOf(outcome ?? {}), outcome ?? {})
  } catch (e) {
    await endFailedRun(e, task, stop.signal, claimed, env)
  } finally {
    progress.close()
  }
}

async function endFailedRun(
  error: unknown,
  task: TaskRow,
  stop: AbortSignal,
  claimed: AbortSignal,
  env: RunEnvironment,
): Promise<void> {
  const isLost = error instanceof TaskLostError || stop.reason instanceof TaskLostError
  if (isLost || (claimed.aborted && !stop.aborted)) return
  if (stop.reason instanceof TaskStopped && stop.reason.why === 'closing') return env.handBack(task)
  if (stop.aborted) return env.end(task, taskState.stopped, { message: '已停止，停止前完成的部分保留' })
  if (error instanceof Refused) return env.end(task, taskState.failed, { message: error.message })
  if (isDiskFullError(error)) {
    env.app.log.error({ err: error, task: task.id }, 'disk full')
    return env.end(task, taskState.failed, { message: diskFullMessage })
  }
  if (error instanceof FileStoreUnavailable) {
    env.app.log.warn({ err: errorMessage(error.cause), task: task.id }, 'file store away')
    return env.end(task, taskState.failed, { message: error.message })
  }
  // The database went away, or the company is locked: the task stays as it is and is woken again.
  if (isDatabaseUnavailable(error) || error instanceof CompanyLocked) throw error
  env.app.log.error({ err: error, task: task.id, kind: task.kind, reqId: task.runRequest }, 'defect in a job')
  await env.end(task, taskState.failed, {
    message: `系统错误（编号 ${task.runRequest || task.id}），请重试或把编号发给客服`,
  })
}

import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App, Jobs } from './app.ts'
import { sql, type Database, type Tx } from './db.ts'
import type { Cron, Job, JobOutcome } from './jobs/job.ts'
import { openTaskQueue, type TaskQueue } from './jobs/task-queue.ts'
import { runTask, TaskStopped, type RunEnvironment } from './jobs/task-run.ts'
import {
  claimTask,
  endTask,
  insertTask,
  markStopping,
  ownersOfStalledTasks,
  releaseTask,
  resetTask,
  takeStalledTasks,
  taskState,
  type TaskKey,
  type TaskRow,
} from './jobs/task-table.ts'
import type { LoadCaller } from './session.ts'

export { defineCron, defineJob, type Cron, type Job, type JobContext, type JobOutcome } from './jobs/job.ts'
export { taskState } from './jobs/task-table.ts'

/** An ended task, in a transaction of its own: what a listener makes of it cannot hold the task up. */
export interface TaskEnd {
  readonly tx: Tx
  readonly app: App
  readonly task: Pick<TaskRow, 'id' | 'ownerId' | 'title' | 'kind' | 'operatorId'>
  readonly state: number
  readonly outcome: JobOutcome
}

const taskEndListeners: ((end: TaskEnd) => Promise<void>)[] = []

/** A module that reacts to the end of tasks registers here, once, as it is loaded. */
export const onTaskEnd = (listener: (end: TaskEnd) => Promise<void>): void => {
  taskEndListeners.push(listener)
}

export interface JobRunner extends Jobs {
  /**
   * Knows the kinds from now on and starts to work off tasks and crons (`works: false` leaves that to other
   * processes).
   */
  startWorkers(app: App, jobs: readonly Job[], crons: readonly Cron[], works?: boolean): Promise<void>
  /**
   * Wakes tasks that no process has moved for ten minutes, whatever became of their messages; gives up after
   * twenty attempts.
   */
  requeueStalledTasks(): Promise<void>
  close(): Promise<void>
}

/**
 * Tasks live in `task_center`; the queue wakes a process for each, and again when a process that ran it is
 * heard of no more. Every write of a run is fenced by its attempt, so that two processes never both move one
 * task on.
 */
export async function openJobs(
  database: Database,
  clock: () => number,
  loadCaller: LoadCaller,
): Promise<JobRunner> {
  let app: App | undefined
  const queue = await openTaskQueue(database.url, err => app?.log.warn({ err: err.message }, 'jobs'))
  const runner = new TaskRunner(database, clock, loadCaller, queue)
  await database.listen('task_stop', id => runner.stopTask(parseId(id)))
  return {
    ...openTaskCalls(runner, queue),
    startWorkers: async (startedApp, jobs, crons, works = true) => {
      app = startedApp
      runner.app = startedApp
      for (const job of jobs) {
        if (runner.jobs.has(job.kind)) throw new Error(`Two jobs are called ${job.kind}`)
        runner.jobs.set(job.kind, job)
      }
      if (!works) return
      await queue.work((task, claimed) => runner.run(task, claimed))
      await queue.schedule(startedApp, crons)
    },
    close: async () => {
      await runner.close()
      await queue.stop()
    },
  }
}

/** What requests do with tasks: begin, stop, try again; and what the clock does. */
const openTaskCalls = (
  runner: TaskRunner,
  queue: TaskQueue,
): Jobs & Pick<JobRunner, 'requeueStalledTasks'> => ({
  start: async (tx, scope, kind, title, input) => {
    const job = runner.jobs.get(kind)
    if (!job) throw new Error(`no job is called ${kind}`)
    const id = await insertTask(tx, scope, job, title, input)
    await queue.enqueue(tx, { id, ownerId: scope.ownerId }, job)
    runner.publish(tx, { id, ownerId: scope.ownerId, operatorId: scope.operatorId }, taskState.waiting)
    return id
  },
  cancel: async (tx, ownerId, id) => {
    const row = await markStopping(tx, { id, ownerId }, runner.now())
    if (!row) return refuse('任务已经结束，不能停止')
    if (row.state === taskState.stopped) {
      runner.publish(tx, { id, ownerId, operatorId: row.operatorId }, row.state)
    } else {
      await tx.execute(sql`select pg_notify('task_stop', ${String(id)})`)
    }
  },
  retry: async (tx, ownerId, id) => {
    const row = await resetTask(tx, { id, ownerId }, runner.now())
    if (!row) return refuse('只有失败或已停止的任务可以重试')
    await queue.enqueue(tx, { id, ownerId }, runner.jobs.get(row.kind))
    runner.publish(tx, { id, ownerId, operatorId: row.operatorId }, taskState.waiting)
  },
  requeueStalledTasks: async () => {
    const now = runner.clock()
    let failedCount = 0
    let stalledCount = 0
    for (const ownerId of await ownersOfStalledTasks(runner.database.reader('*'), now)) {
      await runner.database.tx(ownerId, async tx => {
        const { failed, stalled } = await takeStalledTasks(tx, ownerId, now)
        for (const task of stalled) {
          await queue.enqueue(tx, task, runner.jobs.get(task.kind))
        }
        failedCount += failed
        stalledCount += stalled.length
      })
    }
    if (failedCount + stalledCount) {
      runner.app?.log.warn({ failed: failedCount, stalled: stalledCount }, 'tasks that nobody ran')
    }
  },
})

type PublishedTask = Pick<TaskRow, 'id' | 'ownerId' | 'operatorId'>

/** Tasks that this process runs, and how each of them ends. */
class TaskRunner {
  readonly database: Database
  readonly clock: () => number
  readonly jobs = new Map<string, Job>()
  app: App | undefined
  readonly #loadCaller: LoadCaller
  readonly #queue: TaskQueue
  readonly #stopByTask = new Map<Id, AbortController>()
  readonly #runs = new Set<Promise<void>>()
  #isClosing = false

  constructor(database: Database, clock: () => number, loadCaller: LoadCaller, queue: TaskQueue) {
    this.database = database
    this.clock = clock
    this.#loadCaller = loadCaller
    this.#queue = queue
  }

  now(): string {
    return new Date(this.clock()).toISOString()
  }

  /** With the change of the task itself: a screen never sees an older state after a newer one. */
  publish(tx: Tx, task: PublishedTask, state: number, details: object = {}): void {
    const { id, ownerId, operatorId } = task
    this.app?.live.publishInTransaction(tx, ownerId, [operatorId], 'task', { id, state, ...details })
  }

  stopTask(id: Id): void {
    this.#stopByTask.get(id)?.abort(new TaskStopped('stopped'))
  }

  async run(task: TaskKey, claimed: AbortSignal): Promise<void> {
    const run = this.#claimAndRun(task, claimed)
    this.#runs.add(run)
    try {
      await run
    } finally {
      this.#runs.delete(run)
    }
  }

  async #claim(tx: Tx, key: TaskKey): Promise<TaskRow | undefined> {
    const task = await claimTask(tx, key, this.now())
    if (task) {
      this.publish(tx, task, taskState.running)
    }
    return task
  }

  async #claimAndRun(key: TaskKey, claimed: AbortSignal): Promise<void> {
    const { app } = this
    if (!app) throw new Error('a task before the workers were started')
    const task = await this.database.tx(key.ownerId, tx => this.#claim(tx, key))
    if (!task) return
    const env: RunEnvironment = {
      app,
      database: this.database,
      clock: this.clock,
      loadCaller: this.#loadCaller,
      publish: (...args) => this.publish(...args),
      end: (...args) => this.#end(app, ...args),
      handBack: t => this.#handBack(t),
    }
    if (this.#isClosing) return env.handBack(task)
    if (task.runStopping) return env.end(task, taskState.stopped, { message: '已停止' })
    const job = this.jobs.get(task.kind)
    // A newer version's kind: left to a process that knows it.
    if (!job) throw new Error(`no job is called ${task.kind}`)
    const stop = new AbortController()
    this.#stopByTask.set(task.id, stop)
    try {
      await runTask(task, job, stop, claimed, env)
    } finally {
      this.#stopByTask.delete(task.id)
    }
  }

  async #end(app: App, task: TaskRow, state: number, outcome: JobOutcome): Promise<void> {
    const isEnded = await this.database.tx(task.ownerId, async tx => {
      if (!(await endTask(tx, task, state, outcome, this.clock()))) return false
      this.publish(tx, task, state)
      return true
    })
    if (!isEnded) return
    for (const listener of taskEndListeners) {
      await this.database
        .tx(task.ownerId, tx => listener({ tx, app, task, state, outcome }))
        .catch(err => app.log.warn({ err, task: task.id }, 'end of a task not told'))
    }
  }

  /** This process ends: another goes on from the checkpoint. */
  #handBack(task: TaskRow): Promise<void> {
    return this.database.tx(task.ownerId, async tx => {
      if (await releaseTask(tx, task, this.now())) {
        await this.#queue.enqueue(tx, task, this.jobs.get(task.kind), 1)
      }
    })
  }

  /** Stops what runs and gives it eight seconds to hand itself back. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const stop of this.#stopByTask.values()) {
      stop.abort(new TaskStopped('closing'))
    }
    await Promise.race([
      Promise.allSettled(this.#runs),
      new Promise(resolve => {
        setTimeout(resolve, 8000).unref()
      }),
    ])
  }
}

import type { Id } from '#kit/domain/id.ts'
import { PgBoss } from 'pg-boss'
import type { App } from '../app.ts'
import type { Tx } from '../db.ts'
import { runOperation } from '../observation/operation.ts'
import type { Cron, Job } from './job.ts'
import type { TaskKey } from './task-table.ts'

/**
 * Urgent work has a queue and workers of its own. A company runs two long tasks at a time in a process; a
 * third waits for minutes.
 */
const queueOf = (job: Job | undefined): QueueName => (job?.isUrgent ? 'task-brief' : 'task')
const queueNames = ['task', 'task-brief'] as const
type QueueName = (typeof queueNames)[number]

/** A process that ran a task and is heard of no more for 15 seconds: another one is woken. */
const queueOptions = {
  retryLimit: 20,
  retryDelay: 2,
  expireInSeconds: 86_000,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 86_400,
  notify: true,
}

/** Woken at once by a new task; one that stood back for another of its company is only found by polling. */
const workerOptions = {
  localConcurrency: 3,
  localGroupConcurrency: 2,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 4,
}

const cronQueueOptions = {
  policy: 'singleton',
  retryLimit: 1,
  retryDelay: 60,
  expireInSeconds: 3600,
  deleteAfterSeconds: 86_400,
  heartbeatSeconds: 30,
} as const

export interface TaskQueue {
  /** Wakes a process for the task, if the transaction commits. */
  enqueue(tx: Tx, task: TaskKey, job: Job | undefined, delaySeconds?: number): Promise<void>
  /** Runs what is enqueued from now on. */
  work(run: (task: TaskKey, claimed: AbortSignal) => Promise<void>): Promise<void>
  schedule(app: App, crons: readonly Cron[]): Promise<void>
  stop(): Promise<void>
}

/** The queue of tasks in the database, on pg-boss. */
export async function openTaskQueue(
  databaseUrl: string,
  onError: (error: Error) => void,
): Promise<TaskQueue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'pgboss',
    max: 3,
    application_name: 'jobs',
    // Where companies are spread over nodes the queue's schema is the coordinator's alone.
    options: '-c citus.enable_ddl_propagation=off',
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    warningQueueSize: 10_000,
  })
  boss.on('error', onError)
  await boss.start()
  for (const name of queueNames) {
    await boss.createQueue(name, queueOptions)
    await boss.updateQueue(name, queueOptions)
  }
  return {
    enqueue: async (tx, task, job, delaySeconds = 0) => {
      await boss.send(
        queueOf(job),
        { owner: task.ownerId, task: task.id },
        {
          startAfter: delaySeconds,
          group: { id: String(task.ownerId) },
          db: {
            executeSql: async (text, values) => ({
              rows: await tx.rows({ sql: text, parameters: values ?? [] }),
            }),
          },
        },
      )
    },
    work: async run => {
      for (const name of queueNames) {
        // Named as in the messages that wait in the queue of an installation.
        await boss.work<{ owner: Id; task: Id }>(name, workerOptions, async ([message]) => {
          if (message) {
            await run({ ownerId: message.data.owner, id: message.data.task }, message.signal)
          }
        })
      }
    },
    schedule: (app, crons) => scheduleCrons(boss, app, crons),
    stop: () => boss.stop({ graceful: true, timeout: 2000 }),
  }
}

/** Crons that the product no longer has are taken off the schedule. */
async function scheduleCrons(boss: PgBoss, app: App, crons: readonly Cron[]): Promise<void> {
  const names = new Set(crons.map(cron => `cron-${cron.name}`))
  for (const scheduled of await boss.getSchedules()) {
    if (scheduled.name.startsWith('cron-') && !names.has(scheduled.name)) {
      await boss.unschedule(scheduled.name)
    }
  }
  for (const cron of crons) {
    const name = `cron-${cron.name}`
    await boss.createQueue(name, cronQueueOptions)
    await boss.schedule(name, cron.schedule, null, { tz: 'Asia/Shanghai' })
    await boss.work(name, { pollingIntervalSeconds: 30 }, async ([message]) => {
      if (!message) return
      try {
        await runOperation({ name: `cron ${cron.name}`, kind: 'job', log: app.log }, () =>
          cron.run(app, message.signal),
        )
      } catch (err) {
        app.log.error({ err, cron: cron.name }, 'cron failed')
        throw err
      }
    })
  }
}

import type { FileKey } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { PgBoss } from 'pg-boss'
import { isDatabaseUnavailable, sql, type Database, type Tx } from './db.ts'
import { unrestrictedDomain, type Scope } from './scope.ts'
import { live } from './sql.ts'
import type { LoadCaller } from './session.ts'
import type { Jobs, App } from './app.ts'

/** States of a task, as `task_center.state` holds them. */
export const taskState = { waiting: 10, running: 20, done: 30, failed: 40, partial: 50, stopped: 60 } as const
const resultRetentionDays = 7

/** What a job leaves behind. Some failed and some not: 部分成功. `summary` counts the faults by reason. */
export interface JobOutcome {
  readonly success?: number | undefined
  readonly fail?: number | undefined
  readonly skipped?: number | undefined
  readonly message?: string | undefined
  readonly summary?: readonly { readonly reason: string; readonly count: number }[] | undefined
  /** Kept for seven days: the result, and the rows that failed. */
  readonly file?: FileKey | undefined
  readonly faultFile?: FileKey | undefined
}

/**
 * What a running job is given. Work in chunks: each in a transaction of its own that also saves the
 * checkpoint.
 */
export interface JobContext {
  readonly database: Database
  readonly scope: Scope
  readonly app: App
  readonly taskId: number
  /** Aborts when the operator stops it, when the server ends, or when another process has taken it over. */
  readonly signal: AbortSignal
  /** Shown in the task centre, written once a second at most. */
  reportProgress(done: number, total?: number, note?: string): void
  /** What the last committed chunk said; nothing at first. After a crash the job runs again from there. */
  readonly checkpoint: { read<T>(): T | undefined; save(tx: Tx, value: unknown): Promise<void> }
}

/**
 * A kind of long work. `type` is the code under which the task centre files it. `brief`: somebody waits for
 * it at a counter, so it never stands behind long work.
 */
export interface Job<I = any> {
  readonly kind: string
  readonly type?: number | undefined
  readonly isUrgent?: boolean
  readonly run: (input: I, c: JobContext) => Promise<JobOutcome | void>
}

export const defineJob = <I>(d: Job<I>): Job<I> => d

/** Work at set times, Shanghai's, once for the whole installation however many processes there are. */
export interface Cron {
  readonly name: string
  readonly schedule: string
  readonly run: (app: App, signal: AbortSignal) => Promise<void>
}

export const defineCron = (d: Cron): Cron => d

interface TaskRow {
  id: number
  ownerId: number
  title: string
  kind: string
  runInput: unknown
  runCheckpoint?: unknown
  runAttempt: number
  operatorId: number
  operatorName: string
  projectCode?: string
  runIp: string
  runRequest: string
  runStopping: boolean
}

/** The task is another attempt's now: whatever this one still does must not count. */
class TaskLostError extends Error {}

/**
 * Said once a task has ended, in a transaction of its own: what somebody makes of it cannot hold the task up.
 */
export interface TaskEnd {
  readonly tx: Tx
  readonly app: App
  readonly task: Pick<TaskRow, 'id' | 'ownerId' | 'title' | 'kind' | 'operatorId'>
  readonly state: number
  readonly outcome: JobOutcome
}

const taskEndListeners: ((end: TaskEnd) => Promise<void>)[] = []

/** A module that reacts to the end of tasks says so here, once, as it is loaded. */
export const onTaskEnd = (then: (end: TaskEnd) => Promise<void>): void => {
  taskEndListeners.push(then)
}

export interface JobRunner extends Jobs {
  /**
   * Knows the kinds from now on and starts to work off tasks and crons (`works: false` leaves that to other
   * processes).
   */
  startWorkers(world: App, jobs: readonly Job[], crons: readonly Cron[], works?: boolean): Promise<void>
  /**
   * Wakes tasks that no process has moved for ten minutes, whatever became of their messages; gives up after
   * twenty attempts.
   */
  requeueStalledTasks(): Promise<void>
  close(): Promise<void>
}

/**
 * Tasks live in `task_center`; pg-boss wakes a process for each, and again when a process that ran it is
 * heard of no more. Every write of a run is fenced by its attempt, so that two processes never both move one
 * task on.
 */
export async function openJobs(
  store: Database,
  clock: () => number,
  callerOf: LoadCaller,
): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: store.url,
    schema: 'pgboss',
    max: 3,
    application_name: 'jobs',
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    warningQueueSize: 10_000,
  })
  let app: App | undefined
  let closing = false
  boss.on('error', err => app?.log.warn({ err: (err as Error).message }, 'jobs'))
  await boss.start()
  const queue = {
    retryLimit: 20,
    retryDelay: 2,
    expireInSeconds: 86_000,
    heartbeatSeconds: 15,
    deleteAfterSeconds: 86_400,
    notify: true,
  }
  // A company runs two long tasks at a time in a process; a third waits for minutes. What is brief has a
  // queue and workers of its own.
  const lanes = ['task', 'task-brief'] as const
  for (const lane of lanes) {
    await boss.createQueue(lane, queue)
    await boss.updateQueue(lane, queue)
  }

  const kinds = new Map<string, Job>()
  const running = new Map<number, AbortController>()
  const under = new Set<Promise<void>>()
  const enqueue = async (tx: Tx, owner: number, task: number, kind: string, after = 0): Promise<void> => {
    await boss.send(
      kinds.get(kind)?.isUrgent ? 'task-brief' : 'task',
      { owner, task },
      {
        startAfter: after,
        group: { id: String(owner) },
        db: {
          executeSql: async (text, values) => ({
            rows: await tx.rows({ sql: text, parameters: values ?? [] }),
          }),
        },
      },
    )
  }
  const tell = (t: Pick<TaskRow, 'id' | 'ownerId' | 'operatorId'>, state: number, more: object = {}): void =>
    app?.live.publish(t.ownerId, [t.operatorId], 'task', { id: t.id, state, ...more })
  await store.listen('task_stop', said => {
    const c = running.get(Number(said))
    c?.abort(new Error('stopped'))
  })

  const claim = (owner: number, id: number): Promise<TaskRow | undefined> =>
    store.tx(owner, tx =>
      tx.one<TaskRow>(sql`
        update task_center
        set state = ${taskState.running}, run_attempt = run_attempt + 1,
          start_time = coalesce(start_time, now()), update_time = now()
        where owner_id = ${owner} and id = ${id} and state in (${taskState.waiting}, ${taskState.running})
        returning id, owner_id, title, kind, run_input, run_checkpoint, run_attempt, operator_id,
          operator_name, project_code, run_ip, run_request, run_stopping
      `),
    )
  const settle = async (t: TaskRow, state: number, o: JobOutcome): Promise<void> => {
    const files = o.file ?? o.faultFile
    const n = await store.tx(t.ownerId, tx =>
      tx.execute(sql`
        update task_center
        set state = ${state}, end_time = now(), update_time = now(), note = null,
          message = ${o.message ?? null}, success = ${o.success ?? 0}, fail = ${o.fail ?? 0},
          skipped = ${o.skipped ?? 0},
          done = case when ${state} = ${taskState.done} then coalesce(total, done) else done end,
          summary = ${o.summary ? JSON.stringify(o.summary) : null}::jsonb, result_file = ${o.file ?? null},
          fault_file = ${o.faultFile ?? null},
          expire_time = case
            when ${files ?? null}::text is null then null
            else now() + make_interval(days => ${resultRetentionDays})
            end
        where owner_id = ${t.ownerId}
          and id = ${t.id}
          and run_attempt = ${t.runAttempt}
          and state = ${taskState.running}
      `),
    )
    if (!n) return
    tell(t, state)
    const w = app!
    for (const then of taskEndListeners) {
      await store
        .tx(t.ownerId, tx => then({ tx, app: w, task: t, state, outcome: o }))
        .catch(err => w.log.warn({ err, task: t.id }, 'end of a task not told'))
    }
  }

  /**
   * Whom the task acts for: who began it, with the rights he has now; `operatorId` 0 is the installation
   * itself.
   */
  const scopeOf = async (t: TaskRow): Promise<Scope | undefined> => {
    const caller =
      t.operatorId === 0
        ? {
            ownerId: t.ownerId,
            operatorId: 0,
            name: t.operatorName,
            isOwner: true,
            permissions: new Set<string>(),
            domain: unrestrictedDomain,
            canSeePersonalData: true,
          }
        : await callerOf(t.ownerId, t.operatorId)
    return (
      caller && {
        ...caller,
        projectCode: t.projectCode ?? '',
        ip: t.runIp,
        requestId: t.runRequest,
        time: new Date(clock()).toISOString(),
      }
    )
  }

  const run = async (owner: number, id: number, claimed: AbortSignal): Promise<void> => {
    const w = app!
    const t = await claim(owner, id)
    if (!t) return
    if (closing) return handBack(t)
    if (t.runStopping) return settle(t, taskState.stopped, { message: '已停止' })
    const definition = kinds.get(t.kind)
    // A newer version's kind: left to a process that knows it.
    if (!definition) throw new Error(`no job is called ${t.kind}`)
    const scope = await scopeOf(t)
    if (!scope) return settle(t, taskState.failed, { message: '发起人的账号已停用，任务没有执行' })
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, claimed])
    running.set(t.id, stop)
    tell(t, taskState.running)
    let latest: { done: number; total: number | undefined; note: string | undefined } | undefined
    let written = 0
    const write = async (): Promise<void> => {
      const p = latest
      latest = undefined
      written = clock()
      const row = await store
        .tx(owner, tx =>
          tx.one<{
            runStopping: boolean
          }>(sql`
            update task_center
            set ${
              p
                ? sql`done = ${p.done},
            total = coalesce(${p.total ?? null}, total), note = ${p.note ?? null},`
                : sql``
            } update_time = now()
            where owner_id = ${owner}
              and id = ${t.id}
              and run_attempt = ${t.runAttempt}
              and state = ${taskState.running}
            returning run_stopping
          `),
        )
        .catch(() => ({ runStopping: false }))
      if (!row) {
        stop.abort(new TaskLostError())
      } else if (row.runStopping) {
        stop.abort(new Error('stopped'))
      }
      if (p) {
        tell(t, taskState.running, { done: p.done, total: p.total, note: p.note })
      }
    }
    // Also hears of a stop whose message was lost.
    const timer = setInterval(() => {
      if (latest || clock() - written > 5000) {
        void write()
      }
    }, 1000)
    let checkpoint = t.runCheckpoint
    try {
      const o =
        (await definition.run(t.runInput, {
          database: store,
          scope,
          app: w,
          taskId: t.id,
          signal,
          reportProgress: (done, total, note) => {
            latest = { done, total, note }
          },
          checkpoint: {
            read: <T>() => checkpoint as T | undefined,
            save: async (tx, value) => {
              signal.throwIfAborted()
              if (
                !(await tx.execute(
                  sql`
                    update task_center
                    set run_checkpoint = ${JSON.stringify(value)}::jsonb, update_time = now()
                    where owner_id = ${owner}
                      and id = ${t.id}
                      and run_attempt = ${t.runAttempt}
                      and state = ${taskState.running}
                  `,
                ))
              )
                throw new TaskLostError()
              tx.onCommit(() => {
                checkpoint = value
              })
            },
          },
        })) ?? {}
      await settle(
        t,
        (o.fail ?? 0) === 0 ? taskState.done : (o.success ?? 0) > 0 ? taskState.partial : taskState.failed,
        o,
      )
    } catch (e) {
      if (
        e instanceof TaskLostError ||
        signal.reason instanceof TaskLostError ||
        (claimed.aborted && !stop.signal.aborted)
      )
        return
      if (stop.signal.aborted && (stop.signal.reason as Error).message === 'closing') return await handBack(t)
      if (stop.signal.aborted)
        return await settle(t, taskState.stopped, { message: '已停止，停止前完成的部分保留' })
      if (e instanceof Refused) return await settle(t, taskState.failed, { message: e.message })
      // The database went away: the task stays as it is and is woken again.
      if (isDatabaseUnavailable(e)) throw e
      w.log.error({ err: e, task: t.id, kind: t.kind, reqId: t.runRequest }, 'defect in a job')
      await settle(t, taskState.failed, {
        message: `系统错误（编号 ${t.runRequest || t.id}），请重试或把编号发给客服`,
      })
    } finally {
      clearInterval(timer)
      running.delete(t.id)
    }
  }
  /** This process ends: another goes on from the checkpoint. */
  const handBack = (t: TaskRow): Promise<void> =>
    store.tx(t.ownerId, async tx => {
      if (
        await tx.execute(
          sql`
            update task_center
            set state = ${taskState.waiting}, update_time = now()
            where owner_id = ${t.ownerId}
              and id = ${t.id}
              and run_attempt = ${t.runAttempt}
              and state = ${taskState.running}
          `,
        )
      ) {
        await enqueue(tx, t.ownerId, t.id, t.kind, 1)
      }
    })

  return {
    start: async (tx, scope, kind, title, input) => {
      const d = kinds.get(kind)
      if (!d) throw new Error(`no job is called ${kind}`)
      const row = await tx.one<{
        id: number
      }>(sql`
        insert into task_center (
          owner_id, project_code, title, task_type, kind, operator_id, operator_name, create_by, update_by,
          run_input, run_ip, run_request
        )
        values (
          ${scope.ownerId}, ${scope.projectCode || null}, ${title}, ${d.type ?? null}, ${kind},
          ${scope.operatorId}, ${scope.name}, ${scope.operatorId}, ${scope.operatorId},
          ${JSON.stringify(input)}::jsonb, ${scope.ip}, ${scope.requestId}
        )
        returning id
      `)
      await enqueue(tx, scope.ownerId, row!.id, kind)
      tx.onCommit(() =>
        tell({ id: row!.id, ownerId: scope.ownerId, operatorId: scope.operatorId }, taskState.waiting),
      )
      return row!.id
    },
    cancel: async (tx, owner, id) => {
      const row = await tx.one<{
        state: number
        operatorId: number
      }>(sql`
        update task_center
        set run_stopping = true, version = version + 1, update_time = now(),
          state = case when state = ${taskState.waiting} then ${taskState.stopped} else state end,
          end_time = case when state = ${taskState.waiting} then now() end,
          message = case when state = ${taskState.waiting} then '已停止' else message end
        where owner_id = ${owner}
          and id = ${id}
          and ${live()}
          and state in (${taskState.waiting}, ${taskState.running})
        returning state, operator_id
      `)
      if (!row) return refuse('任务已经结束，不能停止')
      if (row.state === taskState.stopped) {
        tx.onCommit(() => tell({ id, ownerId: owner, operatorId: row.operatorId }, row.state))
      } else {
        await tx.execute(sql`select pg_notify('task_stop', ${String(id)})`)
      }
    },
    retry: async (tx, owner, id) => {
      const row = await tx.one<{
        operatorId: number
        kind: string
      }>(sql`
        update task_center
        set state = ${taskState.waiting}, run_stopping = false, end_time = null, message = null,
          note = null, version = version + 1, update_time = now()
        where owner_id = ${owner}
          and id = ${id}
          and ${live()}
          and state in (${taskState.failed}, ${taskState.stopped})
        returning operator_id, kind
      `)
      if (!row) return refuse('只有失败或已停止的任务可以重试')
      await enqueue(tx, owner, id, row.kind)
      tx.onCommit(() => tell({ id, ownerId: owner, operatorId: row.operatorId }, taskState.waiting))
    },
    requeueStalledTasks: () =>
      store.tx('*', async tx => {
        const tired = await tx.execute(
          sql`
            update task_center
            set state = ${taskState.failed}, end_time = now(), update_time = now(), message = '任务多次中断，请重试'
            where state = ${taskState.running}
              and update_time < now() - interval '10 minutes'
              and run_attempt >= 20
          `,
        )
        const silent = await tx.rows<{ ownerId: number; id: number; kind: string }>(
          sql`
            update task_center
            set update_time = now()
            where state = ${taskState.running} and update_time < now() - interval '10 minutes'
            returning owner_id, id, kind
          `,
        )
        for (const t of silent) {
          await enqueue(tx, t.ownerId, t.id, t.kind)
        }
        if (tired + silent.length) {
          app?.log.warn({ tired, silent: silent.length }, 'tasks that nobody ran')
        }
      }),
    startWorkers: async (given, jobs, crons, works = true) => {
      app = given
      for (const d of jobs) {
        if (kinds.has(d.kind)) throw new Error(`Two jobs are called ${d.kind}`)
        kinds.set(d.kind, d)
      }
      if (!works) return
      // Woken at once by a new task; a task that stood back for another of its company is only found by
      // asking again.
      for (const lane of lanes) {
        await boss.work<{ owner: number; task: number }>(
          lane,
          {
            localConcurrency: 3,
            localGroupConcurrency: 2,
            pollingIntervalSeconds: 1,
            notifyPollingIntervalSeconds: 1,
            heartbeatRefreshSeconds: 4,
          },
          async ([j]) => {
            const p = run(j!.data.owner, j!.data.task, j!.signal)
            under.add(p)
            try {
              await p
            } finally {
              under.delete(p)
            }
          },
        )
      }
      const names = new Set(crons.map(c => `cron-${c.name}`))
      for (const s of await boss.getSchedules()) {
        if (s.name.startsWith('cron-') && !names.has(s.name)) {
          await boss.unschedule(s.name)
        }
      }
      for (const c of crons) {
        const name = `cron-${c.name}`
        await boss.createQueue(name, {
          policy: 'singleton',
          retryLimit: 1,
          retryDelay: 60,
          expireInSeconds: 3600,
          deleteAfterSeconds: 86_400,
          heartbeatSeconds: 30,
        })
        await boss.schedule(name, c.schedule, null, { tz: 'Asia/Shanghai' })
        await boss.work(name, { pollingIntervalSeconds: 30 }, async ([j]) => {
          try {
            await c.run(given, j!.signal)
          } catch (err) {
            given.log.error({ err, cron: c.name }, 'cron failed')
            throw err
          }
        })
      }
    },
    close: async () => {
      closing = true
      for (const c of running.values()) {
        c.abort(new Error('closing'))
      }
      await Promise.race([Promise.allSettled(under), new Promise(done => setTimeout(done, 8000).unref())])
      await boss.stop({ graceful: true, timeout: 2000 })
    },
  }
}

import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { CompanyLocked } from '#kit/server/company-scope.ts'
import { isDatabaseUnavailable, sql, type Tx } from '#kit/server/db.ts'
import { FileStoreUnavailable } from '#kit/server/file-storage.ts'
import type { JobOutcome, JobContext } from '#kit/server/jobs.ts'
import { code } from '#kit/server/sql.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { BillRun } from '../contract/bill.ts'
import { runState } from '../contract/choices.ts'
import { RunTakenOver, findRun } from './run-chunk.ts'

interface RunStateChange {
  readonly state: BillRun['state']
  readonly message: string | null
  /** When the change happens, as the clock of the app says. */
  readonly now: Moment
  readonly ended: boolean
}

const setRunState = (
  tx: Tx,
  ownerId: Id,
  id: Id,
  { state, message, now, ended }: RunStateChange,
): Promise<number> =>
  tx.execute(
    sql`
      update bill_run
      set state = ${codeOf(runState, state)}, message = ${message},
        end_time = ${ended ? now : null}::timestamptz, update_time = ${now}::timestamptz
      where owner_id = ${ownerId} and id = ${id} and state <> ${code(runState, 'undone')}
    `,
  )

/** The task is resumed once this is over. */
const isPassing = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || error instanceof CompanyLocked || error instanceof RunTakenOver

/**
 * Runs the work of a batch from where the batch stands and keeps the batch's state and message in step with
 * the task. A batch that is stopped, failed or interrupted keeps what it has written.
 */
export async function runBatchTask(
  c: JobContext,
  id: Id,
  work: (row: BillRun) => Promise<JobOutcome & { readonly message: string }>,
): Promise<JobOutcome> {
  const { database, scope, app } = c
  const ownerId = scope.ownerId
  const now = (): Moment => fromInstant(app.clock())
  const finish = (state: BillRun['state'], message: string): Promise<number> =>
    database.tx(ownerId, tx => setRunState(tx, ownerId, id, { state, message, now: now(), ended: true }))
  const row = await database.tx(ownerId, async tx => {
    await c.checkpoint.save(tx, c.checkpoint.read() ?? {})
    const run = await findRun(tx, ownerId, id)
    if (!run || run.state === 'undone' || run.state === 'done') return refuse('批次已撤销或已完成')
    await setRunState(tx, ownerId, id, { state: 'running', message: null, now: now(), ended: false })
    return { ...run, state: 'running' as const }
  })
  try {
    const outcome = await work(row)
    await finish('done', outcome.message.slice(0, 500))
    app.live.publish(ownerId, 'all', 'billRun', { id })
    return outcome
  } catch (e) {
    // Stopped by a person: what is written stays. When the process ends, another process takes the run over
    // or the database or the company is taken, the task is resumed later and the batch stays "running".
    const stopped = c.signal.aborted && toError(c.signal.reason).message === 'stopped'
    if (stopped) {
      await finish('stopped', '已停止，停止前生成的账单保留')
    } else if (!c.signal.aborted && !isPassing(e)) {
      const message =
        e instanceof Refused || e instanceof FileStoreUnavailable
          ? e.message
          : '系统错误，可在任务中心重试，从中断处继续'
      await finish('failed', message).catch(() => {})
    }
    throw e
  }
}

import { codeOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { isDatabaseUnavailable, sql, type Tx } from '#kit/server/db.ts'
import type { JobOutcome, JobContext } from '#kit/server/jobs.ts'
import type { BillRun } from '../contract/bill.ts'
import { runState } from '../contract/choices.ts'
import { RunTakenOver, findRun } from './run-engine.ts'

const setRunState = (
  tx: Tx,
  owner: number,
  id: number,
  state: BillRun['state'],
  message: string | null,
  ended: boolean,
): Promise<number> =>
  tx.execute(
    sql`
      update bill_run
      set state = ${codeOf(runState, state)}, message = ${message}, end_time = ${ended ? sql`now()` : null},
        update_time = now()
      where owner_id = ${owner} and id = ${id} and state <> ${codeOf(runState, 'undone')}
    `,
  )

/** A task takes a batch up where it stands and works it off; how it ended is said on the batch too. */
export async function runBatchTask(
  c: JobContext,
  id: number,
  work: (row: BillRun) => Promise<JobOutcome & { readonly message: string }>,
): Promise<JobOutcome> {
  const { database, scope, app } = c
  const owner = scope.ownerId
  const row = await database.tx(owner, async tx => {
    await c.checkpoint.save(tx, c.checkpoint.read() ?? {})
    const r = await findRun(tx, owner, id)
    if (!r || r.state === 'undone' || r.state === 'done') return refuse('批次已撤销或已完成')
    await setRunState(tx, owner, id, 'running', null, false)
    return { ...r, state: 'running' as const }
  })
  try {
    const end = await work(row)
    await database.tx(owner, tx => setRunState(tx, owner, id, 'done', end.message.slice(0, 500), true))
    app.live.publish(owner, 'all', 'billRun', { id })
    return end
  } catch (e) {
    // Stopped by a person: what is in stays. Ended with the process, or overtaken: another goes on. Away: it
    // is woken again.
    const stopped = c.signal.aborted && (c.signal.reason as Error | undefined)?.message === 'stopped'
    if (stopped) {
      await database.tx(owner, tx =>
        setRunState(tx, owner, id, 'stopped', '已停止，停止前生成的账单保留', true),
      )
    } else if (!c.signal.aborted && !isDatabaseUnavailable(e) && !(e instanceof RunTakenOver)) {
      await database
        .tx(owner, tx =>
          setRunState(
            tx,
            owner,
            id,
            'failed',
            e instanceof Refused ? e.message : '系统错误，可在任务中心重试，从中断处继续',
            true,
          ),
        )
        .catch(() => {})
    }
    throw e
  }
}

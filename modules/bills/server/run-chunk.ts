import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen } from '#kit/domain/money.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { advanceBilledTo, findNextRelations } from '#modules/fees/server/public.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { runState, type billSource } from '../contract/choices.ts'
import { billPrefix } from './bill-number.ts'
import { billedReadingsOf, toBillDraft } from './bill-draft.ts'
import { findPayerContacts, issueBills, settleStatements } from './issue.ts'
import { planRelations, type RunPlan } from './run-plan.ts'
import { billReadings } from './run-readings.ts'
import type { PreparedRun } from './run-scope.ts'
import { countSkips, type SkipCounts } from './run-skips.ts'

/** GEN-9 */
export const chunkSize = 500

export interface RunOptions {
  readonly database: Database
  readonly scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>
  readonly state: 'pending' | 'normal'
  readonly source: ChoiceOf<typeof billSource>
  /** The day that the bills' numbers are of. */
  readonly today: Day
  /** Called in the transaction of a chunk; throws when the task no longer owns the run or was stopped. */
  readonly save: (tx: Tx) => Promise<void>
  readonly onProgress: (run: BillRun) => void
  /** Relations per transaction; tests take few. */
  readonly chunkSize?: number
  /**
   * Reads prices and standards again before a failed chunk is repeated: they may have been corrected since
   * (FEE-6).
   */
  readonly reloadRun?: () => Promise<PreparedRun>
  /**
   * How long a chunk waits for locks of others while the next chunk waits for it. A deadlock that passes
   * through this process is invisible to PostgreSQL, so that only a timeout ends it.
   */
  readonly lockTimeout?: string
}

/** What a chunk is about to write: the run as it will be then, and the bills of the chunk by place. */
export interface PlannedChunk {
  readonly run: BillRun
  readonly billsByPlace: RunPlan['billsByPlace']
}

export interface Chunk {
  /**
   * Resolves before the chunk is written, so that the next one can be planned; undefined after the last one.
   */
  readonly planned: Promise<PlannedChunk | undefined>
  readonly written: Promise<BillRun>
}

export interface ChunkStart {
  readonly options: RunOptions
  readonly prepared: PreparedRun
  readonly from: PlannedChunk
  readonly before: Chunk | undefined
  /** No other chunk waits for this one: it may wait for locks as long as it takes. */
  readonly isAlone: boolean
}

/** The run belongs to another process now, or has been stopped. */
export class RunTakenOver extends Error {}

/** Begins a chunk of relations. It commits after the chunk before it. */
export function startChunk(start: ChunkStart): Chunk {
  const { options } = start
  const planned = Promise.withResolvers<PlannedChunk | undefined>()
  let started = false
  const written = options.database.tx(options.scope.ownerId, async tx => {
    // The database repeats transactions that fail to serialize, but the next chunk has been planned on what
    // this one announced the first time: fail, and let `executeRun` begin again.
    if (started) throw Object.assign(new Error('the next chunk has begun already'), { code: '40001' })
    started = true
    return processChunk(tx, start, planned.resolve)
  })
  written.catch(planned.reject)
  planned.promise.catch(() => {})
  return { planned: planned.promise, written }
}

async function processChunk(
  tx: Tx,
  { options, prepared, from, before, isAlone }: ChunkStart,
  announce: (planned: PlannedChunk | undefined) => void,
): Promise<BillRun> {
  const { ownerId } = options.scope
  const { run } = from
  const [, billingRelations] = await Promise.all([
    setChunkSettings(tx, isAlone ? '0' : (options.lockTimeout ?? '4s')),
    findNextRelations(tx, ownerId, {
      ...prepared.walk,
      after: run.afterId,
      limit: options.chunkSize ?? chunkSize,
      lock: true,
    }),
  ])
  if (!billingRelations.length) {
    announce(undefined)
    return (await before?.written) ?? run
  }
  const plan = await planRelations(tx, prepared.run, billingRelations, from.billsByPlace)
  const [contacts, numbers] = await Promise.all([
    findPayerContacts(
      tx,
      ownerId,
      plan.bills.map(b => b.line.payer),
    ),
    tx.numbers.nextMany(ownerId, billPrefix, options.today, plan.bills.length),
  ])
  const next = addToRun(run, plan, billingRelations.length, defined(billingRelations.at(-1)).relation.id)
  const writing = settleStatements([
    issueBills(
      tx,
      options.scope,
      { project: prepared.run.project, batchNo: run.batchNo, source: options.source, state: options.state },
      plan.bills.map((b, i) => toBillDraft(b, defined(numbers[i]))),
      contacts,
    ),
    advanceBilledTo(tx, ownerId, plan.advanced),
  ])
  announce({ run: next, billsByPlace: plan.billsByPlace })
  const [idByNumber] = await writing
  await billReadings(tx, options.scope, billedReadingsOf(plan.bills, numbers, idByNumber))
  await before?.written
  await saveRunPosition(tx, options.scope, run, next)
  await options.save(tx)
  return next
}

/**
 * Chunks do not wait for the disk: after a power cut the last ones are lost together with the position of the
 * run, and are made again. The end of the run is written synchronously.
 */
const setChunkSettings = (tx: Tx, lockTimeout: string): Promise<number> =>
  tx.execute(sql`
    select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', ${lockTimeout}, true)
  `)

function addToRun(run: BillRun, plan: RunPlan, relations: number, afterId: Id): BillRun {
  const skips: SkipCounts = (run.skips ?? []).map(s => ({ ...s, samples: [...s.samples] }))
  countSkips(skips, plan.skipped)
  return {
    ...run,
    afterId,
    done: run.done + relations,
    made: run.made + plan.bills.length,
    amount: sumFen([run.amount, ...plan.bills.map(b => b.line.amount)]),
    skips,
    behind: run.behind + plan.incomplete,
  }
}

/** Moves the run on. Throws RunTakenOver when it is no longer where this process read it, or not running. */
async function saveRunPosition(
  tx: Tx,
  scope: RunOptions['scope'],
  run: BillRun,
  next: BillRun,
): Promise<void> {
  const changed = await tx.execute(sql`
    update bill_run
    set after_id = ${next.afterId}, done = ${next.done}, made = ${next.made},
      amount = ${formatYuan(next.amount)}::numeric, behind = ${next.behind},
      skips = ${JSON.stringify(next.skips)}::jsonb, update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId}
      and id = ${run.id}
      and after_id = ${run.afterId}
      and state = ${code(runState, 'running')}
  `)
  if (!changed) throw new RunTakenOver()
}

export async function findRun(tx: Pick<Tx, 'one'>, ownerId: Id, id: Id): Promise<BillRun | undefined> {
  const row = await tx.one<Record<string, unknown>>(
    sql`select * from bill_run where owner_id = ${ownerId} and id = ${id} and ${notDeleted()}`,
  )
  return row && toEntityRow(billRun, row)
}

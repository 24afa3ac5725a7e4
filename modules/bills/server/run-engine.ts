import { databaseCodeOf } from './database-code.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { BillRun } from '../contract/bill.ts'
import { startChunk, type Chunk, type PlannedChunk, type RunOptions } from './run-chunk.ts'
import type { PreparedRun } from './run-scope.ts'

/** One chunk is written while the next one is planned and begins to write. */
const maxChunksInFlight = 2
const maxTries = 5

/** SQL states of a conflict with another writer: an overlap, a duplicate, a deadlock, a lock not obtained. */
const retryableStates = ['23P01', '23505', '40001', '40P01', '55P03']

/** Another transaction wrote or locked what this one needs: read again and repeat. */
export const isRetryableConflict = (e: unknown): boolean => retryableStates.includes(databaseCodeOf(e) ?? '')

/**
 * Generates the bills of a run from its position to its end, `chunkSize` relations per transaction (GEN-9):
 * the bills with their months, `billed_to` of the relations, the readings and the position of the run are
 * written together or not at all. A run that was killed continues after its last chunk. Relations are locked
 * while they are billed, so that two runs of one month produce one set of bills; the constraint
 * `bill_overlap` refuses what neither could see. Two chunks are in flight at once and commit in order: when
 * one fails, the one behind it fails too, and the run reads again from its position. Returns the run as it is
 * at the end.
 */
export async function executeRun(options: RunOptions, first: PreparedRun, from: BillRun): Promise<BillRun> {
  let prepared = first
  let run = from
  let madeAtAnalyze = from.made
  let tries = 0
  const finish = async (chunk: Chunk): Promise<void> => {
    const next = await chunk.written
    if (next === run) return
    run = next
    tries = 0
    options.onProgress(run)
    if (run.made - madeAtAnalyze >= Math.max(1000, madeAtAnalyze * 7)) {
      madeAtAnalyze = run.made
      await options.database.tx(options.scope.ownerId, tx => analyzeIfGrown(tx, run.made))
    }
  }
  for (;;) {
    const inFlight: Chunk[] = []
    try {
      let position: PlannedChunk = { run, billsByPlace: new Map() }
      for (;;) {
        const chunk = startChunk({
          options,
          prepared,
          from: position,
          before: inFlight.at(-1),
          isAlone: tries > 0,
        })
        inFlight.push(chunk)
        const planned = await chunk.planned
        // After a failure one chunk runs alone, then two again.
        const maxInFlight = planned && !tries ? maxChunksInFlight - 1 : 0
        for (; inFlight.length > maxInFlight; inFlight.shift()) {
          await finish(defined(inFlight[0]))
        }
        if (!planned) return run
        position = planned
      }
    } catch (e) {
      await finishInOrder(inFlight, finish)
      if (!isRetryableConflict(e) || ++tries > maxTries) throw e
      prepared = (await options.reloadRun?.()) ?? prepared
    }
  }
}

/**
 * After a failure: waits for every chunk in flight, and counts those that were written before the failed one.
 */
async function finishInOrder(
  chunks: readonly Chunk[],
  finish: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  await Promise.allSettled(chunks.map(c => c.written))
  for (const chunk of chunks) {
    try {
      await finish(chunk)
    } catch {
      return
    }
  }
}

/**
 * In a new database PostgreSQL's statistics say that there are few bills, so that it would scan all of them
 * for every chunk: refresh the statistics once the bills have become many.
 */
async function analyzeIfGrown(tx: Tx, made: number): Promise<void> {
  const known = await tx.one<{ n: number }>(
    sql`select reltuples::bigint as n from pg_class where oid = 'bill'::regclass`,
  )
  if ((known?.n ?? 0) * 2 >= made) return
  await tx.execute(
    sql`
      analyze bill (
        owner_id, project_code, source_type, source_code, fee_item_id, end_date, relation_id, standard_id,
        payer_id, state, pay_state, delete_tag
      ),
        bill_month (owner_id, bill_id)
    `,
  )
}

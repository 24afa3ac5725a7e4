import type { ChoiceOf } from '#kit/contract/field.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, code } from '#kit/server/sql.ts'
import { findNextRelations } from '#modules/fees/server/public.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { runState, type billSource } from '../contract/choices.ts'
import { findPayerContacts, settleStatements, issueBills, type BillDraft } from './issue.ts'
import { planRelations, type PlannedBill, type SkippedRelation, type RunPlan } from './run-plan.ts'
import type { PreparedRun } from './run-scope.ts'
import { billed } from './run-readings.ts'
import { prepareGeneratedColumnsOnce } from './generated-columns.ts'

/** GEN-9 */
export const chunkSize = 500

type SkipCounts = {
  reason: SkippedRelation['skip']['reason']
  count: number
  samples: NonNullable<BillRun['skips']>[number]['samples'][number][]
}[]

const maxSkipSamples = 50

/** Counts by reason with the first fifty of each (GEN-6). */
export function countSkips(to: SkipCounts, skipped: readonly SkippedRelation[]): void {
  for (const { bound, charged, skip } of skipped) {
    let counts = to.find(x => x.reason === skip.reason)
    if (!counts) {
      to.push((counts = { reason: skip.reason, count: 0, samples: [] }))
    }
    counts.count++
    if (counts.samples.length < maxSkipSamples) {
      counts.samples.push({
        relationId: bound.relation.id,
        sourceType: bound.sourceType,
        sourceCode: bound.sourceCode,
        sourceName: bound.sourceName,
        itemName: charged.item.name,
        ...(skip.period ? { begin: skip.period.begin, end: skip.period.end } : {}),
        ...(skip.detail ? { detail: skip.detail } : {}),
      })
    }
  }
}

export const toBillDraft = (d: PlannedBill, billNo: string): BillDraft => ({
  billNo,
  sourceType: d.bound.sourceType,
  sourceCode: d.bound.sourceCode,
  sourceName: d.located.name,
  buildCode: d.located.buildCode ?? d.bound.buildCode,
  payer: d.line.payer,
  item: d.charged.item,
  standardId: d.bound.standardId,
  relationId: d.bound.relation.id,
  begin: d.line.begin,
  end: d.line.end,
  amount: d.line.amount,
  dueDate: d.line.dueDate,
  quantity: d.line.quantity,
  price: d.line.price,
  snapshot: d.line.snapshot,
  ...(d.reading ? { reading: d.reading } : {}),
})

/**
 * Relations stand where the plan left them (CYC-4). A person editing one meanwhile is not told that it has
 * changed: this is no one's edit.
 */
export const advanceBilledTo = (
  tx: Tx,
  owner: number,
  moved: readonly { readonly id: number; readonly to: string }[],
): Promise<number> =>
  moved.length
    ? tx.execute(
        sql`update fee_relation r set billed_to = w.day, ${prepareGeneratedColumnsOnce('r')} from unnest(${sqlArray(
          'bigint',
          moved.map(m => m.id),
        )}, ${sqlArray(
          'date',
          moved.map(m => m.to),
        )}) as w(id, day) where r.owner_id = ${owner} and r.id = w.id and r.billed_to is distinct from w.day`,
      )
    : Promise.resolve(0)

/**
 * Somebody wrote a bill in the way between our look and our writing, or holds what we wait for: look again.
 */
export const isRetryableConflict = (e: unknown): boolean =>
  ['23P01', '23505', '40001', '40P01', '55P03'].includes((e as { code?: string }).code ?? '')

export interface RunOptions {
  readonly database: Database
  readonly scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>
  readonly state: 'pending' | 'normal'
  readonly source: ChoiceOf<typeof billSource>
  readonly allocateNumbers: (count: number) => Promise<string[]>
  /** In the chunk's transaction: fences it, and may stop the run. */
  readonly save: (tx: Tx) => Promise<void>
  readonly onProgress: (run: BillRun) => void
  /** Relations of one transaction; tests take few. */
  readonly chunkSize?: number
  /**
   * Reads prices and standards anew before the run looks again: what it was begun with may have been put
   * right meanwhile (FEE-6).
   */
  readonly reloadRun?: () => Promise<PreparedRun>
  /**
   * How long a chunk waits for another's locks while its neighbour waits for it: a ring that goes through
   * this process is none that PostgreSQL sees.
   */
  readonly lockTimeout?: string
}

/** What a chunk that is being written has planned: the run as it will stand, and its bills by place. */
interface PlannedChunk {
  readonly run: BillRun
  readonly billsByPlace: RunPlan['billsByPlace']
}

interface Chunk {
  readonly planned: Promise<PlannedChunk | undefined>
  readonly written: Promise<BillRun>
}

/** Chunks under way at once: one is written while the next one looks, plans and begins to write. */
const maxChunksInFlight = 2

/**
 * Works a run off from where it stands, five hundred relations and one transaction at a time: bills with
 * their months, the relations' BilledTo, the readings and the run's own row move together or not at all. A
 * killed run goes on after its last chunk; relations are held while they are billed, so that two runs of one
 * month make one set of bills, and `bill_overlap` refuses what both could not see. Two chunks are under way
 * at once and end in their order; where one fails, the one behind it has not happened either, and the run
 * looks again from where it stands.
 */
export async function executeRun(options: RunOptions, first: PreparedRun, from: BillRun): Promise<BillRun> {
  let p = first
  let run = from
  let known = from.made
  let tries = 0
  const ended = async (c: Chunk): Promise<void> => {
    const next = await c.written
    if (next === run) return
    run = next
    tries = 0
    options.onProgress(run)
    if (run.made - known >= Math.max(1000, known * 7)) {
      known = run.made
      await options.database.tx(options.scope.ownerId, tx => analyzeIfGrown(tx, run.made))
    }
  }
  for (;;) {
    const under: Chunk[] = []
    try {
      for (let at: PlannedChunk = { run, billsByPlace: new Map() }; ;) {
        under.push(startChunk(options, p, at, under.at(-1), tries > 0))
        const next = await under.at(-1)!.planned
        // After a fault one chunk goes alone, and then two again.
        for (const keep = next && !tries ? maxChunksInFlight - 1 : 0; under.length > keep; under.shift()) {
          await ended(under[0]!)
        }
        if (!next) return run
        at = next
      }
    } catch (e) {
      // Whatever is still under way comes to its end first, and counts where it was good.
      await Promise.allSettled(under.map(c => c.written))
      for (const c of under) {
        try {
          await ended(c)
        } catch {
          break
        }
      }
      if (!isRetryableConflict(e) || ++tries > 5) throw e
      p = (await options.reloadRun?.()) ?? p
    }
  }
}

/**
 * A young database believes its bills to be few, and would read all of them for every chunk: it is told once
 * they have become many.
 */
async function analyzeIfGrown(tx: Tx, made: number): Promise<void> {
  const known = await tx.one<{ n: number }>(
    sql`select reltuples::bigint as n from pg_class where oid = 'bill'::regclass`,
  )
  if ((known?.n ?? 0) * 2 < made) {
    await tx.execute(
      sql`analyze bill (
        owner_id, project_code, source_type, source_code, fee_item_id, end_date, relation_id, standard_id,
        payer_id, state, pay_state, delete_tag
      ),
        bill_month (owner_id, bill_id)`,
    )
  }
}

/**
 * Begins a chunk, which ends after the one before it has. `alone`: nobody waits for it, so it may wait as
 * long as it takes.
 */
function startChunk(
  options: RunOptions,
  p: PreparedRun,
  at: PlannedChunk,
  before: Chunk | undefined,
  alone: boolean,
): Chunk {
  const seen = Promise.withResolvers<PlannedChunk | undefined>()
  let begun = false
  const ended = options.database.tx(options.scope.ownerId, async tx => {
    // Tried again by the store: what it said the first time is what the next one has begun with.
    if (begun) throw Object.assign(new Error('the chunk behind has begun'), { code: '40001' })
    begun = true
    return processChunk(tx, options, p, at, before?.written, alone, seen.resolve)
  })
  ended.catch(seen.reject)
  seen.promise.catch(() => {})
  return { planned: seen.promise, written: ended }
}

async function processChunk(
  tx: Tx,
  options: RunOptions,
  p: PreparedRun,
  { run, billsByPlace }: PlannedChunk,
  before: Promise<BillRun> | undefined,
  alone: boolean,
  seen: (next: PlannedChunk | undefined) => void,
): Promise<BillRun> {
  const { ownerId: owner } = options.scope
  // Nobody waits for the disk between chunks: after a power cut the last ones are gone together with the
  // run's own row, and are made again. The end of the run is on disk.
  const [, bounds] = await Promise.all([
    tx.execute(
      sql`
        select set_config('synchronous_commit', 'off', true),
          set_config('lock_timeout', ${alone ? '0' : (options.lockTimeout ?? '4s')}, true)
      `,
    ),
    findNextRelations(tx, owner, {
      ...p.walk,
      after: run.afterId,
      limit: options.chunkSize ?? chunkSize,
      lock: true,
    }),
  ])
  if (!bounds.length) {
    seen(undefined)
    return (await before) ?? run
  }
  const {
    bills,
    skipped,
    advanced,
    incomplete,
    billsByPlace: mine,
  } = await planRelations(tx, p.run, bounds, billsByPlace)
  const [contacts, nos] = await Promise.all([
    findPayerContacts(
      tx,
      owner,
      bills.map(d => d.line.payer),
    ),
    options.allocateNumbers(bills.length),
  ])
  const skips: SkipCounts = structuredClone((run.skips ?? []) as SkipCounts)
  countSkips(skips, skipped)
  const amount = bills.reduce((sum: Fen, d) => sum + d.line.amount, 0)
  const next = {
    ...run,
    afterId: bounds.at(-1)!.relation.id,
    done: run.done + bounds.length,
    made: run.made + bills.length,
    amount: run.amount + amount,
    skips,
    behind: run.behind + incomplete,
  }
  const written = settleStatements([
    issueBills(
      tx,
      options.scope,
      { project: p.run.project, batchNo: run.batchNo, source: options.source, state: options.state },
      bills.map((d, i) => toBillDraft(d, nos[i]!)),
      contacts,
    ),
    advanceBilledTo(tx, owner, advanced),
  ])
  seen({ run: next, billsByPlace: mine })
  const [ids] = await written
  await billed(
    tx,
    options.scope,
    bills.flatMap((d, i) =>
      d.reading
        ? [
            {
              readingId: d.reading.id,
              version: d.reading.version,
              billId: ids.get(nos[i]!)!,
              billNo: nos[i]!,
            },
          ]
        : [],
    ),
  )
  await before
  // Where the run stood as we began it, or another process has taken it over.
  const n = await tx.execute(sql`
      update bill_run
      set after_id = ${next.afterId}, done = ${next.done}, made = ${next.made},
        amount = ${formatYuan(next.amount)}::numeric, behind = ${next.behind},
        skips = ${JSON.stringify(skips)}::jsonb, update_time = ${options.scope.time}::timestamptz
      where owner_id = ${owner}
        and id = ${run.id}
        and after_id = ${run.afterId}
        and state = ${code(runState, 'running')}
    `)
  if (!n) throw new RunTakenOver()
  await options.save(tx)
  return next
}

/** The run is another process's now, or has been stopped. */
export class RunTakenOver extends Error {}

export const findRun = async (
  tx: Pick<Tx, 'one'>,
  owner: number,
  id: number,
): Promise<BillRun | undefined> => {
  const r = await tx.one<Record<string, unknown>>(
    sql`select * from bill_run where owner_id = ${owner} and id = ${id} and ${live()}`,
  )
  return r && toEntityRow(billRun, r)
}

import type { ChoiceOf } from '#kit/contract/field.ts'
import { codeOf } from '#kit/contract/field.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Store, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { rowOf } from '#kit/server/stored.ts'
import { nextRelations } from '#modules/fees/server/public.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { runState, type billSource } from '../contract/choices.ts'
import { contactsOf, issueBills, type Fresh } from './issue.ts'
import { planRelations, type Drawn, type Left } from './run-plan.ts'
import type { Prepared } from './run-scope.ts'
import { billed } from './run-readings.ts'

/** GEN-9 */
export const chunkSize = 500
type Skips = { reason: Left['skip']['reason']; count: number; samples: NonNullable<BillRun['skips']>[number]['samples'][number][] }[]
const samplesKept = 50

/** Counts by reason with the first fifty of each (GEN-6). */
export function addSkips(to: Skips, left: readonly Left[]): void {
  for (const { bound, charged, skip } of left) {
    let s = to.find(x => x.reason === skip.reason)
    if (!s) to.push(s = { reason: skip.reason, count: 0, samples: [] })
    s.count++
    if (s.samples.length < samplesKept) s.samples.push({
      relationId: bound.relation.id, sourceType: bound.sourceType, sourceCode: bound.sourceCode, sourceName: bound.sourceName, itemName: charged.item.name,
      ...(skip.period ? { begin: skip.period.begin, end: skip.period.end } : {}), ...(skip.detail ? { detail: skip.detail } : {}),
    })
  }
}
export const freshOf = (d: Drawn, billNo: string): Fresh => ({
  billNo, sourceType: d.bound.sourceType, sourceCode: d.bound.sourceCode, sourceName: d.located.name, buildCode: d.located.buildCode ?? d.bound.buildCode, payer: d.line.payer, item: d.charged.item,
  standardId: d.bound.standardId, relationId: d.bound.relation.id, begin: d.line.begin, end: d.line.end, amount: d.line.amount, dueDate: d.line.dueDate, quantity: d.line.quantity, price: d.line.price, snapshot: d.line.snapshot,
  ...(d.reading ? { reading: d.reading } : {}),
})
/** Relations stand where the plan left them (CYC-4). A person editing one meanwhile is not told that it has changed: this is no one's edit. */
export const moveOn = (tx: Tx, owner: number, moved: readonly { readonly id: number; readonly to: string }[]): Promise<number> =>
  moved.length ? tx.run(sql`update fee_relation r set billed_to = w.day from unnest(${moved.map(m => m.id)}::bigint[], ${moved.map(m => m.to)}::date[]) as w(id, day) where r.owner_id = ${owner} and r.id = w.id and r.billed_to is distinct from w.day`) : Promise.resolve(0)

/** Somebody wrote a bill in the way between our look and our writing: look again. */
const collided = (e: unknown): boolean => ['23P01', '23505'].includes((e as { code?: string }).code ?? '')

export interface Work {
  readonly store: Store
  readonly scope: Pick<Scope, 'ownerId' | 'operatorId'>
  readonly state: 'pending' | 'normal'
  readonly source: ChoiceOf<typeof billSource>
  readonly numbers: (count: number) => Promise<string[]>
  /** In the chunk's transaction: fences it, and may stop the run. */
  readonly save: (tx: Tx) => Promise<void>
  readonly told: (run: BillRun) => void
  /** Relations of one transaction; tests take few. */
  readonly atOnce?: number
}
/**
 * Works a run off from where it stands, five hundred relations and one transaction at a time: bills with their months, the relations' BilledTo, the
 * readings and the run's own row move together or not at all. A killed run goes on after its last chunk; relations are held while they are billed,
 * so that two runs of one month make one set of bills, and `bill_overlap` refuses what both could not see.
 */
export async function workOff(w: Work, p: Prepared, from: BillRun): Promise<BillRun> {
  let run = from, looked = from.made
  for (let tries = 0; ;) {
    try {
      const next = await w.store.tx(w.scope.ownerId, tx => oneChunk(tx, w, p, run))
      tries = 0
      if (!next) return run
      run = next
      w.told(run)
      if (run.made - looked >= Math.max(1000, looked)) { looked = run.made; await w.store.tx(w.scope.ownerId, tx => knowSize(tx, run.made)) }
    } catch (e) { if (!collided(e) || ++tries > 5) throw e }
  }
}
/** A young database believes its bills to be few, and would read all of them for every chunk: it is told once they have become many. */
async function knowSize(tx: Tx, made: number): Promise<void> {
  const known = await tx.one<{ n: number }>(sql`select reltuples::bigint as n from pg_class where oid = 'bill'::regclass`)
  if ((known?.n ?? 0) * 2 < made) await tx.run(sql`analyze bill, bill_month`)
}
async function oneChunk(tx: Tx, w: Work, p: Prepared, run: BillRun): Promise<BillRun | undefined> {
  const { ownerId: owner } = w.scope
  // Nobody waits for the disk between chunks: after a power cut the last ones are gone together with the run's own row, and are made again. The end of the run is on disk.
  const [, bounds] = await Promise.all([tx.run(sql`set local synchronous_commit = off`), nextRelations(tx, owner, { ...p.walk, after: run.afterId, limit: w.atOnce ?? chunkSize, lock: true })])
  if (!bounds.length) return undefined
  const { drawn, left, moved, more } = await planRelations(tx, p.run, bounds)
  const [contacts, nos] = await Promise.all([contactsOf(tx, owner, drawn.map(d => d.line.payer)), w.numbers(drawn.length)]), skips: Skips = structuredClone((run.skips ?? []) as Skips)
  addSkips(skips, left)
  const amount = drawn.reduce((sum: Fen, d) => sum + d.line.amount, 0)
  const next = { ...run, afterId: bounds.at(-1)!.relation.id, done: run.done + bounds.length, made: run.made + drawn.length, amount: run.amount + amount, skips, behind: run.behind + more }
  // One way to the database for all three: where the first fails, none of them has happened.
  const [ids, , n] = await Promise.all([
    issueBills(tx, w.scope, { project: p.run.project, batchNo: run.batchNo, source: w.source, state: w.state }, drawn.map((d, i) => freshOf(d, nos[i]!)), contacts),
    moveOn(tx, owner, moved),
    // Where the run stood as we began it, or another process has taken it over.
    tx.run(sql`update bill_run set after_id = ${next.afterId}, done = ${next.done}, made = ${next.made}, amount = ${formatYuan(next.amount)}::numeric, behind = ${next.behind}, skips = ${JSON.stringify(skips)}::jsonb, update_time = now()
      where owner_id = ${owner} and id = ${run.id} and after_id = ${run.afterId} and state = ${codeOf(runState, 'running')}`),
  ])
  await billed(tx, w.scope, drawn.flatMap((d, i) => (d.reading ? [{ readingId: d.reading.id, billId: ids.get(nos[i]!)!, billNo: nos[i]! }] : [])))
  if (!n) throw new Overtaken()
  await w.save(tx)
  return next
}
/** The run is another process's now, or has been stopped. */
export class Overtaken extends Error {}
export const runById = async (tx: Pick<Tx, 'one'>, owner: number, id: number): Promise<BillRun | undefined> => { const r = await tx.one<Record<string, unknown>>(sql`select * from bill_run where owner_id = ${owner} and id = ${id} and delete_tag = 0`); return r && rowOf(billRun, r) }

import { dec } from '#kit/domain/decimal.ts'
import { divideExact, formatExact } from '#kit/domain/exact.ts'
import type { Fen } from '#kit/domain/money.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { findNextRelations, explainAmount, type Payer } from '#modules/fees/server/public.ts'
import { previewLimit, type RunPreview, type PreviewRow } from '../contract/run.ts'
import { findPayerContacts } from './issue.ts'
import { billsOfRelation } from './relation-bills.ts'
import { planRelations, type PlannedBill, type SkippedRelation } from './run-plan.ts'
import type { PreparedRun } from './run-scope.ts'
import { effectiveStates } from './bill-states.ts'

const chunkSize = 2000

/** What each relation was billed before a day, its last live bill's amount. Needs bill_source. */
async function findLastAmounts(
  db: Db,
  owner: number,
  bills: readonly PlannedBill[],
): Promise<ReadonlyMap<number, Fen>> {
  const firsts = new Map<number, string>()
  for (const d of bills) {
    if (!firsts.has(d.bound.relation.id)) {
      firsts.set(d.bound.relation.id, d.line.begin)
    }
  }
  if (!firsts.size) return new Map()
  const rows = await db.rows<{
    id: number
    amount: string
  }>(sql`
    select w.id, l.amount::text as amount
    from unnest(${[...firsts.keys()]}::bigint[], ${[...firsts.values()]}::date[]) as w(id, day)
    join fee_relation r on r.owner_id = ${owner} and r.id = w.id
    cross join lateral (
      select b.amount
      from bill b
      where ${billsOfRelation(owner, 'b', 'r')} and ${live('b')} and b.state in ${effectiveStates} and b.end_date < w.day
      order by b.end_date desc
      limit 1
    ) l
  `)
  return new Map(rows.map(r => [r.id, parseYuan(r.amount)!]))
}

/** In hundredths of a percent: 158.33. */
const formatChange = (now: Fen, before: Fen): string =>
  formatExact(divideExact({ n: BigInt(now - before) * 100n, s: 0 }, { n: BigInt(before), s: 0 }, 2))

const relationColumns = (x: PlannedBill | SkippedRelation) => ({
  relationId: x.bound.relation.id,
  sourceType: x.bound.sourceType,
  sourceCode: x.bound.sourceCode,
  sourceName: x.bound.sourceName,
  ...(x.bound.buildCode === undefined ? {} : { buildCode: x.bound.buildCode }),
  itemName: x.charged.item.name,
  standardName: x.charged.standard.name,
})

/**
 * GEN-5: everything a run would do, and nothing written. Reads two thousand relations at a time; the sums are
 * of all, the rows of the first ones.
 */
export async function previewRun(db: Db, prepared: PreparedRun, pending: boolean): Promise<RunPreview> {
  const rows: PreviewRow[] = []
  const counts = new Map<NonNullable<PreviewRow['reason']>, number>()
  const due: string[] = []
  let relations = 0
  let made = 0
  let amount = 0
  let skip = 0
  let excluded = 0
  let jumps = 0
  let nobody = 0
  let warn = 0
  let more = 0
  for (let after = 0; ;) {
    const bounds = await findNextRelations(db, prepared.run.owner, {
      ...prepared.walk,
      after,
      limit: chunkSize,
    })
    if (!bounds.length) break
    after = bounds.at(-1)!.relation.id
    relations += bounds.length
    const planned = await planRelations(db, prepared.run, bounds)
    const room = rows.length < previewLimit
    const [last, contacts] = await Promise.all([
      findLastAmounts(db, prepared.run.owner, planned.bills),
      findPayerContacts(
        db,
        prepared.run.owner,
        room ? planned.bills.map((d): Payer | undefined => d.line.payer) : [],
      ),
    ])
    more += planned.incomplete
    const before = new Map(last)
    for (const d of planned.bills) {
      const id = d.bound.relation.id
      const was = before.get(id)
      const change = was ? formatChange(d.line.amount, was) : undefined
      const jump = was ? Math.abs(d.line.amount - was) * 2 > was : false
      before.set(id, d.line.amount)
      made++
      amount += d.line.amount
      if (jump) {
        jumps++
      }
      if (d.line.payerMissing) {
        nobody++
      }
      if (jump || d.line.payerMissing) {
        warn++
      }
      if (!due.length) {
        due.push(d.line.dueDate, d.line.dueDate)
      }
      if (d.line.dueDate < due[0]!) {
        due[0] = d.line.dueDate
      }
      if (d.line.dueDate > due[1]!) {
        due[1] = d.line.dueDate
      }
      if (rows.length >= previewLimit) continue
      const who = d.line.payer === undefined ? undefined : contacts.get(d.line.payer)?.name
      rows.push({
        group: 'make',
        ...relationColumns(d),
        sourceName: d.located.name,
        ...(who ? { payerName: who } : {}),
        begin: d.line.begin,
        end: d.line.end,
        dueDate: d.line.dueDate,
        amount: d.line.amount,
        sentence: explainAmount(d.line.snapshot),
        ...(was === undefined ? {} : { last: was }),
        ...(change === undefined ? {} : { change: dec(change) }),
        ...(jump ? { jump } : {}),
        ...(d.line.payerMissing ? { payerMissing: true } : {}),
      })
    }
    for (const l of planned.skipped) {
      const out = l.skip.reason === 'excluded'
      if (out) {
        excluded++
      } else {
        skip++
        counts.set(l.skip.reason, (counts.get(l.skip.reason) ?? 0) + 1)
      }
      if (rows.length < previewLimit) {
        rows.push({
          group: out ? 'excluded' : 'skip',
          ...relationColumns(l),
          reason: l.skip.reason,
          ...(l.skip.detail ? { detail: l.skip.detail } : {}),
          ...(l.skip.period ? { begin: l.skip.period.begin, end: l.skip.period.end } : {}),
        })
      }
    }
  }
  return {
    relations,
    make: { count: made, amount },
    skip,
    warn,
    excluded,
    jumps,
    nobody,
    more,
    pending,
    truncated: made + skip + excluded > rows.length,
    rows,
    reasons: [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    ...(due.length ? { dueFrom: due[0]!, dueTo: due[1]! } : {}),
  }
}

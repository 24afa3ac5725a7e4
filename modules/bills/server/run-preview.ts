import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseDecimal } from '#kit/domain/decimal.ts'
import { divideExact, formatExact } from '#kit/domain/exact.ts'
import { addFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findNextRelations, explainAmount } from '#modules/fees/server/public.ts'
import { type Day } from '#kit/domain/day.ts'
import { previewLimit, type RunPreview, type PreviewRow } from '../contract/run.ts'
import type { Gap } from '../contract/gaps.ts'
import { presentGaps } from './gaps.ts'
import { findPayerContacts, type Contacts } from './issue.ts'
import { billsOfRelation } from './relation-bills.ts'
import { planRelations, type PlannedBill, type SkippedRelation } from './run-plan.ts'
import type { PreparedRun } from './run-scope.ts'
import { effectiveStates } from './bill-states.ts'

const chunkSize = 2000

/** The amount of each relation's last effective bill before the first planned one. Needs bill_source. */
async function findLastAmounts(
  db: Db,
  ownerId: Id,
  bills: readonly PlannedBill[],
): Promise<ReadonlyMap<Id, Fen>> {
  const firsts = new Map<Id, string>()
  for (const d of bills) {
    if (!firsts.has(d.billingRelation.relation.id)) {
      firsts.set(d.billingRelation.relation.id, d.line.begin)
    }
  }
  if (!firsts.size) return new Map()
  const rows = await db.rows<{
    id: Id
    amount: string
  }>(sql`
    select w.id, l.amount::text as amount
    from unnest(${[...firsts.keys()]}::bigint[], ${[...firsts.values()]}::date[]) as w(id, day)
    join fee_relation r on r.owner_id = ${ownerId} and r.id = w.id
    cross join lateral (
      select b.amount
      from bill b
      where ${billsOfRelation(ownerId, 'b', 'r')}
        and ${notDeleted('b')}
        and b.state in ${effectiveStates}
        and b.end_date < w.day
      order by b.end_date desc
      limit 1
    ) l
  `)
  return new Map(rows.map(r => [r.id, parseYuan(r.amount)]))
}

/** The change in percent with two decimals: from 10.00 to 25.83 yuan is `158.33`. */
const formatChange = (now: Fen, before: Fen): string =>
  formatExact(
    divideExact({ units: BigInt(now - before) * 100n, scale: 0 }, { units: BigInt(before), scale: 0 }, 2),
  )

const relationColumns = (planned: PlannedBill | SkippedRelation) => ({
  relationId: planned.billingRelation.relation.id,
  sourceType: planned.billingRelation.sourceType,
  sourceCode: planned.billingRelation.sourceCode,
  sourceName: planned.billingRelation.sourceName,
  ...(planned.billingRelation.buildCode === undefined
    ? {}
    : { buildCode: planned.billingRelation.buildCode }),
  itemName: planned.charged.item.name,
  standardName: planned.charged.standard.name,
})

interface PreviewTotals {
  readonly rows: PreviewRow[]
  readonly skipCounts: Map<NonNullable<PreviewRow['reason']>, number>
  relations: number
  made: number
  amount: Fen
  skipped: number
  excluded: number
  gaps: number
  /** Bills that differ from the last one of their relation by more than half of it. */
  jumps: number
  withoutPayer: number
  withWarning: number
  incomplete: number
  /** Bills of gaps that are selected: counted as made, listed as gaps. */
  gapBills: number
  firstDue: Day | undefined
  lastDue: Day | undefined
}

const emptyTotals = (): PreviewTotals => ({
  rows: [],
  skipCounts: new Map(),
  relations: 0,
  made: 0,
  amount: 0,
  skipped: 0,
  excluded: 0,
  gaps: 0,
  jumps: 0,
  withoutPayer: 0,
  withWarning: 0,
  incomplete: 0,
  gapBills: 0,
  firstDue: undefined,
  lastDue: undefined,
})

/** Counts a planned bill and lists it while there is room. `last`: what its relation was billed before. */
function addPlannedBill(
  totals: PreviewTotals,
  bill: PlannedBill,
  last: Fen | undefined,
  contacts: Contacts,
  isOfGap: boolean,
): void {
  const { line } = bill
  const isLargeChange = last ? Math.abs(line.amount - last) * 2 > last : false
  totals.made++
  totals.amount = addFen(totals.amount, line.amount)
  if (isLargeChange) {
    totals.jumps++
  }
  if (line.payerMissing) {
    totals.withoutPayer++
  }
  if (isLargeChange || line.payerMissing) {
    totals.withWarning++
  }
  if (totals.firstDue === undefined || line.dueDate < totals.firstDue) {
    totals.firstDue = line.dueDate
  }
  if (totals.lastDue === undefined || line.dueDate > totals.lastDue) {
    totals.lastDue = line.dueDate
  }
  if (isOfGap) {
    totals.gapBills++
    return
  }
  if (totals.rows.length >= previewLimit) return
  const payerName = line.payer === undefined ? undefined : contacts.get(line.payer)?.name
  totals.rows.push({
    group: 'make',
    ...relationColumns(bill),
    sourceName: bill.located.name,
    ...(payerName ? { payerName } : {}),
    begin: line.begin,
    end: line.end,
    dueDate: line.dueDate,
    amount: line.amount,
    sentence: explainAmount(line.snapshot),
    ...(last === undefined ? {} : { last }),
    ...(last ? { change: parseDecimal(formatChange(line.amount, last)) } : {}),
    ...(isLargeChange ? { isLargeChange } : {}),
    ...(line.payerMissing ? { payerMissing: true } : {}),
  })
}

/** Lists free periods in the middle as rows of their own (GEN-3). */
function addGaps(totals: PreviewTotals, gaps: readonly Gap[]): void {
  totals.gaps += gaps.length
  for (const gap of gaps.slice(0, Math.max(0, previewLimit - totals.rows.length))) {
    totals.rows.push({
      group: 'gap',
      relationId: gap.relationId,
      sourceType: gap.sourceType,
      sourceCode: gap.sourceCode,
      sourceName: gap.sourceName,
      payerName: gap.payerName,
      itemName: gap.itemName,
      standardName: gap.standardName,
      begin: gap.begin,
      end: gap.end,
      amount: gap.amount,
      detail: gap.refusal ? `${gap.cause}；${gap.refusal}` : gap.cause,
      gapKey: gap.key,
      selectedByDefault: gap.isBilled && gap.refusal === undefined,
      periodAfter: gap.periodAfter,
    })
  }
}

function addSkippedRelation(totals: PreviewTotals, skipped: SkippedRelation): void {
  const { reason, detail, period } = skipped.skip
  const isExcluded = reason === 'excluded'
  if (isExcluded) {
    totals.excluded++
  } else {
    totals.skipped++
    totals.skipCounts.set(reason, (totals.skipCounts.get(reason) ?? 0) + 1)
  }
  if (totals.rows.length >= previewLimit) return
  totals.rows.push({
    group: isExcluded ? 'excluded' : 'skip',
    ...relationColumns(skipped),
    reason,
    ...(detail ? { detail } : {}),
    ...(period ? { begin: period.begin, end: period.end } : {}),
  })
}

/**
 * Everything a run would do, without writing anything (GEN-5). Reads two thousand relations at a time; the
 * totals cover all of them, the rows are the first `previewLimit`. `pending`: whether new bills wait for
 * audit.
 */
export async function previewRun(db: Db, prepared: PreparedRun, pending: boolean): Promise<RunPreview> {
  const { ownerId } = prepared.run
  const totals = emptyTotals()
  for (let after = 0; ;) {
    const billingRelations = await findNextRelations(db, ownerId, {
      ...prepared.walk,
      after,
      limit: chunkSize,
    })
    if (!billingRelations.length) break
    after = defined(billingRelations.at(-1)).relation.id
    totals.relations += billingRelations.length
    const planned = await planRelations(db, prepared.run, billingRelations)
    const hasRoom = totals.rows.length < previewLimit
    const [lastAmounts, contacts] = await Promise.all([
      findLastAmounts(db, ownerId, planned.bills),
      findPayerContacts(db, ownerId, hasRoom ? planned.bills.map(b => b.line.payer) : []),
    ])
    totals.incomplete += planned.incomplete
    const lastByRelation = new Map(lastAmounts)
    const gapLines = new Set(planned.gaps.flatMap(({ gap }) => gap.lines))
    addGaps(totals, await presentGaps(db, ownerId, prepared.run.project, planned.gaps))
    for (const bill of planned.bills) {
      const relationId = bill.billingRelation.relation.id
      addPlannedBill(totals, bill, lastByRelation.get(relationId), contacts, gapLines.has(bill.line))
      lastByRelation.set(relationId, bill.line.amount)
    }
    for (const skipped of planned.skipped) {
      addSkippedRelation(totals, skipped)
    }
  }
  return toPreview(totals, pending)
}

const toPreview = (totals: PreviewTotals, pending: boolean): RunPreview => ({
  relations: totals.relations,
  make: { count: totals.made, amount: totals.amount },
  skip: totals.skipped,
  warn: totals.withWarning,
  excluded: totals.excluded,
  gaps: totals.gaps,
  jumps: totals.jumps,
  nobody: totals.withoutPayer,
  incompleteRelations: totals.incomplete,
  pending,
  truncated:
    totals.made + totals.skipped + totals.excluded + totals.gaps > totals.rows.length + totals.gapBills,
  rows: totals.rows,
  reasons: [...totals.skipCounts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count),
  ...(totals.firstDue && totals.lastDue ? { dueFrom: totals.firstDue, dueTo: totals.lastDue } : {}),
})

import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { type Db } from '#kit/server/db.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import {
  needsRoomTotals,
  loadChargeableStandards,
  chargingStart,
  computePeriodBills,
  computeReadingBill,
  toPlannedLine,
  findRelationsByIds,
  sourceKey,
  loadSources,
  loadRoomTotals,
  type BillingRelation,
  type ChargeableStandard,
  type LocatedSource,
  type PlannedLine,
} from '#modules/fees/server/public.ts'
import { findUnbilledReadings } from '#modules/meters/server/public.ts'
import { type Bill } from '../contract/bill.ts'
import { type ActionFacts } from '../domain/actions.ts'
import type { BillDraft } from './issue.ts'
import { toBillDraft } from './bill-draft.ts'

/** The bills that replace one bill, or why it cannot be replaced. */
export type RepriceDraft =
  | { readonly drafts: readonly Omit<BillDraft, 'billNo'>[] }
  | { readonly why: string }

/** What replacing the bills of one project needs to know. */
interface ReplacementFacts {
  readonly today: Day
  readonly relationById: ReadonlyMap<Id, BillingRelation>
  readonly standards: ReadonlyMap<Id, ChargeableStandard>
  readonly sources: ReadonlyMap<string, LocatedSource>
  readonly readingsByMeter: Awaited<ReturnType<typeof findUnbilledReadings>> | undefined
}

/**
 * Computes the periods and readings of bills again at today's prices, by bill id. A few reads per project
 * however many bills there are.
 */
export async function draftReplacements(
  db: Db,
  ownerId: Id,
  bills: readonly Bill[],
  today: Day,
): Promise<ReadonlyMap<Id, RepriceDraft>> {
  const drafts = new Map<Id, RepriceDraft>()
  for (const [project, projectBills] of Map.groupBy(bills, b => b.projectCode)) {
    const facts = await loadFacts(db, ownerId, project, projectBills, today)
    for (const b of projectBills) {
      drafts.set(b.id, draftReplacement(b, facts))
    }
  }
  return drafts
}

async function loadFacts(
  db: Db,
  ownerId: Id,
  project: string,
  bills: readonly Bill[],
  today: Day,
): Promise<ReplacementFacts> {
  const [billingRelations, standards] = await Promise.all([
    findRelationsByIds(
      db,
      ownerId,
      bills.flatMap(b => b.relationId ?? []),
    ),
    loadChargeableStandards(db, ownerId, { ids: [...new Set(bills.flatMap(b => b.standardId ?? []))] }),
  ])
  const relationById = new Map(billingRelations.map(b => [b.relation.id, b]))
  const totals = needsRoomTotals(standards.values()) ? await loadRoomTotals(db, ownerId, project) : undefined
  const sources = await loadSources(db, ownerId, project, billingRelations, today, totals)
  const readingBills = bills.filter(b => b.refType === 'reading')
  const readingsByMeter = readingBills.length
    ? await findUnbilledReadings(
        db,
        { ownerId },
        {
          meterIds: readingBills.flatMap(b => relationById.get(defined(b.relationId))?.meterId ?? []),
          until: readingBills.reduce<Day>((last, b) => (b.endDate > last ? b.endDate : last), '0001-01-01'),
          without: readingBills.map(b => b.id),
        },
      )
    : undefined
  return { today, relationById, standards, sources, readingsByMeter }
}

function draftReplacement(bill: Bill, facts: ReplacementFacts): RepriceDraft {
  const billingRelation = facts.relationById.get(defined(bill.relationId))
  const charged = facts.standards.get(defined(bill.standardId))
  if (!billingRelation || !charged) return { why: '收费关联或收费标准已删除，请改用作废' }
  const located = facts.sources.get(sourceKey(billingRelation))
  if (!located) return { why: '收费对象已删除，请改用作废' }
  const isReading = bill.refType === 'reading'
  const reading = isReading
    ? facts.readingsByMeter?.get(billingRelation.meterId ?? 0)?.find(r => r.id === bill.refId)
    : undefined
  if (isReading && !reading) return { why: '抄表读数已删除或已换表，请改用作废后重新出账' }
  const { prepared } = charged
  const { startRule, versions } = prepared.standard
  const start =
    chargingStart(startRule, billingRelation.relation.begin, versions[0]?.from, located.source.dates) ??
    bill.beginDate
  const period = { begin: bill.beginDate, end: bill.endDate }
  const computed = reading
    ? computeReadingBill(prepared, billingRelation.relation, located.source, reading)
    : computePeriodBills(prepared, billingRelation.relation, located.source, period, start)
  if (!computed.drawn) {
    const { detail, reason } = computed.skipped
    return { why: `按新价格不能出账：${detail ?? labelOf(skipReason, reason)}` }
  }
  const toDraft = (line: PlannedLine) => toBillDraft({ billingRelation, charged, located, line, reading }, '')
  return {
    drafts: computed.drawn.map(drawn => ({
      ...toDraft(
        toPlannedLine(prepared.standard, billingRelation.relation.id, drawn, facts.today, reading?.id),
      ),
      // Only the amount changes: the debt is as old as before.
      dueDate: bill.dueDate,
      replaces: bill.id,
      ...(bill.remark ? { remark: bill.remark } : {}),
    })),
  }
}

export const draftsOf = (draft: RepriceDraft | undefined): readonly Omit<BillDraft, 'billNo'>[] =>
  draft && 'drafts' in draft ? draft.drafts : []

export const draftRefusal = (draft: RepriceDraft | undefined): string | undefined =>
  draft && 'why' in draft ? draft.why : undefined

export const repriceFacts = (bill: Bill, draft: RepriceDraft | undefined): Omit<ActionFacts, 'now'> => {
  const drafts = draftsOf(draft)
  return {
    isSplitPart: bill.parentId !== undefined,
    isSameAmount: drafts.length === 1 && defined(drafts[0]).amount === bill.amount,
  }
}

import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { BillDraft } from './issue.ts'
import type { PlannedBill } from './run-plan.ts'

export const toBillDraft = (planned: PlannedBill, billNo: string): BillDraft => ({
  billNo,
  sourceType: planned.billingRelation.sourceType,
  sourceCode: planned.billingRelation.sourceCode,
  sourceName: planned.located.name,
  buildCode: planned.located.buildCode ?? planned.billingRelation.buildCode,
  payer: planned.line.payer,
  item: planned.charged.item,
  standardId: planned.billingRelation.standardId,
  relationId: planned.billingRelation.relation.id,
  begin: planned.line.begin,
  end: planned.line.end,
  amount: planned.line.amount,
  dueDate: planned.line.dueDate,
  quantity: planned.line.quantity,
  price: planned.line.price,
  snapshot: planned.line.snapshot,
  ...(planned.reading ? { reading: planned.reading } : {}),
})

interface BilledReading {
  readonly readingId: Id
  readonly version?: number
  readonly billId: Id
  readonly billNo: string
}

/**
 * The readings of planned bills with the bills that were written for them; `numbers` are in the order of
 * `bills`.
 */
export const billedReadingsOf = (
  bills: readonly PlannedBill[],
  numbers: readonly string[],
  idByNumber: ReadonlyMap<string, Id>,
): BilledReading[] =>
  bills.flatMap(({ reading }, i) => {
    const billNo = defined(numbers[i])
    return reading
      ? [{ readingId: reading.id, version: reading.version, billId: defined(idByNumber.get(billNo)), billNo }]
      : []
  })

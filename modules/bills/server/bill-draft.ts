import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { BillDraft } from './issue.ts'
import { prepareGeneratedColumnsOnce } from './generated-columns.ts'
import type { PlannedBill } from './run-plan.ts'

export const toBillDraft = (planned: PlannedBill, billNo: string): BillDraft => ({
  billNo,
  sourceType: planned.bound.sourceType,
  sourceCode: planned.bound.sourceCode,
  sourceName: planned.located.name,
  buildCode: planned.located.buildCode ?? planned.bound.buildCode,
  payer: planned.line.payer,
  item: planned.charged.item,
  standardId: planned.bound.standardId,
  relationId: planned.bound.relation.id,
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
  readonly readingId: number
  readonly version?: number
  readonly billId: number
  readonly billNo: string
}

/**
 * The readings of planned bills with the bills that were written for them; `numbers` are in the order of
 * `bills`.
 */
export const billedReadingsOf = (
  bills: readonly PlannedBill[],
  numbers: readonly string[],
  idByNumber: ReadonlyMap<string, number>,
): BilledReading[] =>
  bills.flatMap(({ reading }, i) => {
    const billNo = defined(numbers[i])
    return reading
      ? [{ readingId: reading.id, version: reading.version, billId: defined(idByNumber.get(billNo)), billNo }]
      : []
  })

/**
 * Writes how far relations are billed now (CYC-4). The version of a relation stays: somebody who edits it at
 * the same time must not be refused because bills were generated.
 */
export async function advanceBilledTo(
  tx: Tx,
  ownerId: number,
  advanced: readonly { readonly id: number; readonly to: Day }[],
): Promise<number> {
  if (!advanced.length) return 0
  const ids = sqlArray(
    'bigint',
    advanced.map(a => a.id),
  )
  const days = sqlArray(
    'date',
    advanced.map(a => a.to),
  )
  return tx.execute(sql`
    update fee_relation r
    set billed_to = w.day, ${prepareGeneratedColumnsOnce('r')}
    from unnest(${ids}, ${days}) as w(id, day)
    where r.owner_id = ${ownerId} and r.id = w.id and r.billed_to is distinct from w.day
  `)
}

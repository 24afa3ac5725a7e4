import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'

/** What money of a record without bills was for: one line of its receipt. */
export interface ReceiptLine {
  readonly recordId: Id
  readonly item: string
  readonly amount: Fen
  readonly gift?: Fen | undefined
  readonly after?: Fen | undefined
  readonly deducted?: Fen | undefined
  readonly back?: Fen | undefined
}

type ReceiptLineSource = (db: Db, ownerId: Id, records: readonly Id[]) => Promise<readonly ReceiptLine[]>
const receiptLineSources: ReceiptLineSource[] = []

/** A module that keeps such money in a ledger of its own says here what it was. */
export const registerReceiptLineSource = (t: ReceiptLineSource): void => {
  receiptLineSources.push(t)
}

export async function findReceiptLines(
  db: Db,
  ownerId: Id,
  records: readonly Id[],
): Promise<ReadonlyMap<Id, ReceiptLine[]>> {
  const found: ReceiptLine[] = []
  if (records.length) {
    for (const t of receiptLineSources) {
      found.push(...(await t(db, ownerId, records)))
    }
  }
  return Map.groupBy(found, a => a.recordId)
}

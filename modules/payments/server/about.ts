import type { Fen } from '#kit/domain/money.ts'
import type { Db } from '#kit/server/db.ts'

/** What money of a record without bills was for: one line of its receipt. */
export interface About {
  readonly recordId: number
  readonly item: string
  readonly amount: Fen
  readonly gift?: Fen | undefined
  readonly after?: Fen | undefined
  readonly deducted?: Fen | undefined
  readonly back?: Fen | undefined
}

type Tell = (db: Db, owner: number, records: readonly number[]) => Promise<readonly About[]>
const told: Tell[] = []

/** A module that keeps such money in a ledger of its own says here what it was. */
export const declareAbout = (t: Tell): void => {
  told.push(t)
}

export async function receiptLinesOf(
  db: Db,
  owner: number,
  records: readonly number[],
): Promise<ReadonlyMap<number, About[]>> {
  const all: About[] = []
  if (records.length) {
    for (const t of told) {
      all.push(...(await t(db, owner, records)))
    }
  }
  return Map.groupBy(all, a => a.recordId)
}

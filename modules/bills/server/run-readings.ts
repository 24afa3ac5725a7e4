import type { Db, Tx } from '#kit/server/db.ts'
import type { Bound, Charged, Reading } from '#modules/fees/server/public.ts'

/** The readings of metered relations that wait for their bills (MTR-9). */
export const readingsOf = (_owner: number, _project: string, _standards: ReadonlyMap<number, Charged>) =>
  (_db: Db, _bounds: readonly Bound[]): Promise<ReadonlyMap<number, readonly Reading[]>> => Promise.resolve(new Map())
/** Readings that have their bills now. */
export const billed = (_tx: Tx, _owner: number, list: readonly { readonly readingId: number; readonly billId: number; readonly billNo: string }[]): Promise<void> => {
  if (list.length) throw new Error('no module takes bills of readings')
  return Promise.resolve()
}

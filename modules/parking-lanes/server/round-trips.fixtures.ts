import { castForTest } from '#kit/domain/fixtures.ts'
import type { Tx } from '#kit/server/db.ts'

/** The transaction, counting how often it waits for the database. */
export function countingRoundTrips(tx: Tx): { readonly tx: Tx; readonly roundTrips: () => number } {
  let inFlight = 0
  let count = 0
  const counted = <A extends readonly unknown[], R>(send: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      count += inFlight === 0 ? 1 : 0
      inFlight += 1
      return send(...args).finally(() => {
        inFlight -= 1
      })
    }
  }
  const counting = {
    ...tx,
    rows: counted(tx.rows),
    one: counted(tx.one),
    execute: counted(tx.execute),
    all: counted(tx.all),
  }
  return { tx: castForTest(counting), roundTrips: () => count }
}

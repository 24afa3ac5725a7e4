import type { Month } from '#kit/domain/month.ts'
import type { Db } from '#kit/server/db.ts'

type ClosedMonthsProvider = (
  db: Db,
  ownerId: number,
  project: string,
  months: readonly Month[],
) => Promise<Iterable<Month>>
const closedMonthsProviders: ClosedMonthsProvider[] = []

/**
 * Which months of an estate have been carried over: a bill that is brought for one of them no longer changes
 * what was reported of it (CLO-4).
 */
export const provideClosedMonths = (provider: ClosedMonthsProvider): void => {
  closedMonthsProviders.push(provider)
}

export async function findClosedMonths(
  db: Db,
  ownerId: number,
  project: string,
  months: readonly Month[],
): Promise<ReadonlySet<Month>> {
  const out = new Set<Month>()
  if (months.length) {
    for (const provider of closedMonthsProviders) {
      for (const m of await provider(db, ownerId, project, months)) {
        out.add(m)
      }
    }
  }
  return out
}

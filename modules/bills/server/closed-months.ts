import type { Id } from '#kit/domain/id.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Db } from '#kit/server/db.ts'

type ClosedMonthsProvider = (
  db: Db,
  ownerId: Id,
  project: string,
  months: readonly Month[],
) => Promise<Iterable<Month>>
const closedMonthsProviders: ClosedMonthsProvider[] = []

/**
 * Registers who knows the closed months of a project: a bill added to one of them no longer changes its
 * report (CLO-4).
 */
export const provideClosedMonths = (provider: ClosedMonthsProvider): void => {
  closedMonthsProviders.push(provider)
}

export async function findClosedMonths(
  db: Db,
  ownerId: Id,
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

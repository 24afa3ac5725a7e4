import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Db } from '#kit/server/db.ts'

/** How far the books of an estate are closed. */
export interface ClosedBooks {
  readonly lastClosedDay?: Day | undefined
  readonly lastClosedMonth?: Month | undefined
}

type ClosedBooksProvider = (
  db: Db,
  ownerId: Id,
  projects: readonly string[],
) => Promise<ReadonlyMap<string, ClosedBooks>>
const providers: ClosedBooksProvider[] = []

/** Registers who knows closed days or months: a change that is entered late may not reach behind them. */
export const provideClosedBooks = (provider: ClosedBooksProvider): void => {
  providers.push(provider)
}

/** How far the books of several estates are closed; an estate without an entry has never been closed. */
export async function findClosedBooks(
  db: Db,
  ownerId: Id,
  projects: readonly string[],
): Promise<ReadonlyMap<string, ClosedBooks>> {
  const known = await Promise.all(providers.map(provider => provider(db, ownerId, projects)))
  return new Map(
    projects.map(project => [
      project,
      known.reduce<ClosedBooks>((all, books) => ({ ...all, ...books.get(project) }), {}),
    ]),
  )
}

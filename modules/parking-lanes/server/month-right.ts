import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import { noRight, type MonthRight } from '../domain/month-right.ts'

/** The month rights of plates in a car park at a moment, by plate as it is kept. */
export type MonthRightLookup = (
  db: Db,
  ownerId: Id,
  projectCode: string,
  parkId: Id,
  plates: readonly string[],
  at: Moment,
) => Promise<ReadonlyMap<string, MonthRight>>

const nobodyHasOne: MonthRightLookup = async () => new Map()

let lookup: MonthRightLookup = nobodyHasOne

/** The owner of cars and groups says who has a right; until then every car is a temporary one. */
export const setMonthRightLookup = (next: MonthRightLookup = nobodyHasOne): void => {
  lookup = next
}

/** Whose right is not known has none. */
export async function findRights(
  db: Db,
  ownerId: Id,
  projectCode: string,
  parkId: Id,
  plates: readonly string[],
  at: Moment,
): Promise<(plate: string) => MonthRight> {
  const rights = await lookup(db, ownerId, projectCode, parkId, plates, at)
  return plate => rights.get(plate) ?? noRight
}

import { sql, type Store } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { places, type Place } from './generate.ground.ts'

/** The number of the golden company that tests bill in. */
export const goldenOwner = async (store: Store): Promise<number> =>
  (await store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId

/**
 * The golden world with its jobs at work: its first company's owner, and the rooms of an estate of his to be
 * charged.
 */
export async function openBilling(
  project: string,
): Promise<{ t: GoldenWorld; me: As; owner: number; rooms: Place[] }> {
  const t = await openGolden({ works: true })
  const owner = await goldenOwner(t.store)
  return {
    t,
    me: await t.as(golden.first.owner),
    owner,
    rooms: await places(t.store.reader(owner), owner, project),
  }
}

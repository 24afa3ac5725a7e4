import type { Id } from '#kit/domain/id.ts'
import { sql, type Database } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '../../../db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '../../../db/golden/golden-app.ts'
import { findSeededRooms, type SeededRoom } from './generate.fixtures.ts'

/** The number of the golden company that tests bill in. */
export const findGoldenOwner = async (database: Database): Promise<Id> =>
  (await database
    .reader('*')
    .one<{ ownerId: Id }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId

/**
 * The golden world with its jobs at work: its first company's owner, and the rooms of an estate of his to be
 * charged.
 */
export async function openBilling(
  project: string,
): Promise<{ t: GoldenApp; me: CallOptions; owner: Id; rooms: SeededRoom[] }> {
  const t = await openGoldenApp({ works: true })
  const owner = await findGoldenOwner(t.database)
  return {
    t,
    me: await t.signedInAs(golden.first.owner),
    owner,
    rooms: await findSeededRooms(t.database.reader(owner), owner, project),
  }
}

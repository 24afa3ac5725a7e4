import type { Id } from '#kit/domain/id.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { findSeededRooms, type SeededRoom } from './generate.fixtures.ts'

/**
 * The golden data with its jobs running: its first company's owner, and the rooms of one of that owner's
 * estates to be charged.
 */
export async function openBilling(
  project: string,
): Promise<{ t: GoldenApp; me: CallOptions; ownerId: Id; rooms: SeededRoom[] }> {
  const t = await openGoldenApp({ works: true })
  return {
    t,
    me: await t.signedInAs(golden.first.owner),
    ownerId: t.ownerId,
    rooms: await findSeededRooms(t.database.reader(t.ownerId), t.ownerId, project),
  }
}

import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Statement } from '#kit/server/db.ts'
import { groupIdsOfPlates } from '#modules/parking/server/public.ts'

/** One passage of a car park after the other, whichever its lane: until the end of the transaction. */
export const parkLockStatement = (ownerId: Id, parkId: RawBuilder<unknown>): Statement => sql`
  select pg_advisory_xact_lock(hashtextextended('parking-lanes/' || ${parkId}::text, ${ownerId}))::text
`

/** The cars of a group count together, though its car parks are several: after the lock of the car park. */
export const groupLockStatement = (
  ownerId: Id,
  projectCode: RawBuilder<unknown>,
  plates: readonly string[],
): Statement => sql`
  select pg_advisory_xact_lock(hashtextextended('parking-lanes/group/' || g.id, ${ownerId}))::text
  from (${groupIdsOfPlates(ownerId, projectCode, plates)}) as g
`

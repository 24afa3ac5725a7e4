import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import { liveStatement } from '#kit/server/live-publisher.ts'

export const laneTopic = 'parkLanes'

/** Tells open lane screens that something changed at a lane; sent with the commit, without a round trip. */
export const publishLanes = (tx: Tx, ownerId: Id): void =>
  tx.defer(liveStatement(ownerId, laneTopic, laneTopic))

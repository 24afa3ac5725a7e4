import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ParkLane } from '../contract/park-lane.ts'

/** Lanes that leave their booth: it is named otherwise, they go out of use or are deleted. */
export const [onLanesWithdrawn, publishLanesWithdrawn] =
  defineEvent<[tx: Tx, scope: Scope, lanes: readonly ParkLane[]]>()

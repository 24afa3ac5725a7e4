import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'

/** What somebody did with a stay by hand (PRK-8 to PRK-10). */
export interface StayHandled {
  readonly kind: 'free' | 'manual' | 'plate' | 'clear' | 'price'
  readonly stayId: Id
  readonly projectCode: string
  readonly parkId: Id
  readonly plateNo: string
  readonly laneId?: Id | undefined
  /** What was owed and not collected. */
  readonly waived: Fen
  /** The plate before it was corrected. */
  readonly oldPlate?: string | undefined
  readonly reason: string
}

/** In the transaction that does it. */
export const [onStayHandled, publishStayHandled] =
  defineEvent<[tx: Tx, scope: Scope, handled: readonly StayHandled[]]>()

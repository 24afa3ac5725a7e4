import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'

interface ReportedKeys {
  readonly ownerId: Id
  readonly deviceId: Id
  readonly projectCode: string
  readonly keys: readonly string[]
  /** ISO instant. */
  readonly time: string
}

/** A device has answered for some of its items: in the transaction that stores what it says (ACS-3). */
export const [onItemsReported, publishItemsReported] = defineEvent<[tx: Tx, reported: ReportedKeys]>()

import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'

export const noticeChannel = 'charger'

/** What processes tell each other about piles: one of them has the connection. */
export type HubNotice =
  | { readonly kind: 'start' | 'stop'; readonly orderId: Id }
  | { readonly kind: 'command'; readonly commandId: Id }
  /** Its key has changed or is gone. */
  | { readonly kind: 'key' }
  | { readonly kind: 'connected'; readonly connectionKey: string }

export type AddressedNotice = HubNotice & { readonly ownerId: Id; readonly hubId: Id }

/** With the commit, to every process, this one included. */
export const notifyHub = (tx: Tx, hubId: Id, notice: HubNotice): void => {
  tx.defer(
    sql`select pg_notify(${noticeChannel}, ${JSON.stringify({ ownerId: tx.ownerId, hubId, ...notice })})`,
  )
}

import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { HubConnection } from './connections.ts'
import { notifyHub } from './hub-notice.ts'
import type { OcppRequests } from './schemas.ts'

/** Seconds after which a pile says that it is there. */
export const heartbeatSeconds = 60

/** Written down no more often than this. */
const seenEveryMs = 20_000

const publish = (app: App, ownerId: Id): void => app.live.publish(ownerId, { topic: 'chargers' }, 'chargers')

/** The pile is here from now on; another process gives up the connection that it had. */
export async function markConnected(app: App, connection: HubConnection): Promise<void> {
  const { ownerId, hubId, connectionKey } = connection
  await app.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      update charger_hub
      set is_online = true, run_connection_key = ${connectionKey}, last_seen = ${fromInstant(app.clock())}
      where owner_id = ${ownerId} and id = ${hubId}
    `)
    notifyHub(tx, hubId, { kind: 'connected', connectionKey })
  })
  connection.seenAt = app.clock()
  publish(app, ownerId)
}

/** Unless it has connected elsewhere since. */
export async function markLost(app: App, connection: HubConnection): Promise<void> {
  const { ownerId, hubId, connectionKey } = connection
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update charger_hub
      set is_online = false, last_seen = ${fromInstant(app.clock())}
      where owner_id = ${ownerId} and id = ${hubId} and run_connection_key = ${connectionKey}
    `),
  )
  publish(app, ownerId)
}

export async function markSeen(app: App, connection: HubConnection): Promise<void> {
  const now = app.clock()
  if (now - connection.seenAt < seenEveryMs) return
  connection.seenAt = now
  const { ownerId, hubId, connectionKey } = connection
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update charger_hub
      set is_online = true, last_seen = ${fromInstant(now)}
      where owner_id = ${ownerId} and id = ${hubId} and run_connection_key = ${connectionKey}
    `),
  )
}

export const markBooted = (
  app: App,
  { ownerId, hubId }: HubConnection,
  { chargePointVendor, chargePointModel, firmwareVersion }: OcppRequests['BootNotification'],
): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update charger_hub
      set vendor = ${chargePointVendor}, model = ${chargePointModel}, firmware = ${firmwareVersion ?? null}
      where owner_id = ${ownerId} and id = ${hubId}
    `),
  )

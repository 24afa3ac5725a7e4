import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { offlineAfterMs } from '../contract/agent-protocol.ts'
import { openFaults } from './fault.ts'

interface LostGateway {
  readonly id: Id
  readonly projectCode: string
  readonly name: string
}

/**
 * The devices behind a gateway that is silent: nobody knows of them, and they were heard last when it was.
 * Their faults are the gateway's.
 */
export const markDevicesOffline = (tx: Tx, ownerId: Id, gatewayIds: readonly Id[]): Promise<number> =>
  tx.execute(sql`
    update device t
    set is_online = false, last_beat = greatest(t.last_beat, g.last_beat)
    from gateway g
    where t.owner_id = ${ownerId}
      and t.gateway_id = any(${[...gatewayIds]}::bigint[])
      and t.is_online
      and g.owner_id = ${ownerId}
      and g.id = t.gateway_id
  `)

/**
 * Gateways without a beat for 45 s are offline, whatever process had them and whether it lives. Every process
 * looks; one finds the rows.
 */
export async function sweepOffline(app: App): Promise<void> {
  const now = new Date(app.clock())
  const isLost = sql`is_online and last_beat < ${new Date(app.clock() - offlineAfterMs)}`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from gateway where ${isLost}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const lost = await tx.rows<LostGateway>(sql`
      update gateway
      set is_online = false
      where owner_id = ${ownerId} and ${isLost}
      returning id, project_code, name
    `)
    if (!lost.length) return
    await markDevicesOffline(
      tx,
      ownerId,
      lost.map(({ id }) => id),
    )
    await openFaults(
      tx,
      ownerId,
      now,
      lost.map(({ id, projectCode, name }) => ({
        gatewayId: id,
        deviceId: 0,
        kind: 'offline',
        level: 'critical',
        projectCode,
        title: `网关「${name}」离线`,
      })),
    )
    app.live.publishOnCommit(tx, ownerId, { topic: 'devices' }, 'devices')
  })
}

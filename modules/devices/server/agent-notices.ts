import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { agentClose } from '../contract/agent-protocol.ts'
import {
  closeAgent,
  hubOf,
  sendToAgent,
  type AddressedNotice,
  type AgentConnection,
  type DeviceHub,
} from './device-hub.ts'
import { toBeConfirmed } from './beat.ts'
import { configMarkOf, loadDeviceConfigs, versionsOf } from './gateway-sign-in.ts'
import { dispatchItems } from './item-dispatch.ts'
import { dispatchTasks } from './task-dispatch.ts'
import type { App } from '#kit/server/app.ts'

/**
 * Tells the agent what it drives now, where it knows otherwise; devices that are new have reported nothing
 * yet. One that has changed may be another box, or have been at another gateway in between.
 */
async function sendDevices(hub: DeviceHub, connection: AgentConnection): Promise<void> {
  const { ownerId, gatewayId } = connection
  const configs = await loadDeviceConfigs(hub.app.database.reader(ownerId), ownerId, gatewayId)
  const mark = configMarkOf(configs)
  if (mark === connection.configMark) return
  connection.configMark = mark
  const { devices, deviceVersions } = connection
  connection.devices = new Map(
    configs.map(({ id, version }) => {
      const state = devices.get(id)
      return [id, state && deviceVersions.get(id) !== version ? toBeConfirmed(state) : state]
    }),
  )
  connection.deviceVersions = versionsOf(configs)
  sendToAgent(connection, { kind: 'devices', devices: configs })
}

interface PresentConnection {
  readonly id: Id
  readonly connectionKey?: string
  readonly keyId?: string
}

/** Ends connections whose key is gone, or whose gateway has reconnected elsewhere. */
async function endPastConnections(hub: DeviceHub, connections: readonly AgentConnection[]): Promise<void> {
  for (const [ownerId, own] of Map.groupBy(connections, connection => connection.ownerId)) {
    const rows = await hub.app.database.reader(ownerId).rows<PresentConnection>(sql`
      select t.id, t.run_connection_key as connection_key, k.key_id
      from gateway t
      left join gateway_key k on k.owner_id = ${ownerId} and k.gateway_id = t.id
      where t.owner_id = ${ownerId} and t.id = any(${own.map(({ gatewayId }) => gatewayId)}::bigint[])
    `)
    const present = new Map(rows.map(row => [row.id, row]))
    for (const connection of own) {
      const row = present.get(connection.gatewayId)
      if (row?.keyId !== connection.keyId) {
        closeAgent(connection, agentClose.refused, 'key revoked')
      } else if (row.connectionKey !== connection.connectionKey) {
        closeAgent(connection, agentClose.replaced, 'connected anew')
      }
    }
  }
}

async function handleNotice(
  hub: DeviceHub,
  connection: AgentConnection,
  notice: AddressedNotice,
): Promise<void> {
  const { app } = hub
  switch (notice.kind) {
    case 'tasks':
      if (notice.sentBy === hub.key) return
      return hub.run(connection, 'tasks', each => dispatchTasks(app, each))
    case 'items':
      return hub.run(connection, 'items', each => dispatchItems(app, each))
    case 'devices':
      return hub.run(connection, 'devices', each => sendDevices(hub, each))
    case 'cancel':
      sendToAgent(connection, { kind: 'cancel', taskId: notice.taskId })
      return
    case 'revoked':
      return endPastConnections(hub, [connection])
    case 'connected':
      if (notice.connectionKey !== connection.connectionKey) {
        await endPastConnections(hub, [connection])
      }
      return
    case 'ended':
  }
}

/** What may have changed between the sign-in and the first notice that this connection could hear. */
export async function verifyConnection(app: App, connection: AgentConnection): Promise<void> {
  const hub = hubOf(app)
  await endPastConnections(hub, [connection])
  await hub.run(connection, 'devices', each => sendDevices(hub, each))
  await hub.run(connection, 'tasks', each => dispatchTasks(app, each))
}

/** Notices that were missed: their content is looked up. */
async function catchUp(hub: DeviceHub): Promise<void> {
  await endPastConnections(hub, hub.all())
  for (const connection of hub.all()) {
    await hub.run(connection, 'devices', each => sendDevices(hub, each))
    await hub.run(connection, 'tasks', each => dispatchTasks(hub.app, each))
    await hub.run(connection, 'items', each => dispatchItems(hub.app, each))
  }
}

/** Hears what other processes, and this one, have for the agents that are connected here. */
export async function listenToNotices(app: App): Promise<void> {
  const hub = hubOf(app)
  const report = (err: unknown): void => app.log.warn({ err }, 'notice for a gateway not handled')
  await hub.listen(
    notice => {
      const connection = hub.find(notice.ownerId, notice.gatewayId)
      if (connection) {
        handleNotice(hub, connection, notice).catch(report)
      }
    },
    () => {
      catchUp(hub).catch(report)
    },
  )
}

import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import type { DesiredItem } from '../contract/agent-protocol.ts'
import { itemAction, itemState } from '../contract/choices.ts'
import { itemAnswerMs } from '../domain/device-item.ts'
import { sendToAgent, type AgentConnection, type DeviceHub } from './device-hub.ts'
import { linkedData } from './item-link.ts'

const batchSize = 500
/** Below what one message may hold, with room for the rest of it. */
const maxItemsBytes = 800_000

interface DueItem {
  readonly deviceId: Id
  readonly itemKey: string
  readonly itemVersion: number
  readonly action: number
  readonly runData?: Readonly<Record<string, unknown>>
}

const desiredItemOf = (
  app: App,
  ownerId: Id,
  { itemKey, itemVersion, action, runData }: DueItem,
): DesiredItem => ({
  key: itemKey,
  version: itemVersion,
  action: defined(keyOf(itemAction, action)),
  ...(runData === undefined ? {} : { data: linkedData(app, ownerId, runData) }),
})

/** Messages of one device, each within the limit. */
function messagesOf(items: readonly DesiredItem[]): DesiredItem[][] {
  const messages: DesiredItem[][] = []
  let current: DesiredItem[] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item))
    if (current.length && bytes + size > maxItemsBytes) {
      messages.push(current)
      current = []
      bytes = 0
    }
    current.push(item)
    bytes += size
  }
  return current.length ? [...messages, current] : messages
}

/** What is due for these devices; it is due again after a while, unless the device answers. */
const takeDueItems = (app: App, ownerId: Id, deviceIds: readonly Id[], dueBefore: Date): Promise<DueItem[]> =>
  app.database.tx(ownerId, tx =>
    tx.rows<DueItem>(sql`
      update device_item
      set next_time = ${new Date(app.clock() + itemAnswerMs)}
      where owner_id = ${ownerId}
        and id = any(array(
          select id
          from device_item
          where owner_id = ${ownerId}
            and device_id = any(${[...deviceIds]}::bigint[])
            and state in ${codes(itemState, 'waiting', 'failed', 'removing')}
            and next_time <= ${dueBefore}
          order by device_id, id
          limit ${batchSize}
          for update skip locked
        ))
      returning device_id, item_key, item_version, action, run_data
    `),
  )

/** What failed or was sent on another connection is due now. */
const forgetBackoff = (app: App, ownerId: Id, deviceIds: readonly Id[]): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update device_item
      set next_time = ${new Date(app.clock())}
      where owner_id = ${ownerId}
        and device_id = any(${[...deviceIds]}::bigint[])
        and state in ${codes(itemState, 'waiting', 'failed', 'removing')}
        and next_time > ${new Date(app.clock())}
    `),
  )

const onlineDevices = ({ devices }: AgentConnection): Id[] =>
  [...devices].flatMap(([id, state]) => (state?.isOnline ? [id] : []))

/**
 * Sends what the gateway's devices have to hold and do not (ACS-3): to those that are online, the others keep
 * waiting. `ignoresBackoff` at a new connection: what failed is tried again at once.
 */
export async function dispatchItems(
  app: App,
  connection: AgentConnection,
  { ignoresBackoff = false }: { readonly ignoresBackoff?: boolean } = {},
): Promise<void> {
  const deviceIds = onlineDevices(connection)
  if (!deviceIds.length) return
  if (ignoresBackoff) {
    await forgetBackoff(app, connection.ownerId, deviceIds)
  }
  for (;;) {
    const due = await takeDueItems(app, connection.ownerId, deviceIds, new Date(app.clock()))
    for (const [deviceId, items] of Map.groupBy(due, item => item.deviceId)) {
      const desired = items.map(item => desiredItemOf(app, connection.ownerId, item))
      for (const message of messagesOf(desired)) {
        sendToAgent(connection, { kind: 'desired', deviceId, items: message })
      }
    }
    if (due.length < batchSize || connection.isClosed) return
  }
}

/** What is due again, of the gateways of this process. */
export async function retryItems(hub: DeviceHub): Promise<void> {
  const { app } = hub
  const now = new Date(app.clock())
  for (const [ownerId, connections] of Map.groupBy(hub.all(), connection => connection.ownerId)) {
    const deviceIds = connections.flatMap(onlineDevices)
    const due = await app.database.reader(ownerId).rows<{ deviceId: Id }>(sql`
      select distinct device_id
      from device_item
      where owner_id = ${ownerId}
        and device_id = any(${deviceIds}::bigint[])
        and state in ${codes(itemState, 'waiting', 'failed', 'removing')}
        and next_time <= ${now}
    `)
    const dueIds = new Set(due.map(row => row.deviceId))
    for (const connection of connections) {
      if ([...connection.devices.keys()].some(id => dueIds.has(id))) {
        hub.start(connection, 'items', each => dispatchItems(app, each))
      }
    }
  }
}

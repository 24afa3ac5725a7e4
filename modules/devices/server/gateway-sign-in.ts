import { createHash, randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { findEntry } from '#kit/server/directory.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { AgentMessage, DeviceConfig } from '../contract/agent-protocol.ts'
import { deviceState, gatewayState } from '../contract/choices.ts'
import { notifyAgent } from './device-hub.ts'
import { closeFaults } from './fault.ts'
import { findGatewayKey, hasKey, isSignedBy } from './gateway-key.ts'

type Hello = Extract<AgentMessage, { kind: 'hello' }>

export interface SignedInGateway {
  readonly ownerId: Id
  readonly gatewayId: Id
  readonly projectCode: string
  readonly gateNo: string
  readonly name: string
  readonly keyId: string
  readonly connectionKey: string
  readonly ackedSeq: number
  readonly devices: readonly DeviceConfig[]
}

interface ConfigRow {
  readonly id: Id
  readonly devNo: string
  readonly driver: string
  readonly address?: string
  readonly settings?: readonly { readonly key: string; readonly value: string }[]
  readonly version: number
}

/** The devices of a gateway as its agent drives them: those in use. */
export async function loadDeviceConfigs(db: Db, ownerId: Id, gatewayId: Id): Promise<DeviceConfig[]> {
  const rows = await db.rows<ConfigRow>(sql`
    select t.id, t.dev_no, m.driver, t.address, t.settings, t.version
    from device t
    join device_model m on m.owner_id = ${ownerId} and m.id = t.model_id
    where t.owner_id = ${ownerId}
      and t.gateway_id = ${gatewayId}
      and t.state not in ${codes(deviceState, 'disabled', 'scrapped')}
      and ${notDeleted('t')}
    order by t.id
  `)
  return rows.map(({ address = '', settings = [], ...row }) => ({
    ...row,
    address,
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
  }))
}

export const versionsOf = (configs: readonly DeviceConfig[]): ReadonlyMap<Id, number> =>
  new Map(configs.map(({ id, version }) => [id, version]))

/** Tells two sets of configurations apart, in few bytes. */
export const configMarkOf = (configs: readonly DeviceConfig[]): string =>
  createHash('sha1').update(JSON.stringify(configs)).digest('base64')

/** Marks the gateway as connected here; nothing where its key has been deleted since. */
const markConnected = (
  app: App,
  holder: { readonly ownerId: Id; readonly gatewayId: Id; readonly keyId: string },
  hello: Hello,
  ip: string,
): Promise<Omit<SignedInGateway, 'ackedSeq' | 'devices' | keyof typeof holder> | undefined> =>
  app.database.tx(holder.ownerId, async tx => {
    const now = new Date(app.clock())
    const connectionKey = randomBytes(15).toString('base64url')
    const row = await tx.one<{ projectCode: string; gateNo: string; name: string }>(sql`
      update gateway t
      set is_online = true, last_beat = ${now}, connect_time = ${now}, address = ${ip},
        host_name = ${hello.hostName}, platform = ${hello.platform}, agent_version = ${hello.version},
        allowed = ${[...hello.allowed]}::text[], drivers = ${[...hello.drivers]}::text[],
        clock_offset = ${Date.parse(hello.clock) - now.getTime()}, run_connection_key = ${connectionKey}
      where t.owner_id = ${holder.ownerId}
        and t.id = ${holder.gatewayId}
        and t.state = ${code(gatewayState, 'paired')}
        and ${notDeleted('t')}
        and ${hasKey(holder)}
      returning t.project_code, t.gate_no, t.name
    `)
    if (!row) return undefined
    const target = { gatewayId: holder.gatewayId, deviceId: 0 } as const
    await closeFaults(tx, holder.ownerId, now, [
      { ...target, kind: 'offline' },
      { ...target, kind: 'driver' },
    ])
    notifyAgent(tx, holder.gatewayId, { kind: 'connected', connectionKey })
    app.live.publishOnCommit(tx, holder.ownerId, { topic: 'devices' }, 'devices')
    return { ...row, connectionKey }
  })

/** Who an agent is, by its signature of the challenge; nothing for a stranger. */
export async function signInGateway(
  app: App,
  hello: Hello,
  nonce: string,
  ip: string,
): Promise<SignedInGateway | undefined> {
  const entry = await findEntry(app.database.reader('*'), 'gateway_key', hello.keyId)
  if (!entry) return undefined
  const { ownerId, refId: gatewayId } = entry
  const db = app.database.reader(ownerId)
  const key = await findGatewayKey(db, ownerId, gatewayId)
  if (key?.keyId !== hello.keyId || !isSignedBy(key.publicKey, nonce, hello.signature)) return undefined
  const holder = { ownerId, gatewayId, keyId: key.keyId }
  const connected = await markConnected(app, holder, hello, ip)
  if (!connected) return undefined
  // Read after the connection is marked: from then on no other process takes this agent's events.
  const current = await findGatewayKey(db, ownerId, gatewayId)
  const devices = await loadDeviceConfigs(db, ownerId, gatewayId)
  return { ...holder, ...connected, ackedSeq: current?.lastSeq ?? 0, devices }
}

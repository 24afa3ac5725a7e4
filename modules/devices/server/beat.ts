import type { Id } from '#kit/domain/id.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import type { AgentMessage } from '../contract/agent-protocol.ts'
import { faultKind, faultState } from '../contract/choices.ts'
import { beatFaults } from '../domain/health.ts'
import { sendToAgent, sentNow, type AgentConnection, type DeviceBeat, type DeviceHub } from './device-hub.ts'
import { closeFaults, openFaults, type FaultKey, type NewFault } from './fault.ts'
import { dispatchItems } from './item-dispatch.ts'
import { isRetryable } from './message-failure.ts'

type Beat = Extract<AgentMessage, { kind: 'beat' }>

/** One object for each state that devices are in: twenty thousand of them are in a handful. */
const knownStates = new Map<string, DeviceBeat>()
const maxKnownStates = 10_000

function deviceBeatOf(isOnline: boolean, kernelVersion: string | undefined): DeviceBeat {
  const key = `${isOnline} ${kernelVersion ?? ''}`
  const known = knownStates.get(key)
  if (known) return known
  if (knownStates.size >= maxKnownStates) {
    knownStates.clear()
  }
  const state = { isOnline, kernelVersion }
  knownStates.set(key, state)
  return state
}

/** A new object, unequal to every stored one: the next beat reports the device in any case. */
export const toBeConfirmed = ({ isOnline }: DeviceBeat): DeviceBeat => ({
  isOnline,
  kernelVersion: undefined,
})

/** Answers at once; what the beat says is written a little later, that of all gateways together. */
export function handleBeat(hub: DeviceHub, connection: AgentConnection, beat: Beat): void {
  const now = hub.app.clock()
  sendToAgent(connection, { kind: 'beatAck', clock: new Date(now).toISOString(), sentMs: sentNow() })
  connection.clockOffset = Date.parse(beat.clock) - now
  connection.lastBeat = {
    clockOffset: connection.clockOffset,
    bufferedEvents: beat.bufferedEvents,
    freeBytes: beat.freeBytes,
  }
  for (const { id, isOnline, kernelVersion } of beat.devices) {
    const state = deviceBeatOf(isOnline, kernelVersion)
    if (connection.devices.has(id) && connection.devices.get(id) !== state) {
      connection.devices.set(id, state)
      connection.changedDevices.set(id, state)
    }
  }
  hub.pendingBeats.add(connection)
}

/** A gateway's beat as it is about to be written. */
interface PendingBeat {
  readonly connection: AgentConnection
  readonly changed: ReadonlyMap<Id, DeviceBeat>
  readonly isFirst: boolean
}

const takeBeat = (connection: AgentConnection): PendingBeat => {
  const changed = connection.changedDevices
  connection.changedDevices = new Map()
  return { connection, changed, isFirst: connection.faults === undefined }
}

/** Beats that could not be written stay to be. */
function returnBeat(hub: DeviceHub, { connection, changed }: PendingBeat): void {
  if (connection.isClosed) return
  connection.changedDevices = new Map([...changed, ...connection.changedDevices])
  hub.pendingBeats.add(connection)
}

/** Returns the gateways that had been taken for offline while they were connected. */
async function writeGateways(
  tx: Tx,
  ownerId: Id,
  now: Date,
  beats: readonly PendingBeat[],
): Promise<ReadonlySet<Id>> {
  const rows = beats.flatMap(({ connection }) =>
    connection.lastBeat ? [{ connection, ...connection.lastBeat }] : [],
  )
  const ids = rows.map(row => row.connection.gatewayId)
  const back = await tx.rows<{ id: Id }>(sql`
    select id
    from gateway
    where owner_id = ${ownerId} and id = any(${ids}::bigint[]) and not is_online
  `)
  await tx.execute(sql`
    update gateway t
    set is_online = true, last_beat = ${now}, clock_offset = r.clock_offset,
      buffered_events = least(r.buffered_events, 2147483647), free_bytes = r.free_bytes
    from unnest(
      ${sqlArray('bigint', ids)}, ${sqlArray(
        'text',
        rows.map(row => row.connection.connectionKey),
      )},
      ${sqlArray(
        'bigint',
        rows.map(row => Math.round(row.clockOffset)),
      )},
      ${sqlArray(
        'bigint',
        rows.map(row => row.bufferedEvents),
      )},
      ${sqlArray(
        'bigint',
        rows.map(row => row.freeBytes),
      )}
    ) as r(id, connection_key, clock_offset, buffered_events, free_bytes)
    where t.owner_id = ${ownerId} and t.id = r.id and t.run_connection_key = r.connection_key
  `)
  await closeFaults(
    tx,
    ownerId,
    now,
    back.map(({ id }) => ({ gatewayId: id, deviceId: 0, kind: 'offline' })),
  )
  return new Set(back.map(({ id }) => id))
}

/** Every device whose state a beat has reported. */
const allDevices = ({ devices }: AgentConnection): [Id, DeviceBeat][] =>
  [...devices].flatMap(([id, state]) => (state ? [[id, state]] : []))

interface ChangedDevice {
  readonly id: Id
  readonly gatewayId: Id
  readonly projectCode: string
  readonly name: string
  readonly isOnline: boolean
}

/** A device that does not answer is a fault until it does. */
async function writeDeviceFaults(
  tx: Tx,
  ownerId: Id,
  now: Date,
  changed: readonly ChangedDevice[],
): Promise<void> {
  const keyOf = ({ id, gatewayId }: ChangedDevice): FaultKey => ({ gatewayId, deviceId: id, kind: 'offline' })
  const faultOf = (row: ChangedDevice): NewFault => ({
    ...keyOf(row),
    projectCode: row.projectCode,
    level: 'major',
    title: `设备「${row.name}」离线`,
  })
  await closeFaults(tx, ownerId, now, changed.filter(row => row.isOnline).map(keyOf))
  await openFaults(tx, ownerId, now, changed.filter(row => !row.isOnline).map(faultOf))
}

/**
 * What has changed; of a gateway that is back, everything: also where it is known to be offline, but not as a
 * fault, as the silence of its gateway was none of its own.
 */
async function writeDevices(
  tx: Tx,
  ownerId: Id,
  now: Date,
  beats: readonly PendingBeat[],
  back: ReadonlySet<Id>,
): Promise<void> {
  const rows = beats.flatMap(({ connection, changed }) =>
    (back.has(connection.gatewayId) ? allDevices(connection) : [...changed]).map(([id, state]) => ({
      id,
      gatewayId: connection.gatewayId,
      ...state,
    })),
  )
  if (!rows.length) return
  const ids = rows.map(row => row.id)
  const gatewayIds = rows.map(row => row.gatewayId)
  const online = rows.map(row => row.isOnline)
  const versions = rows.map(row => row.kernelVersion ?? null)
  const changed = await tx.rows<ChangedDevice>(sql`
    update device t
    set is_online = r.is_online, last_beat = ${now}, kernel_version = coalesce(r.kernel_version, t.kernel_version)
    from unnest(
      ${sqlArray('bigint', ids)}, ${sqlArray('bigint', gatewayIds)},
      ${sqlArray('boolean', online)},
      ${sqlArray('text', versions)}
    ) as r(id, gateway_id, is_online, kernel_version)
    where t.owner_id = ${ownerId}
      and t.id = r.id
      and t.gateway_id = r.gateway_id
      and (
        t.is_online <> r.is_online
        or r.kernel_version is distinct from t.kernel_version
        or t.last_beat is null
        or r.is_online = exists (
          select 1
          from device_fault f
          where f.owner_id = ${ownerId}
            and f.device_id = t.id
            and f.kind = ${code(faultKind, 'offline')}
            and f.state = ${code(faultState, 'open')}
        )
      )
    returning t.id, t.gateway_id, t.project_code, t.name, t.is_online
  `)
  await writeDeviceFaults(tx, ownerId, now, changed)
}

/** Faults that beats tell: opened and closed where they differ from the last beat. */
async function writeBeatFaults(tx: Tx, ownerId: Id, now: Date, beats: readonly PendingBeat[]): Promise<void> {
  const opened: NewFault[] = []
  const closed: FaultKey[] = []
  for (const { connection } of beats) {
    const { lastBeat, gatewayId, projectCode, faults } = connection
    if (!lastBeat) continue
    const found = beatFaults(lastBeat)
    for (const kind of keysOfRecord(found)) {
      const fault = found[kind]
      const key = { gatewayId, deviceId: 0, kind } as const
      if (fault && !faults?.has(kind)) {
        opened.push({ ...key, projectCode, ...fault })
      } else if (!fault && (faults === undefined || faults.has(kind))) {
        closed.push(key)
      }
    }
  }
  await closeFaults(tx, ownerId, now, closed)
  await openFaults(tx, ownerId, now, opened)
}

const openKinds = ({ lastBeat }: AgentConnection): ReadonlySet<string> => {
  const found = lastBeat ? beatFaults(lastBeat) : undefined
  return new Set(found ? keysOfRecord(found).filter(kind => found[kind]) : [])
}

async function writeBeats(hub: DeviceHub, ownerId: Id, beats: readonly PendingBeat[]): Promise<void> {
  const { app } = hub
  const now = new Date(app.clock())
  await app.database.tx(ownerId, async tx => {
    const back = await writeGateways(tx, ownerId, now, beats)
    await writeDevices(tx, ownerId, now, beats, back)
    await writeBeatFaults(tx, ownerId, now, beats)
    if (beats.some(({ changed }) => changed.size)) {
      app.live.publishOnCommit(tx, ownerId, { topic: 'devices' }, 'devices')
    }
  })
  for (const { connection } of beats) {
    connection.faults = openKinds(connection)
  }
  await Promise.all(beats.map(beat => sendItems(hub, beat)))
}

/** A device that is there now gets what it has to hold. */
async function sendItems(hub: DeviceHub, { connection, changed, isFirst }: PendingBeat): Promise<void> {
  if (![...changed.values()].some(state => state.isOnline)) return
  await hub.run(connection, 'items', each => dispatchItems(hub.app, each, { ignoresBackoff: isFirst }))
}

/**
 * Beats of a company, together; where one of them is at fault, each gateway's for itself, so that the others
 * do not seem to be away.
 */
async function writeOrReturn(hub: DeviceHub, ownerId: Id, beats: readonly PendingBeat[]): Promise<void> {
  try {
    await writeBeats(hub, ownerId, beats)
  } catch (err) {
    const gateway = beats.length === 1 ? beats[0]?.connection.gatewayId : undefined
    hub.app.log.warn({ err, ownerId, gateway }, 'beats not written')
    if (isRetryable(err)) {
      beats.forEach(beat => returnBeat(hub, beat))
    } else if (beats.length > 1) {
      for (const beat of beats) {
        await writeOrReturn(hub, ownerId, [beat])
      }
    }
  }
}

/** Writes what the beats since the last time have reported, one company after the other. */
export async function flushBeats(hub: DeviceHub): Promise<void> {
  const taken = [...hub.pendingBeats].map(takeBeat)
  hub.pendingBeats.clear()
  for (const [ownerId, beats] of Map.groupBy(taken, ({ connection }) => connection.ownerId)) {
    await writeOrReturn(hub, ownerId, beats)
  }
}

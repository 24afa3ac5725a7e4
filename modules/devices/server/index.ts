import { joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { forEachDueCompany, removeEntries } from '#kit/server/directory.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import type { Id } from '#kit/domain/id.ts'
import type { PublicArea } from '#modules/estates/contract/public-area.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { heartbeatMs } from '../contract/agent-protocol.ts'
import type { Device } from '../contract/device.ts'
import type { DeviceModel } from '../contract/device-model.ts'
import type { Gateway } from '../contract/gateway.ts'
import { agentEndpoint } from './agent-endpoint.ts'
import { listenToNotices } from './agent-notices.ts'
import { flushBeats } from './beat.ts'
import { deviceEventHandlers, deviceEventServer } from './device-event.ts'
import { deviceFaultServer, deviceHealthHandlers } from './device-health.ts'
import { hubOf } from './device-hub.ts'
import { deviceItemServer } from './device-item.ts'
import { deviceLookupHandlers } from './device-lookup.ts'
import { deviceModelServer } from './device-model.ts'
import { deviceSecurityHandlers } from './device-security.ts'
import { deviceHandlers, deviceServer } from './device.ts'
import { gatewayHandlers, gatewayServer } from './gateway.ts'
import { retryItems } from './item-dispatch.ts'
import { remoteCommandMessage, taskResultLoader } from './live-commands.ts'
import { sweepOffline } from './offline.ts'
import './own-events.ts'
import { pairingEndpoint } from './pairing.ts'
import { remoteTaskHandlers, remoteTaskServer } from './remote-task.ts'
import { sweepTimeouts } from './task-timeout.ts'
import { checkWatchdogs, watchdogServer } from './watchdog.ts'

// BASE-5
registerDependentRows(
  'estate',
  { label: '网关', table: 'gateway', where: (e: Estate) => sql`project_code = ${e.projectCode}` },
  { label: '设备', table: 'device', where: (e: Estate) => sql`project_code = ${e.projectCode}` },
)
registerDependentRows('building', {
  label: '设备',
  table: 'device',
  where: (b: Building) => sql`project_code = ${b.projectCode} and build_code = ${b.code}`,
})
registerDependentRows('publicArea', {
  label: '设备',
  table: 'device',
  where: (a: PublicArea) => sql`area_id = ${a.id}`,
})
registerDependentRows(
  'gateway',
  { label: '设备', table: 'device', where: (g: Gateway) => sql`gateway_id = ${g.id}` },
  { label: '看门狗', table: 'watchdog', where: (g: Gateway) => sql`target_gateway_id = ${g.id}` },
)
registerDependentRows('deviceModel', {
  label: '设备',
  table: 'device',
  where: (m: DeviceModel) => sql`model_id = ${m.id}`,
})
registerDependentRows('device', {
  label: '看门狗',
  table: 'watchdog',
  where: (d: Device) => sql`device_id = ${d.id} or target_device_id = ${d.id}`,
})

const intervals = [
  defineInterval({ name: 'gateway-beats', everyMs: heartbeatMs / 3, run: app => flushBeats(hubOf(app)) }),
  defineInterval({ name: 'gateways-offline', everyMs: heartbeatMs / 3, run: sweepOffline }),
  defineInterval({ name: 'remote-task-timeouts', everyMs: 2_000, run: sweepTimeouts }),
  defineInterval({ name: 'device-items', everyMs: 10_000, run: app => retryItems(hubOf(app)) }),
  defineInterval({ name: 'watchdogs', everyMs: 5_000, run: checkWatchdogs }),
]

const expiredCodes = defineCron({
  name: 'gateway-codes',
  schedule: '15 * * * *',
  run: async app => {
    const isExpired = sql`expire_time < ${new Date(app.clock())}`
    const due = sql<{ ownerId: Id }>`select distinct owner_id from gateway_pairing where ${isExpired}`
    await forEachDueCompany(app.database, due, async (tx, ownerId) => {
      const expired = await tx.rows<{ gatewayId: Id }>(sql`
        delete from gateway_pairing where owner_id = ${ownerId} and ${isExpired} returning gateway_id
      `)
      await removeEntries(
        tx,
        'gateway_code',
        ownerId,
        expired.map(row => row.gatewayId),
      )
    })
  },
})

export const server: ServerModule = {
  ...joinServers(
    gatewayServer,
    deviceModelServer,
    deviceServer,
    remoteTaskServer,
    deviceEventServer,
    deviceItemServer,
    deviceFaultServer,
    watchdogServer,
    {
      handlers: [
        ...gatewayHandlers,
        ...deviceHandlers,
        ...deviceLookupHandlers,
        ...remoteTaskHandlers,
        ...deviceEventHandlers,
        ...deviceHealthHandlers,
        ...deviceSecurityHandlers,
      ],
      crons: [expiredCodes],
      intervals,
    },
  ),
  rawEndpoints: [pairingEndpoint],
  sockets: [agentEndpoint],
  liveCalls: [remoteCommandMessage],
  liveLoaders: [taskResultLoader],
  monthlyTables: ['device_event'],
  onStart: listenToNotices,
}

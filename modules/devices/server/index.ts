import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany, removeEntries } from '#kit/server/directory.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import type { Id } from '#kit/domain/id.ts'
import { heartbeatMs } from '../contract/agent-protocol.ts'
import { agentEndpoint } from './agent-endpoint.ts'
import { listenToNotices } from './agent-notices.ts'
import { flushBeats } from './beat.ts'
import './dependents.ts'
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
import { flushReceived } from './task-result.ts'
import { sweepTimeouts } from './task-timeout.ts'
import { checkWatchdogs, watchdogServer } from './watchdog.ts'
import { companyData } from './company-data.ts'

const intervals = [
  defineInterval({ name: 'received-tasks', everyMs: 250, run: app => flushReceived(hubOf(app)) }),
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
  companyData,
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

import { labelOf } from '#kit/contract/field.ts'
import { agentEvents, deviceEvents } from '../contract/agent-commands.ts'
import { faultKind } from '../contract/choices.ts'
import type { FaultLevel } from '../domain/health.ts'
import { onDeviceEvent, type DeviceEventContext } from './event-handler.ts'
import { closeFaults, openFaults } from './fault.ts'
import { resendItems } from './item-set.ts'

/** What any driver may send of its device's own condition. */
export const conditionEvents = { fault: 'fault', faultCleared: 'faultCleared' } as const

const levels: Readonly<Record<string, FaultLevel>> = {
  '1': 'critical',
  '2': 'major',
  '3': 'minor',
  '4': 'warning',
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** DEV-2: what tells faults of one device apart, as its driver says it. Nothing where it names none. */
const faultCodeOf = ({ code, title }: DeviceEventContext['event']['data']): { readonly code?: string } => {
  const name = textOf(code) || textOf(title)
  return name ? { code: name } : {}
}

/** A driver is a fault for itself: one that runs again does not end the stop of another. */
const driverCodeOf = (driver: unknown): { readonly code?: string } => {
  const name = textOf(driver)
  return name ? { code: name } : {}
}

async function openReportedFault({ tx, scope, event }: DeviceEventContext): Promise<void> {
  const { gatewayId, deviceId, projectCode, data } = event
  await openFaults(tx, scope.ownerId, new Date(scope.time), [
    {
      gatewayId,
      deviceId,
      projectCode,
      kind: 'reported',
      ...faultCodeOf(data),
      level: levels[String(data.level)] ?? 'major',
      title: textOf(data.title) || labelOf(faultKind, 'reported'),
    },
  ])
}

onDeviceEvent(conditionEvents.fault, openReportedFault)

/** The one that it names, or all of the device. */
onDeviceEvent(conditionEvents.faultCleared, ({ tx, scope, event: { gatewayId, deviceId, data } }) =>
  closeFaults(tx, scope.ownerId, new Date(scope.time), [
    { gatewayId, deviceId, kind: 'reported', ...faultCodeOf(data) },
  ]),
)

onDeviceEvent(agentEvents.driverStopped, ({ tx, scope, event: { gatewayId, projectCode, data } }) =>
  openFaults(tx, scope.ownerId, new Date(scope.time), [
    {
      gatewayId,
      deviceId: 0,
      projectCode,
      kind: 'driver',
      ...driverCodeOf(data.driver),
      level: 'major',
      title: `驱动「${textOf(data.driver)}」停止：${textOf(data.reason)}`,
    },
  ]),
)

onDeviceEvent(agentEvents.driverStarted, ({ tx, scope, event: { gatewayId, data } }) =>
  closeFaults(tx, scope.ownerId, new Date(scope.time), [
    { gatewayId, deviceId: 0, kind: 'driver', ...driverCodeOf(data.driver) },
  ]),
)

/**
 * What the site had to drop is missing permanently: it is a fault of its own beside the backlog, which the
 * next beat ends, until a person has seen it.
 */
onDeviceEvent(agentEvents.eventsDropped, async ({ tx, scope, event: { gatewayId, projectCode, data } }) => {
  const count = Number(data.count)
  await openFaults(tx, scope.ownerId, new Date(scope.time), [
    {
      gatewayId,
      deviceId: 0,
      projectCode,
      kind: 'dropped',
      level: 'major',
      title: `网关缓存已满，丢弃 ${Number.isFinite(count) ? count : 0} 条事件`,
    },
  ])
})

/** Another box in its place, or one that has lost its memory: it holds nothing of what it had (ACS-3). */
onDeviceEvent(deviceEvents.deviceReset, async ({ tx, scope, event: { deviceId } }) => {
  if (deviceId) {
    await resendItems(tx, scope, deviceId)
  }
})

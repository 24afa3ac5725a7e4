/** How other modules reach what is on site. */
export {
  isOwnCommand,
  sendDeviceCommand,
  sendGatewayCommand,
  waitForCommand,
  type CommandOutcome,
  type DeviceCommand,
} from './command.ts'
export { onCommandEnd, type CommandEnd, type CommandEndContext } from './command-end.ts'
export {
  onDeviceEvent,
  onDeviceEventBatch,
  type DeviceEvent,
  type DeviceEventBatch,
  type DeviceEventContext,
  type RefusedEvents,
} from './event-handler.ts'
export { closeByHand as closeFaultsByHand, findFaultPage } from './device-health.ts'
export { closeFaults, openFaults } from './fault.ts'
export {
  countDeviceItems,
  findDeviceItems,
  findDeviceStatuses,
  type DeviceStatus,
  type ItemCounts,
  type ShownItem,
} from './device-status.ts'
export { makePairingCode } from './gateway.ts'
export { onItemsReported } from './items-reported.ts'
export { registerReadingDecider, type CodeReading, type ReadingDecision } from './reading.ts'
export { registerTemplateLink } from './item-link.ts'
export { planDesiredItems, type ItemPlan } from './item-plan.ts'
export { resendItems, setDesiredState } from './item-set.ts'
export { withdrawItems } from './item-withdraw.ts'
export {
  hasCodeForm,
  isSecretKey,
  maskedItemKey,
  maskItemKey,
  maskNumberOfKey,
  maskSecret,
  secretKeyPattern,
} from '../domain/secret-item.ts'
export { missingItems, reportedState, type MissingItems, type ReportedState } from './missing-items.ts'

/** How other modules reach what is on site. */
export {
  sendDeviceCommand,
  sendGatewayCommand,
  waitForCommand,
  type CommandOutcome,
  type DeviceCommand,
} from './command.ts'
export { onCommandEnd, type CommandEnd } from './command-end.ts'
export { onDeviceEvent, type DeviceEvent, type DeviceEventContext } from './event-handler.ts'
export { makePairingCode } from './gateway.ts'
export { setDesiredState } from './item-set.ts'
export { missingItems, reportedState, type MissingItems, type ReportedState } from './missing-items.ts'

/** What other modules use of lanes and stays. */
export {
  endLaneCommand,
  openWithinSeconds,
  requestLaneOpen,
  takeLaneCommands,
  type OpenRequest,
  type WaitingCommand,
} from './lane-commands.ts'
export { onStayHandled, type StayHandled } from './stay-event.ts'
export { reportCar } from './passage/report.ts'
export {
  registerStayCoupons,
  type CouponsAsked,
  type StayCoupons,
  type StayOfCoupons,
} from './stay-coupons.ts'

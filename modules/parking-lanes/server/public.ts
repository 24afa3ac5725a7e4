/** What other modules use of lanes and stays. */
export {
  endLaneCommand,
  findLanesWithCommands,
  openWithinSeconds,
  requestLaneOpen,
  takeLaneCommands,
  type OpenRequest,
  type WaitingCommand,
} from './lane-commands.ts'
export { keepStayPhoto } from './stay-photos.ts'
export { reportCar } from './passage/report.ts'
export {
  registerStayCoupons,
  type CouponsAsked,
  type StayCoupons,
  type StayOfCoupons,
} from './stay-coupons.ts'

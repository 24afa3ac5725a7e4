/** What other modules use of lanes and stays. */
export {
  endLaneCommand,
  findLanesWithCommands,
  hasOpenedSince,
  openWithinSeconds,
  requestLaneOpen,
  takeLaneCommands,
  type OpenRequest,
  type WaitingCommand,
} from './lane-commands.ts'
export { keepStayPhoto } from './stay-photos.ts'
export { onLanesWithdrawn } from './lane-event.ts'
export { onStayHandled, type StayHandled } from './stay-event.ts'
export { releaseUnseenCar } from './unseen-exit.ts'
export { reportCar } from './passage/report.ts'
export {
  registerHostCovers,
  registerStayCoupons,
  ticketCoupons,
  type CouponsAsked,
  type RestoredCoupon,
  type StayCoupons,
  type StayOfCoupons,
} from './stay-coupons.ts'

/** To have stays paid: what they owe, and the one way to settle it. */
export { collect as collectFee, isInside } from './charges.ts'
export { lockStay } from './group-places.ts'
export { reprice } from './reprice.ts'
export { duesOf } from './inside-fees.ts'
export {
  isCoveredByCoupons,
  methodOfUses,
  noteRecordOfCharge,
  settleStay,
  type PaidOrder,
} from './settle-stay.ts'
export { countMissedPlate, isGuessing, type PlateGuess } from './plate-guesses.ts'
export { findBookedCharge, followRecord } from './returned-charge.ts'
export { discountsOf } from './settled-discounts.ts'
export { couponLinesOf, sentenceOf } from './stay-sentence.ts'
export { findWaitingPlate } from './waiting-car.ts'
export { stayCoupons } from './stay-coupons.ts'
export { passNoOf } from './stays.ts'
export { durationText } from '../domain/fee-sentence.ts'
export { stayMinutes } from '../domain/stay-minutes.ts'
export { coverKeyOf, visitorOfCover, type CouponUse } from '../domain/coupons.ts'
export { onBoothPayment, type BoothPayment } from './charge-event.ts'

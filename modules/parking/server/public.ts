export { findChargedPlaces, type ChargedPlace } from './charged-places.ts'
export { findMonthRight } from './find-month-right.ts'
export { findCarIds, groupIdsOfPlates, isOfCar } from './plates.ts'

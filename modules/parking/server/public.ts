export { findChargedPlaces, type ChargedPlace } from './charged-places.ts'
export { findMonthRight, type MonthRight, type RightGroup } from './find-month-right.ts'
export { decideGroupRights, type GroupRight, type GroupStay } from '../domain/group-right.ts'

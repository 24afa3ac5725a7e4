export { chargedPlaces, type ChargedPlace } from './charged.ts'

export { findChargedPlaces, type ChargedPlace } from './charged-places.ts'

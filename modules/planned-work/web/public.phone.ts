/** An inspection on the telephone. */
export { InspectionPhone, type ScannedPlace } from './inspection-phone.tsx'

export { loadAbsences, type AbsenceLookup } from './duty.ts'
export { recomputePeople } from './recompute.ts'

export { recomputePeople } from './recompute.ts'

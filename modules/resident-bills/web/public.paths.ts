/** Where a resident pays, for what other modules charge. */
export { paths as billPaths } from '../module.ts'

/** 指派, 改派 of the tasks of a kind. */
export { useAssign } from './use-assign.tsx'

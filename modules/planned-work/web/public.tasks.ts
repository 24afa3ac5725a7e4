/** The tasks of a kind, and the page of a plan with its tasks. */
export { KindPlanDetail } from './kind-plan-detail.tsx'
export { KindTasks } from './kind-tasks.tsx'
export { KindRecords } from './kind-records.tsx'
export { KindTaskDetail } from './kind-task-detail.tsx'

/** The views that lists of tasks begin with. */
export { useTaskViews } from './task-views.ts'

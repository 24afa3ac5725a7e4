/** The form of a plan, for the modules that have a kind of planned work. */
export { LivePreview, type PreviewedTask } from './live-preview.tsx'
export { referenceControl } from './plan-controls.tsx'
export { newPlan, planFormGroups } from './plan-fields.ts'
export { InspectionPhone, type ScannedPlace } from './inspection-phone.tsx'
export { KindPlanForm } from './kind-plan-form.tsx'
export { KindPlanDetail, KindPlans } from './kind-plans.tsx'
export type { KindSpec } from './kind-spec.ts'
export { KindTasks } from './kind-tasks.tsx'

/** The form of a plan, for the modules that have a kind of planned work. */
export { KindPlanForm } from './kind-plan-form.tsx'
export { referenceControl } from './plan-controls.tsx'
export { newPlan, planFormGroups } from './plan-fields.ts'

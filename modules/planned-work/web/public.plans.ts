/** The list of the plans of a kind. */
export { KindPlans } from './kind-plans.tsx'
export type { KindSpec } from './kind-spec.ts'

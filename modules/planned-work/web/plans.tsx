import { KindPlans } from './kind-plans.tsx'
import { standardKind } from './standard-kind.ts'

/** 任务计划: what is done how often, when and by whom. */
export default function PlansPage() {
  return <KindPlans spec={standardKind} />
}

import { KindPlans } from '#modules/planned-work/web/public.plans.ts'
import { cleaningKind } from './kind.ts'

/** 保洁计划: what is done where, how often and by whom. */
export default function WorkPlansPage() {
  return <KindPlans spec={cleaningKind} />
}

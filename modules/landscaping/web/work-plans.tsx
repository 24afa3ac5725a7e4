import { KindPlans } from '#modules/planned-work/web/public.plans.ts'
import { greeningKind } from './kind.ts'

/** 绿化计划: what is done where, how often and by whom. */
export default function WorkPlansPage() {
  return <KindPlans spec={greeningKind} />
}

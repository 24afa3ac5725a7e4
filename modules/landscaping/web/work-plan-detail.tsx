import { KindPlanDetail } from '#modules/planned-work/web/public.tasks.ts'
import { greeningKind } from './kind.ts'

/** 绿化计划详情 */
export default function WorkPlanDetailPage() {
  return <KindPlanDetail spec={greeningKind} />
}

import { KindPlanDetail } from '#modules/planned-work/web/public.tasks.ts'
import { cleaningKind } from './kind.ts'

/** 保洁计划详情 */
export default function WorkPlanDetailPage() {
  return <KindPlanDetail spec={cleaningKind} />
}

import { KindPlanDetail } from './kind-plan-detail.tsx'
import { standardKind } from './standard-kind.ts'

/** 任务计划详情: the plan and every task that it has made. */
export default function PlanDetailPage() {
  return <KindPlanDetail spec={standardKind} />
}

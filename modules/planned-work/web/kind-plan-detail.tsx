import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import { planActionsOf, planGroupsOf } from './kind-plan-parts.ts'
import type { PlannedSpec } from './kind-spec.ts'
import { KindTasks } from './kind-tasks.tsx'

/** A plan and every task that it has made. */
export function KindPlanDetail({ spec }: { readonly spec: PlannedSpec }) {
  return (
    <DetailPage
      loadCall={spec.calls.plans.get}
      title={plan => plan.planName}
      status={plan => <ChoiceStatus choices={planState} value={plan.state} />}
      groups={planGroupsOf(spec)}
      actions={planActionsOf(spec)}
      historyEntity="workPlan"
      tabs={[{ key: 'tasks', label: '任务', body: plan => <KindTasks spec={spec} planId={plan.id} /> }]}
    />
  )
}

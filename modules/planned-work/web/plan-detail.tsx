import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import { schedules } from '../contract/schedule.ts'
import { planActions } from './plan-actions.ts'
import { planGroups } from './plan-groups.ts'
import { TaskList } from './task-list.tsx'

/** 任务计划详情: the plan and every task that it has made. */
export default function PlanDetailPage() {
  return (
    <DetailPage
      loadCall={schedules.get}
      title={plan => plan.planName}
      status={plan => <ChoiceStatus choices={planState} value={plan.state} />}
      groups={planGroups}
      actions={planActions}
      historyEntity="workPlan"
      tabs={[{ key: 'tasks', label: '任务', body: plan => <TaskList planId={plan.id} /> }]}
    />
  )
}

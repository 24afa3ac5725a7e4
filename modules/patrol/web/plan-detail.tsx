import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '#modules/planned-work/contract/choices.ts'
import type { WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { LivePreview } from '#modules/planned-work/web/public.preview.ts'
import { patrolPlans, previewPatrolPlan } from '../contract/plan.ts'
import { exportPatrolTasks, listPatrolTasks } from '../contract/task.ts'
import { menu, paths } from '../module.ts'
import { stateAction } from './plan-actions.ts'
import { taskColumns } from './task-columns.tsx'

/** The rounds of the plan, newest first. */
function PlanTasks({ plan }: { readonly plan: WorkPlan }) {
  const navigate = useNavigate()
  return (
    <ListPage
      embedded
      list={listPatrolTasks}
      itemName="巡更任务"
      columns={taskColumns}
      fixedFilter={{ planId: [String(plan.id)] }}
      barFilters={['taskDate', 'state']}
      export={exportPatrolTasks}
      rowActions={task => [{ label: '详情', run: () => void navigate(`${paths.task}?id=${task.id}`) }]}
    />
  )
}

const groups = [
  {
    title: '计划',
    keys: [
      'planName',
      { key: 'subjectName', label: '路线' },
      'schedule',
      'staffMode',
      'staffNames',
      'beginDate',
      'endDate',
      'remindMinutes',
      'lateEndMinutes',
      'remark',
    ],
  },
] satisfies readonly DetailGroup<WorkPlan>[]

/** 巡更计划详情: the plan, what it asks for next, and its rounds so far. */
export default function PlanDetailPage() {
  const navigate = useNavigate()
  return (
    <DetailPage
      loadCall={patrolPlans.get}
      title={plan => plan.planName}
      status={plan => <ChoiceStatus choices={planState} value={plan.state} />}
      groups={groups}
      actions={plan => [
        {
          label: '编辑',
          needs: menu.plan.permissions.edit,
          run: () => void navigate(`${paths.planForm}?id=${plan.id}`),
        },
        stateAction(plan),
      ]}
      tabs={[
        { key: 'tasks', label: '任务', body: plan => <PlanTasks plan={plan} /> },
        {
          key: 'next',
          label: '今后 14 天',
          body: plan => (
            <div className="road-way">
              <LivePreview call={previewPatrolPlan} values={plan} />
            </div>
          ),
        },
      ]}
      historyEntity="workPlan"
    />
  )
}

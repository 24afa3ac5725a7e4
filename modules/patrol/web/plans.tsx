import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '#modules/planned-work/contract/choices.ts'
import type { WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { patrolPlans } from '../contract/plan.ts'
import { menu, paths } from '../module.ts'
import { stateAction } from './plan-actions.ts'

const columns = buildColumns(patrolPlans.list.output, [
  { key: 'planName', identity: true, grow: 2 },
  { key: 'subjectName', title: '路线', grow: 1 },
  { key: 'schedule', grow: 2 },
  { key: 'staffMode', hidePriority: 2 },
  { key: 'staffNames', grow: 1 },
  { key: 'beginDate', hidePriority: 3 },
  { key: 'endDate', hidePriority: 3 },
  'state',
])

const remove = createReasonAction(patrolPlans.delete, {
  unit: '个巡更计划',
  nameOf: (plan: WorkPlan) => plan.planName,
  consequences: ['未开始的任务一并删除，已执行的任务与记录保留'],
  reasonPresets: ['录入有误', '不再执行'],
})

const { permissions } = menu.plan

/** 巡更计划: who walks which road when. */
export default function PlansPage() {
  const navigate = useNavigate()
  const rowActions = (plan: WorkPlan) => [
    {
      label: '编辑',
      needs: permissions.edit,
      run: () => void navigate(`${paths.planForm}?id=${plan.id}`),
    },
    stateAction(plan),
    { label: '详情', run: () => void navigate(`${paths.planDetail}?id=${plan.id}`) },
    remove.row(plan),
  ]
  return (
    <ListPage
      list={patrolPlans.list}
      itemName="巡更计划"
      columns={columns}
      filters={['roadId', 'staffId', 'cycleType', 'staffMode', 'beginDate', 'state']}
      barFilters={['roadId', 'state']}
      primaryAction={{
        label: '新增巡更计划',
        needs: permissions.edit,
        run: () => void navigate(paths.planForm),
      }}
      rowActions={rowActions}
      batchActions={[remove.batch]}
      isDimmed={plan => plan.state === 'disabled' || plan.state === 'ended'}
      drawer={{
        width: 880,
        title: plan => plan.planName,
        status: plan => <ChoiceStatus choices={planState} value={plan.state} />,
        loadCall: patrolPlans.get,
        actions: rowActions,
        historyEntity: 'workPlan',
      }}
    />
  )
}

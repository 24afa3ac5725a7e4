import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { planActionsOf, planGroupsOf } from './kind-plan-parts.ts'
import type { KindSpec } from './kind-spec.ts'
import { planViews } from './plan-views.ts'

/** The plans of a kind: what is done where, how often and by whom. */
export function KindPlans({ spec }: { readonly spec: KindSpec }) {
  const navigate = useNavigate()
  const { calls, paths, targetLabel } = spec
  const remove = createReasonAction(calls.plans.delete, {
    unit: `个${calls.noun}计划`,
    nameOf: (plan: WorkPlan) => plan.planName,
    consequences: ['未开始的任务一并撤下，已开始与已完成的保留'],
  })
  const planActions = planActionsOf(spec)
  return (
    <ListPage
      list={calls.plans.list}
      itemName={`${calls.noun}计划`}
      columns={buildColumns(calls.plans.list.output, [
        { key: 'planName', identity: true, grow: 2 },
        { key: 'subjectName', title: '模板', grow: 1 },
        { key: 'targetNames', title: targetLabel, grow: 2, hidePriority: 1 },
        { key: 'schedule', grow: 2 },
        { key: 'staffNames', grow: 1 },
        { key: 'beginDate', wideOnly: true },
        { key: 'endDate', wideOnly: true },
        'state',
      ])}
      views={planViews}
      filters={calls.plans.filters}
      barFilters={['cycleType']}
      primaryAction={{
        label: '新增计划',
        needs: calls.permissions.add,
        run: () => void navigate(paths.planForm),
      }}
      rowActions={plan => [
        ...planActions(plan),
        { label: '任务', run: () => void navigate(`${paths.planDetail}?id=${plan.id}`) },
        remove.row(plan),
      ]}
      batchActions={[remove.batch]}
      drawer={{
        width: 640,
        title: plan => plan.planName,
        status: plan => <ChoiceStatus choices={planState} value={plan.state} />,
        groups: planGroupsOf(spec),
        loadCall: calls.plans.get,
        historyEntity: 'workPlan',
        openAsPage: plan => void navigate(`${paths.planDetail}?id=${plan.id}`),
      }}
    />
  )
}

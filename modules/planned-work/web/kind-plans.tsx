import { useState } from 'react'
import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import { planActionsOf, planGroupsOf, removePlansOf } from './kind-plan-parts.ts'
import type { PlannedSpec } from './kind-spec.ts'
import { planViews } from './plan-views.ts'

/** The plans of a kind: what is done where, how often and by whom. */
export function KindPlans({ spec }: { readonly spec: PlannedSpec }) {
  const navigate = useNavigate()
  const { calls, names, paths, subjectLabel, targetLabel } = spec
  const [remove] = useState(() => removePlansOf(spec))
  const planActions = planActionsOf(spec)
  const { calendar } = paths
  return (
    <ListPage
      list={calls.plans.list}
      itemName={names.plan}
      columns={buildColumns(calls.plans.list.output, [
        { key: 'planName', identity: true, grow: 2 },
        { key: 'subjectName', title: subjectLabel, grow: 1 },
        { key: 'targetNames', title: targetLabel, grow: 2, hidePriority: 1 },
        { key: 'schedule', grow: 2 },
        { key: 'staffMode', hidePriority: 2 },
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
      toolbarActions={[calendar !== undefined && { label: '任务日历', run: () => void navigate(calendar) }]}
      export={calls.exportPlans}
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

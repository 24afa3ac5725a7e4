import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import { schedules } from '../contract/schedule.ts'
import { menu, paths } from '../module.ts'
import { planActions, removePlan } from './plan-actions.ts'
import { planGroups } from './plan-groups.ts'
import { planViews } from './plan-views.ts'

const columns = buildColumns(schedules.list.output, [
  { key: 'planName', identity: true, grow: 2 },
  { key: 'subjectName', title: '任务标准', grow: 1 },
  { key: 'targetNames', grow: 1, hidePriority: 1 },
  { key: 'schedule', grow: 2 },
  { key: 'staffMode', hidePriority: 2 },
  { key: 'staffNames', grow: 1 },
  { key: 'beginDate', wideOnly: true },
  { key: 'endDate', wideOnly: true },
  'state',
])

/** 任务计划: what is done how often, when and by whom. */
export default function PlansPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={schedules.list}
      itemName="任务计划"
      columns={columns}
      views={planViews}
      filters={schedules.filters}
      barFilters={['cycleType']}
      primaryAction={{
        label: '新增计划',
        needs: menu.plan.permissions.add,
        run: () => void navigate(paths.planForm),
      }}
      toolbarActions={[{ label: '任务日历', run: () => void navigate(paths.calendar) }]}
      rowActions={plan => [
        ...planActions(plan),
        { label: '任务', run: () => void navigate(`${paths.planDetail}?id=${plan.id}`) },
        removePlan.row(plan),
      ]}
      batchActions={[removePlan.batch]}
      drawer={{
        width: 640,
        title: plan => plan.planName,
        status: plan => <ChoiceStatus choices={planState} value={plan.state} />,
        groups: planGroups,
        loadCall: schedules.get,
        historyEntity: 'workPlan',
        openAsPage: plan => void navigate(`${paths.planDetail}?id=${plan.id}`),
      }}
    />
  )
}

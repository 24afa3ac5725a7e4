import { useNavigate } from 'react-router'
import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, createReasonAction, sendAndToast } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { planState } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import type { KindSpec } from './kind-spec.ts'
import { KindTasks } from './kind-tasks.tsx'

const groupsOf = ({ targetLabel }: KindSpec): readonly DetailGroup<WorkPlan>[] => [
  {
    title: '计划',
    keys: ['planName', { key: 'subjectName', label: '模板' }, { key: 'targetNames', label: targetLabel }],
  },
  { title: '时间', keys: ['schedule', 'beginDate', 'endDate', 'lateEndMinutes'] },
  { title: '人员', keys: ['staffMode', 'staffNames', 'remindMinutes'] },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]

const actionsOf =
  ({ calls, paths }: KindSpec) =>
  (plan: WorkPlan): readonly Action[] => [
    {
      label: '编辑',
      needs: calls.permissions.edit,
      run: () => navigateTo(`${paths.planForm}?id=${plan.id}`),
    },
    plan.state === 'enabled'
      ? {
          label: '停用',
          needs: calls.permissions.edit,
          run: () =>
            confirmAndSend(calls.setState, {
              actionLabel: '停用',
              unit: `个${calls.noun}计划`,
              title: `停用「${plan.planName}」`,
              consequences: ['未开始的任务撤下，不再生成新的任务'],
              reason: { presets: ['不再需要', '计划调整'] },
              input: { ids: [String(plan.id)], state: 'disabled' },
            }),
        }
      : {
          label: '启用',
          needs: calls.permissions.edit,
          run: () =>
            sendAndToast(
              calls.setState,
              { ids: [String(plan.id)], state: 'enabled' },
              `已启用「${plan.planName}」`,
            ),
        },
  ]

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'enabled', name: '启用', filter: { state: ['enabled'] } },
  { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
  { id: 'off', name: '停用与结束', filter: { state: ['disabled', 'ended'] } },
]

/** The plans of a kind: what is done where, how often and by whom. */
export function KindPlans({ spec }: { readonly spec: KindSpec }) {
  const navigate = useNavigate()
  const { calls, paths, targetLabel } = spec
  const remove = createReasonAction(calls.plans.delete, {
    unit: `个${calls.noun}计划`,
    nameOf: (plan: WorkPlan) => plan.planName,
    consequences: ['未开始的任务一并撤下，已开始与已完成的保留'],
  })
  const planActions = actionsOf(spec)
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
      views={views}
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
        groups: groupsOf(spec),
        loadCall: calls.plans.get,
        historyEntity: 'workPlan',
        openAsPage: plan => void navigate(`${paths.planDetail}?id=${plan.id}`),
      }}
    />
  )
}

/** A plan and every task that it has made. */
export function KindPlanDetail({ spec }: { readonly spec: KindSpec }) {
  return (
    <DetailPage
      loadCall={spec.calls.plans.get}
      title={plan => plan.planName}
      status={plan => <ChoiceStatus choices={planState} value={plan.state} />}
      groups={groupsOf(spec)}
      actions={actionsOf(spec)}
      historyEntity="workPlan"
      tabs={[{ key: 'tasks', label: '任务', body: plan => <KindTasks spec={spec} planId={plan.id} /> }]}
    />
  )
}

import type { Action } from '#kit/web/action.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, createReasonAction, sendAndToast } from '#kit/web/record-actions.ts'
import type { WorkPlan } from '../contract/plan.ts'
import type { PlannedSpec } from './kind-spec.ts'

export const planGroupsOf = ({
  subjectLabel,
  targetLabel,
}: PlannedSpec): readonly DetailGroup<WorkPlan>[] => [
  {
    title: '计划',
    keys: [
      'planName',
      { key: 'subjectName', label: subjectLabel },
      { key: 'targetNames', label: targetLabel },
    ],
  },
  { title: '时间', keys: ['schedule', 'beginDate', 'endDate', 'lateEndMinutes'] },
  { title: '人员', keys: ['staffMode', 'staffNames', 'remindMinutes'] },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]

export const planActionsOf =
  ({ calls, names, paths }: PlannedSpec) =>
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
              unit: `个${names.plan}`,
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

/** Plans go into the bin; what they have made stays. */
export const removePlansOf = ({ calls, names }: PlannedSpec) =>
  createReasonAction(calls.plans.delete, {
    unit: `个${names.plan}`,
    nameOf: (plan: WorkPlan) => plan.planName,
    consequences: ['未开始的任务一并撤下，已开始与已完成的保留'],
    reasonPresets: ['录入有误', '不再需要'],
  })

import type { Action } from '#kit/web/action.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, createReasonAction, sendAndToast } from '#kit/web/record-actions.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { schedules, setScheduleState } from '../contract/schedule.ts'
import { menu, paths } from '../module.ts'

export const removePlan = createReasonAction(schedules.delete, {
  unit: '个任务计划',
  nameOf: (plan: WorkPlan) => plan.planName,
  consequences: ['未开始的任务一并撤下，已开始与已完成的保留'],
})

const disable = (plan: WorkPlan): Promise<boolean> =>
  confirmAndSend(setScheduleState, {
    actionLabel: '停用',
    unit: '个任务计划',
    title: `停用「${plan.planName}」`,
    consequences: ['未开始的任务撤下，不再生成新的任务'],
    input: { ids: [String(plan.id)], state: 'disabled' },
  })

const enable = (plan: WorkPlan): Promise<unknown> =>
  sendAndToast(setScheduleState, { ids: [String(plan.id)], state: 'enabled' }, `已启用「${plan.planName}」`)

/** What can be done with a plan as it stands. */
export const planActions = (plan: WorkPlan): readonly Action[] => [
  {
    label: '编辑',
    needs: menu.plan.permissions.edit,
    run: () => navigateTo(`${paths.planForm}?id=${plan.id}`),
  },
  plan.state === 'enabled'
    ? { label: '停用', needs: menu.plan.permissions.edit, run: () => disable(plan) }
    : { label: '启用', needs: menu.plan.permissions.edit, run: () => enable(plan) },
]

import type { Action } from '#kit/web/action.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import type { WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { setPatrolPlanState } from '../contract/plan.ts'
import { menu } from '../module.ts'

/** Starts a plan, or stops it. */
export const stateAction = (plan: WorkPlan): Action => {
  const isOn = plan.state === 'enabled'
  const label = isOn ? '停用' : '启用'
  return {
    label,
    needs: menu.plan.permissions.state,
    run: () =>
      confirmAndSend(setPatrolPlanState, {
        actionLabel: label,
        unit: '个巡更计划',
        title: `${label}「${plan.planName}」`,
        consequences: [isOn ? '未开始的任务删除，已开始的不变' : '按计划生成今天与明天的任务'],
        reason: { presets: isOn ? ['路线调整', '暂停执行'] : ['恢复执行'] },
        input: { ids: [String(plan.id)], state: isOn ? 'disabled' : 'enabled' },
      }),
  }
}

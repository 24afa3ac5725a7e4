import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { exportSchedules } from '../contract/exports.ts'
import { findTargets, previewSchedule, schedules, setScheduleState } from '../contract/schedule.ts'
import { findTargetRules } from './kinds.ts'
import { planHooks, previewPlan, setPlanState } from './plan.ts'
import { idsOf } from './work-context.ts'

export const scheduleServer = crudHandlers(schedules, {
  ...planHooks('standard'),
  export: exportSchedules,
})

export const scheduleHandlers = [
  reads(previewSchedule, (draft, c) => previewPlan(c, { ...draft, kind: 'standard' })),
  writes(setScheduleState, async ({ ids, state, reason }, c) => {
    if (state !== 'enabled' && state !== 'disabled') return refuse('只能启用或停用')
    if (state === 'disabled' && (reason?.trim().length ?? 0) < 2) return refuse('请填写停用原因，至少 2 个字')
    return setPlanState(c, 'standard', idsOf(ids), state, reason)
  }),
  reads(findTargets, async ({ projectCode, targetType, keyword, ids }, { db, scope }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const rules = findTargetRules(targetType)
    if (!rules) return []
    const found = await rules.load(
      db,
      scope,
      ids?.length ? { ids: idsOf(ids), caller: scope } : { projectCode, keyword, caller: scope },
    )
    return found.filter(target => target.projectCode === projectCode)
  }),
]

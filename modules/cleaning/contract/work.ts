import { kindCalls } from '#modules/planned-work/contract/kind-calls.ts'
import { menu } from '../module.ts'

/** Plans and tasks of inspections of cleaning points: templates over places, scored by weight. */
export const cleaningWork = kindCalls({
  planPath: 'CleaningPlan',
  taskPath: 'CleaningTask',
  noun: '保洁',
  subjectLabel: '模板',
  targetLabel: '保洁点位',
  permissions: menu.plan.permissions,
})

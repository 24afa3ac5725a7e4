import type { KindSpec } from '#modules/planned-work/web/public.plans.ts'
import { cleaningWork } from '../contract/work.ts'
import { paths } from '../module.ts'

export const cleaningKind: KindSpec = {
  calls: cleaningWork,
  names: { plan: '保洁计划', task: '保洁任务', record: '保洁任务记录' },
  paths,
  subjectLabel: '模板',
  templateRef: 'cleaningTemplate',
  targetRef: 'cleaningLocation',
  targetLabel: '保洁点位',
}

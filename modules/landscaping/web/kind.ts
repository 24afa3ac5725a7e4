import type { KindSpec } from '#modules/planned-work/web/public.plans.ts'
import { greeningWork } from '../contract/work.ts'
import { paths } from '../module.ts'

export const greeningKind: KindSpec = {
  calls: greeningWork,
  names: { plan: '绿化计划', task: '绿化任务', record: '绿化任务记录' },
  paths,
  subjectLabel: '模板',
  templateRef: 'greenTemplate',
  targetRef: 'greenArea',
  targetLabel: '绿化区域',
}

import type { KindSpec } from '#modules/planned-work/web/public.plans.ts'
import { cleaningWork } from '../contract/work.ts'
import { paths } from '../module.ts'

export const cleaningKind: KindSpec = {
  calls: cleaningWork,
  paths,
  templateRef: 'cleaningTemplate',
  targetRef: 'cleaningLocation',
  targetLabel: '保洁点位',
}

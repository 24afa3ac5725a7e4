import type { KindSpec } from '#modules/planned-work/web/public.plans.ts'
import { greeningWork } from '../contract/work.ts'
import { paths } from '../module.ts'

export const greeningKind: KindSpec = {
  calls: greeningWork,
  paths,
  templateRef: 'greenTemplate',
  targetRef: 'greenArea',
  targetLabel: '绿化区域',
}

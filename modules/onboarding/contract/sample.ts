import { call } from '#kit/contract/call.ts'
import { int, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** Marks a new project code as the sample; what is then entered under it can be removed as a whole. */
export const startSample = call({
  route: 'POST Property/PostSample',
  title: '载入示例数据',
  needs: menu.guide.permissions.sample,
  input: noData,
  output: shape({ projectCode: text('示例项目编码', { required: true, wire: 'Projectcode' }) }),
})

/** Removes the sample project with everything in it, money included. Refused where real money is involved. */
export const removeSample = call({
  route: 'DELETE Property/DeleteSample',
  title: '清除示例数据',
  needs: menu.guide.permissions.sample,
  input: noData,
  output: shape({ rows: int('已清除的记录', { required: true }) }),
  affects: [
    'estate',
    'building',
    'room',
    'resident',
    'residency',
    'feeItem',
    'feeStandard',
    'feeRelation',
    'bill',
    'billRun',
    'payRecord',
  ],
})

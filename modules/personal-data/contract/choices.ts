import { choiceTable } from '#kit/contract/field.ts'

export const requestState = choiceTable('ErasureState', '处理状态', {
  open: [10, '待审批', 'todo'],
  approved: [15, '待执行', 'doing'],
  done: [20, '已删除', 'done'],
  refused: [30, '已拒绝', 'bad'],
  withdrawn: [40, '已撤回', 'off'],
})

/** How a request ends that is not executed. */
export const requestEnd = choiceTable('ErasureEnd', '办理结果', {
  refused: [30, '拒绝'],
  withdrawn: [40, '本人撤回'],
})

export const applicantKind = choiceTable('ErasureApplicant', '申请人', {
  self: [10, '本人'],
  guardian: [20, '监护人'],
  relative: [30, '近亲属'],
  agent: [40, '受托人'],
  company: [90, '公司主动删除'],
})

/** What an erasure does with what is kept in a table. */
export const erasureTreatment = choiceTable('ErasureTreatment', '处理方式', {
  erased: [10, '删除'],
  anonymised: [20, '匿名处理'],
  kept: [30, '依法保留'],
  manual: [40, '人工核对'],
})

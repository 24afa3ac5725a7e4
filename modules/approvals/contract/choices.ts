import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** Every kind of business that may ask for an approval; one is offered once its module has registered it. */
export const approvalKind = choiceTable('ProcessBizType', '审批业务', {
  leave: [10, '请假'],
  mendCard: [20, '补卡'],
  overtime: [30, '加班'],
  out: [40, '外出'],
  trip: [45, '出差'],
  shiftChange: [48, '调班'],
  purchase: [50, '采购'],
  requisition: [60, '领用'],
  scrap: [70, '资产报废'],
  refund: [80, '退款'],
  discount: [90, '减免'],
  writeOff: [92, '坏账核销'],
  void: [94, '作废收款'],
  visitor: [100, '访客'],
  contract: [110, '合同'],
  release: [120, '物品放行'],
  general: [200, '通用审批'],
})

export type ApprovalKindKey = ChoiceOf<typeof approvalKind>

/** C15 */
export const instanceState = choiceTable('ProcessInstanceState', '审批状态', {
  running: [10, '审批中', 'doing'],
  approved: [20, '已通过', 'done'],
  refused: [30, '已驳回', 'bad'],
  withdrawn: [40, '已撤回', 'off'],
  terminated: [50, '已终止', 'off'],
})

/** C15 */
export const taskState = choiceTable('ProcessTaskState', '任务状态', {
  waiting: [10, '待办', 'todo'],
  approved: [20, '同意', 'done'],
  refused: [30, '驳回', 'bad'],
  transferred: [40, '转交', 'off'],
  passed: [50, '自动通过', 'done'],
  skipped: [60, '跳过', 'off'],
})

export const processState = choiceTable('ProcessState', '流程状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
})

/** APR-1 */
export const approverRule = choiceTable('ProcessApproverKind', '审批人', {
  people: [10, '指定人员'],
  role: [20, '角色'],
  departmentHead: [30, '部门负责人'],
  requesterChoice: [40, '申请人自选'],
  group: [50, '部门或标签成员'],
})

/** APR-1 */
export const nodeMode = choiceTable('ProcessNodeMode', '审批方式', {
  all: [1, '会签（全部同意）'],
  any: [2, '或签（一人同意）'],
  inTurn: [3, '依次审批'],
})

/** APR-2 */
export const emptyPolicy = choiceTable('ProcessEmptyPolicy', '审批人为空时', {
  pass: [1, '自动通过'],
  administrator: [2, '转管理员'],
  refuse: [3, '不允许提交'],
})

/** APR-4 */
export const refuseTarget = choiceTable('ProcessRefuseTo', '驳回后', {
  end: [10, '结束审批'],
  requester: [20, '退回申请人'],
  previous: [30, '退回上一节点'],
})

export const conditionOperator = choiceTable('ProcessConditionOperator', '比较', {
  equal: [10, '等于'],
  notEqual: [20, '不等于'],
  more: [30, '大于'],
  atLeast: [40, '大于等于'],
  less: [50, '小于'],
  atMost: [60, '小于等于'],
})

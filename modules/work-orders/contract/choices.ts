import { choiceTable } from '#kit/contract/field.ts'

/** C12.1 */
export const orderState = choiceTable('WorkorderState', '工单状态', {
  pending: [10, '待审核', 'todo'],
  waiting: [20, '待派单', 'todo'],
  dispatched: [30, '待接单', 'open'],
  processing: [40, '处理中', 'doing'],
  suspended: [45, '挂起', 'hold'],
  checking: [50, '待验收', 'todo'],
  unpaid: [60, '待付款', 'todo'],
  unrated: [70, '待评价', 'open'],
  completed: [80, '已完成', 'done'],
  closed: [85, '已关闭', 'off'],
  rejected: [90, '已驳回', 'bad'],
  cancelled: [95, '已取消', 'off'],
})

/** Complaints must be followed by a return visit (WO-14). */
export const orderCategory = choiceTable('WorkorderCategory', '大类', {
  repair: [10, '报修'],
  complaint: [20, '投诉'],
  suggestion: [30, '建议'],
  enquiry: [40, '咨询'],
  publicRepair: [50, '公区维修'],
  internal: [60, '内部任务'],
})

/** WO-1 */
export const dispatchMode = choiceTable('DispatchMode', '派单方式', {
  manual: [1, '手动派单'],
  grab: [2, '抢单'],
  turn: [3, '轮流派单'],
  areaOwner: [4, '区域负责人'],
  fewestOpen: [5, '最少在办'],
})

export const orderSource = choiceTable('WorkorderSource', '来源', {
  phone: [10, '电话'],
  reception: [20, '前台'],
  resident: [30, '业主端'],
  staff: [40, '员工端'],
  patrol: [50, '巡更异常'],
  device: [60, '设备告警'],
  inspection: [70, '验房'],
  system: [80, '系统'],
})

export const orderLevel = choiceTable('WorkorderLevel', '紧急程度', {
  normal: [10, '一般'],
  urgent: [20, '紧急', 'hold'],
  critical: [30, '特急', 'bad'],
})

/** What may be done to an order, and what its history rows say (C12.1). */
export const orderAction = choiceTable('WorkorderAction', '动作', {
  register: [10, '登记'],
  edit: [15, '修改'],
  auditPass: [20, '审核'],
  auditRefuse: [25, '驳回'],
  dispatch: [30, '派单'],
  grab: [35, '抢单'],
  accept: [40, '接单'],
  deny: [45, '拒单'],
  arrive: [50, '到场'],
  suspend: [55, '挂起'],
  resume: [56, '恢复'],
  finish: [60, '完成'],
  checkPass: [64, '验收通过'],
  checkReject: [65, '验收退回'],
  modifyCost: [70, '改价'],
  pay: [74, '付款'],
  oweAgain: [75, '恢复待付'],
  refund: [76, '退款'],
  expedite: [80, '催办'],
  requestExtension: [84, '申请延期'],
  extend: [85, '延期'],
  refuseExtension: [86, '驳回延期'],
  evaluate: [90, '评价'],
  visit: [91, '回访'],
  requestClose: [93, '申请关闭'],
  refuseClose: [94, '驳回关闭'],
  close: [95, '关闭'],
  cancel: [96, '取消'],
  reopen: [97, '重新处理'],
  note: [98, '备注'],
  overtime: [99, '超时'],
})

export const actorKind = choiceTable('WorkorderActor', '操作方', {
  staff: [10, '员工'],
  requester: [20, '报事人'],
  system: [30, '系统'],
})

export const requestState = choiceTable('WorkorderRequest', '申请', {
  none: [0, '无'],
  waiting: [10, '待批准', 'todo'],
})

export const chargeKind = choiceTable('WorkorderChargeType', '费用类型', {
  repair: [10, '维修费'],
  reward: [20, '打赏'],
})

export const chargeLineKind = choiceTable('WorkorderChargeLine', '类别', {
  labour: [10, '人工'],
  material: [20, '材料'],
})

export const chargeState = choiceTable('WorkorderPayState', '支付状态', {
  unpaid: [0, '未支付', 'todo'],
  paid: [1, '已支付', 'done'],
  refunded: [2, '已退款', 'off'],
  abolished: [3, '已作废', 'off'],
  free: [4, '免费', 'done'],
})

/** STAT-10, WO-3 */
export const orderStage = choiceTable('WorkorderStage', '阶段', {
  response: [10, '响应'],
  arrive: [20, '到场'],
  finish: [30, '完成'],
  evaluate: [40, '评价'],
})

/** WO-4 */
export const warningReceiver = choiceTable('WorkorderWarningReceiver', '接收人', {
  handler: ['handler', '处理人'],
  dispatcher: ['dispatcher', '派单人'],
  departmentHead: ['depthead', '部门负责人'],
  supervisor: ['manager', '主管'],
})

export const warningChannel = choiceTable('WorkorderWarningChannel', '渠道', {
  site: ['site', '站内消息'],
  sms: ['sms', '短信'],
})

/** What a person of the company may be notified about orders beside their own (NinternalWorkorderNotify). */
export const notifyEvent = choiceTable('WorkorderNotifyEvent', '通知事项', {
  registered: ['registered', '新工单'],
  denied: ['denied', '拒单'],
  expedited: ['urged', '催办'],
  overtime: ['overtime', '超时'],
  finished: ['finished', '完成'],
  lowScore: ['lowscore', '低分评价'],
  approval: ['approval', '待批准'],
})

/** WO-11; of several roles the widest counts, of none the data domain alone. */
export const orderVisibility = choiceTable('WorkorderVisibility', '查看范围', {
  domain: [10, '数据范围内全部'],
  ownTypes: [20, '负责的类型'],
  own: [30, '与本人有关'],
})

/** The saved views of the list. */
export const orderView = choiceTable('WorkorderView', '视图', {
  assigned: ['mine', '待我处理'],
  concerned: ['concerned', '与我有关'],
  pool: ['pool', '可抢工单'],
  open: ['open', '未完结'],
  late: ['late', '已超时'],
  dueSoon: ['duesoon', '即将超时'],
  suspended: ['suspended', '挂起'],
  expedited: ['urged', '被催办'],
  approval: ['approval', '待批准'],
  unpaid: ['unpaid', '待付款'],
  unrated: ['unrated', '待评价'],
  unread: ['unread', '未读'],
  lostHandler: ['losthandler', '处理人无权限'],
})

export const visitReason = choiceTable('WorkorderVisitReason', '回访原因', {
  mandatory: [10, '必须回访'],
  lowScore: [20, '低分评价'],
})

export const visitState = choiceTable('WorkorderVisitState', '回访状态', {
  waiting: [10, '待回访', 'todo'],
  done: [20, '已回访', 'done'],
})

export const visitResult = choiceTable('WorkorderVisitResult', '回访结果', {
  satisfied: [10, '满意', 'done'],
  dissatisfied: [20, '不满意', 'bad'],
  unreachable: [30, '联系不上', 'hold'],
})

/** Whose usual types of orders a company begins with. */
export const typeSet = choiceTable('WorkorderTypeSet', '类型模板', {
  residential: [10, '住宅'],
  office: [20, '写字楼'],
})

/** What a printed code or a link in a message opens. */
export const placeKind = choiceTable('WorkorderPlace', '位置类别', {
  room: [10, '房屋'],
  area: [20, '公共区域'],
})

import { choiceTable } from '#kit/contract/field.ts'

/** C3.1 */
export const billState = choiceTable('BillState', '账单状态', {
  pending: [10, '待审核', 'todo'],
  normal: [20, '正常', 'doing'],
  abolished: [30, '已作废', 'off'],
  split: [40, '已拆分', 'off'],
  writtenOff: [50, '已核销', 'off'],
})

export const payState = choiceTable('PayState', '缴费状态', {
  unpaid: [0, '未缴', 'todo'],
  paid: [1, '已缴', 'done'],
})

export const lockState = choiceTable('LockState', '锁定', { none: [0, '无'], paying: [1, '支付中', 'doing'] })

export const refundState = choiceTable('RefundState', '退款', {
  none: [0, '无'],
  part: [1, '部分退款'],
  full: [2, '全额退款'],
})

export const invoiceState = choiceTable('InvoiceState', '开票', {
  none: [0, '未开'],
  part: [1, '部分'],
  full: [2, '已开', 'done'],
})

export const billSource = choiceTable('BillSource', '来源', {
  auto: [10, '自动'],
  temporary: [20, '手工临时'],
  prepaid: [30, '预缴'],
  imported: [40, '导入'],
  metered: [50, '抄表'],
  shared: [60, '公摊'],
  workOrder: [70, '工单'],
  parking: [80, '停车'],
  otherIncome: [90, '其他收入'],
})

export const adjustType = choiceTable('AdjustType', '调整类型', {
  discount: [10, '减免金额'],
  rate: [20, '折扣'],
  roundOff: [30, '抹零'],
  lateWaive: [40, '违约金减免'],
  lateFix: [50, '违约金定额'],
  amount: [60, '改金额'],
  payer: [70, '改缴费人'],
  writeOff: [80, '核销'],
})

/** PAY-11 */
export const allocOrder = choiceTable('AllocOrder', '冲抵顺序', {
  lateFirst: [1, '违约金优先'],
  principalFirst: [2, '本金优先'],
  allPrincipalFirst: [3, '所有账单本金优先后再违约金'],
})

/** PAY-14 */
export const roundOffMode = choiceTable('RoundOff', '抹零', {
  none: [0, '不抹'],
  fen: [1, '抹分'],
  jiao: [2, '抹角'],
})

/** REF-2 */
export const billAfterRefund = choiceTable('BillAfter', '账单处理', {
  owed: [1, '恢复欠费'],
  abolished: [2, '同时作废账单'],
  kept: [3, '账单保持已缴'],
})

/** URG-2, URG-6 */
export const reminderChannel = choiceTable('UrgeChannel', '催缴方式', {
  sms: [10, '短信'],
  wechat: [20, '微信模板'],
  email: [25, '邮件'],
  app: [30, 'APP/小程序'],
  phone: [40, '电话登记'],
  visit: [50, '上门登记'],
  letter: [60, '书面催缴函'],
  lawyer: [70, '律师函'],
})

export const reminderState = choiceTable('UrgeState', '发送状态', {
  queued: [10, '待发', 'todo'],
  sending: [20, '发送中', 'doing'],
  sent: [30, '成功', 'done'],
  failed: [40, '失败', 'bad'],
  noContact: [50, '无联系方式', 'bad'],
  refused: [60, '用户拒收', 'off'],
})

/** URG-1 */
export const reminderRefusal = choiceTable('UrgeRefusal', '不能催缴的原因', {
  notNormal: ['NOT_NORMAL', '账单不是正常状态'],
  paid: ['PAID', '已缴清'],
  disputed: ['DISPUTED', '有争议'],
  promised: ['PROMISED', '已承诺缴费日'],
  paying: ['PAYING', '正在支付中'],
  tooSoon: ['TOO_SOON', '未到最短间隔'],
  noContact: ['NO_CONTACT', '无联系方式'],
  optedOut: ['OPTED_OUT', '用户拒收'],
})

/** How the bills of a batch were created. */
export const runKind = choiceTable('BillRunKind', '出账方式', {
  wizard: [10, '手工出账'],
  nightly: [20, '自动出账'],
  imported: [30, '导入'],
  shared: [40, '公摊'],
  metered: [50, '抄表'],
  temporary: [60, '临时费用'],
  repriced: [70, '调价重新生成'],
})

export const runState = choiceTable('BillRunState', '批次状态', {
  waiting: [10, '排队中', 'todo'],
  running: [20, '进行中', 'doing'],
  done: [30, '已完成', 'done'],
  stopped: [40, '已停止', 'off'],
  failed: [50, '失败', 'bad'],
  undone: [60, '已撤销', 'off'],
})

/** The groups of a preview; rows with a warning belong to 将生成. */
export const previewGroup = choiceTable('PreviewGroup', '预览分组', {
  make: [10, '将生成'],
  skip: [20, '跳过'],
  excluded: [30, '人工排除'],
  gap: [40, '中间未出账'],
})

/** SHR-5 */
export const poolBilled = choiceTable('PoolBilled', '公摊账单', {
  none: [0, '未出账'],
  unpaid: [10, '已出账未缴'],
  paid: [20, '已有缴费'],
})

/** Debts by age (AGE-1). */
export const billAge = choiceTable('BillAge', '逾期', {
  open: [0, '未到期'],
  month: [1, '1–30 天'],
  days60: [2, '31–60 天'],
  quarter: [3, '61–90 天'],
  days180: [4, '91–180 天'],
  year: [5, '181–365 天'],
  years2: [6, '1–2 年'],
  years3: [7, '2–3 年'],
  timeBarred: [8, '3 年以上'],
})

/** Why a bill that exists needs somebody's decision (PRO-7, CYC-9). */
export const followUpKind = choiceTable('BillFollowUpKind', '事由', {
  payer: [10, '缴费人已变更'],
  area: [20, '计费面积已变更'],
  ending: [30, '已止收'],
})

export const followUpState = choiceTable('BillFollowUpState', '处理状态', {
  open: [10, '待处理', 'todo'],
  done: [20, '已处理', 'done'],
  ignored: [30, '不处理', 'off'],
})

/** What to do with such a bill. */
export const followUpAdvice = choiceTable('BillFollowUpAdvice', '建议', {
  split: ['SPLIT', '按生效日拆分，之后的由新缴费人缴'],
  payer: ['PAYER', '改由新缴费人缴'],
  reissue: ['REISSUE', '作废后按新面积重新出账'],
  refund: ['REFUND', '已缴费：退款，或不处理'],
  refundFirst: ['REFUNDFIRST', '部分缴费：先退已收款，再处理账单'],
  credit: ['CREDIT', '转预存或退款'],
})

export const poolState = choiceTable('SharePoolState', '公摊状态', {
  open: [10, '待分摊', 'todo'],
  shared: [20, '已分摊', 'done'],
  abolished: [30, '已作废', 'off'],
})

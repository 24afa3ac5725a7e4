import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** One change of a company's quota of short messages (SMS-2, SMS-4). */
export const smsChange = choiceTable('SmsLedgerType', '额度变动', {
  opening: [10, '赠送'],
  bought: [20, '购买'],
  reserved: [30, '冻结'],
  used: [40, '扣减'],
  returned: [50, '退回'],
})

export type SmsChange = ChoiceOf<typeof smsChange>

export const smsBlockKind = choiceTable('SmsBlockKind', '限制', {
  optOut: [10, '退订', 'hold'],
  blackListed: [20, '黑名单', 'bad'],
})

export const smsBlockOrigin = choiceTable('SmsBlockOrigin', '来源', {
  reply: [10, '回复退订'],
  hand: [20, '人工登记'],
})

/** Of a template at the provider, which approves each before it may be used. */
export const smsTemplateState = choiceTable('SmsTemplateState', '审核状态', {
  pending: [10, '待审核', 'todo'],
  approved: [20, '已通过', 'done'],
  refused: [30, '未通过', 'bad'],
})

/** SMS-3. */
export const smsTaskState = choiceTable('PropertySmsState', '任务状态', {
  waiting: [10, '待发送', 'todo'],
  sending: [20, '发送中', 'doing'],
  done: [30, '成功', 'done'],
  failed: [40, '失败', 'bad'],
  partial: [50, '部分失败', 'hold'],
  cancelled: [60, '已取消', 'off'],
  unclear: [70, '待核对', 'hold'],
})

export type SmsTaskState = ChoiceOf<typeof smsTaskState>

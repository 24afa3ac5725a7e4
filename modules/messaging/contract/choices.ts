import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** How somebody outside is reached. */
export const messageChannel = choiceTable('MessageChannel', '渠道', {
  sms: [10, '短信'],
  wechat: [20, '微信'],
  email: [30, '邮件'],
})

export type MessageChannel = ChoiceOf<typeof messageChannel>

/** Marketing keeps to hours (SMS-3) and never reaches those who opted out; a service message does. */
export const messagePurpose = choiceTable('MessagePurpose', '用途', {
  service: [10, '服务通知'],
  marketing: [20, '营销'],
})

export type MessagePurpose = ChoiceOf<typeof messagePurpose>

export const receiverKind = choiceTable('MessageReceiver', '对象', {
  resident: [10, '住户'],
  staff: [20, '员工'],
  number: [30, '自有号码'],
})

export type ReceiverKind = ChoiceOf<typeof receiverKind>

/**
 * `unclear`: its sender died between the call and the booking, or the provider did not answer; a delivery
 * report settles it. `refused`: the receiver declines messages (WX-1: 43101), which is no fault.
 */
export const messageState = choiceTable('OutgoingMessageState', '发送状态', {
  queued: [10, '待发送', 'todo'],
  sending: [20, '发送中', 'doing'],
  unclear: [25, '结果未知', 'hold'],
  sent: [30, '已提交', 'doing'],
  delivered: [40, '已送达', 'done'],
  failed: [50, '失败', 'bad'],
  cancelled: [60, '已取消', 'off'],
  refused: [70, '用户拒收', 'off'],
})

export type MessageState = ChoiceOf<typeof messageState>

/** What became of the quota of a message (SMS-2); messages of other channels have none. */
export const quotaState = choiceTable('SmsQuotaState', '额度', {
  none: [0, '不计'],
  reserved: [10, '已冻结'],
  used: [20, '已用'],
  returned: [30, '已退回'],
})

/** Why somebody who was chosen gets no message. */
export const exclusionReason = choiceTable('ExclusionReason', '不发送的原因', {
  noAddress: [10, '无号码'],
  badAddress: [20, '号码不正确'],
  blackListed: [30, '黑名单'],
  optedOut: [40, '已退订'],
  duplicate: [50, '号码重复'],
  notBound: [60, '未绑定微信'],
  noEmail: [70, '无邮箱'],
  missingVariable: [80, '缺少变量'],
})

export type ExclusionReason = ChoiceOf<typeof exclusionReason>

export { provideArrears, type ArrearsFilter, type ArrearsSource } from './arrears-source.ts'
export { audienceQuery } from './audience.ts'
export { ChannelFault, type ChannelFaultKind } from './channel-fault.ts'
export {
  channelOf,
  outIdOf,
  registerChannel,
  sendWechat,
  wechatFaultKind,
  type Channel,
  type ChannelMessage,
} from './channels.ts'
export { dispatchMessages } from './dispatcher.ts'
export { defineMessageSource, type MessageOutcome, type MessageSource } from './message-source.ts'
export {
  cancelMessages,
  messageFigures,
  queueMessages,
  type MessageContent,
  type MessageFigures,
  type QueueContext,
  type QueueInput,
  type QueueResult,
} from './queue.ts'
export { creditQuota, findUsable } from './quota.ts'
export {
  countAudience,
  sampleAudience,
  type AudienceCount,
  type ChannelCount,
  type Receiver,
  type SampleReceiver,
} from './reach.ts'
export { findReceiverReach, type ReceiverReach } from './receiver-reach.ts'
export { registerSmsShop } from './low-quota.ts'
export { receiveReports } from './receive-reports.ts'
export { sendNow, type DirectMessage, type DirectOutcome } from './send-now.ts'
export {
  assertSpan,
  countMessages,
  projectNames,
  sumCounts,
  type StatisticCounts,
  type StatisticSpan,
} from './statistics.ts'
export { sheetResponse } from './sheet-response.ts'
export { countRecipientsOf, type RecipientCount } from './task-count.ts'
export { audienceVariables, variableFault } from '../domain/template.ts'
export { findReceiver } from './message-receiver.ts'

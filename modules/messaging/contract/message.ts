import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, projectField, type Row } from '#kit/contract/entity.ts'
import { choice, choices, idOf, int, keyRef, lines, moment, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { audienceFields } from './audience.ts'
import {
  exclusionReason,
  messageChannel,
  messagePurpose,
  messageState,
  quotaState,
  receiverKind,
} from './choices.ts'

const { permissions } = menu.record
const internal = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** One message to one person outside, and what became of it. */
export const outgoingMessage = entity(
  'outgoingMessage',
  '发送记录',
  { table: 'outgoing_message', tenancy: 'company', title: 'content', order: ['-id'] },
  {
    batchId: idOf('批次', { required: true, wire: 'BatchID', ...internal }),
    source: text('来源', { required: true, max: 40, wire: 'Source', ...internal }),
    bizId: idOf('业务编号', { required: true, wire: 'BizID', ...internal }),
    channel: choice('渠道', messageChannel, { required: true }),
    purpose: choice('用途', messagePurpose, { required: true }),
    receiverKind: choice('对象', receiverKind, { required: true }),
    receiverId: idOf('接收人', { required: true, wire: 'ReceiverID', ...internal }),
    projectCode: keyRef('项目', 'estate', {
      wire: 'ProjectCode',
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    roomName: text('房屋', { max: 100, wire: 'RoomName', hiddenIn: ['filter'] }),
    receiverName: text('接收人', { max: 60, searchable: true, wire: 'ReceiverName' }),
    address: text('号码', {
      required: true,
      max: 100,
      masked: 'mobile',
      searchable: true,
      wire: 'Address',
      hiddenIn: ['filter'],
    }),
    content: text('内容', { required: true, max: 1000, hiddenIn: ['filter'] }),
    segments: int('计费条数', { required: true, initial: 0, hiddenIn: ['filter'] }),
    quota: choice('额度', quotaState, { required: true, initial: 'none', ...inDetail }),
    sendTime: moment('计划发送时间', { required: true, ...inDetail }),
    expireTime: moment('有效期至', inDetail),
    attempts: int('尝试次数', { required: true, initial: 0, ...inDetail }),
    providerRef: text('服务商编号', { max: 60, ...inDetail }),
    failReason: text('原因', { max: 100, hiddenIn: ['filter'] }),
    sentTime: moment('提交时间'),
    endTime: moment('送达或结束时间', { hiddenIn: ['filter'] }),
    state: choice('状态', messageState, {
      required: true,
      initial: 'queued',
      struckOut: ['cancelled', 'refused'],
    }),
  },
)

export type OutgoingMessage = Row<typeof outgoingMessage>

export const outgoingMessages = crud(outgoingMessage, {
  path: 'PropertySms/Record',
  permissions,
  operations: ['list'],
  filters: ['channel', 'purpose', 'receiverKind', 'state', 'sentTime', 'createTime'],
  search: {
    projectCode: projectField<false>('项目', { target: 'estate', targetBy: 'key', required: false }),
    taskId: idOf('任务', { min: 1, wire: 'TaskID' }),
  },
  sums: ['segments'],
  list: { route: 'GET PropertySms/GetRecords', title: '短信发送记录' },
})

export const exportMessages = crudExport(outgoingMessages, {
  needs: permissions.export,
  route: 'GET PropertySms/ExportRecords',
  label: '发送记录',
})

/** By hand, after looking at the provider's console: what became of a message whose result is not known. */
export const settleMessage = call({
  route: 'PUT PropertySms/SettleRecord',
  title: '核对发送结果',
  needs: permissions.settle,
  input: shape({
    id: recordIdField,
    state: choice('结果', messageState, { required: true, wire: 'State' }),
    reason: text('说明', { required: true, min: 2, max: 100, wire: 'Reason' }),
  }),
  output: recordOf(outgoingMessage),
  affects: ['outgoingMessage', 'propertySms', 'smsAccount', 'smsLedger'],
})

const excludedFields = {
  reason: choice('原因', exclusionReason, { required: true, wire: 'Reason' }),
  count: int('人数', { required: true, wire: 'Count' }),
}

export const channelCountFields = {
  channel: choice('渠道', messageChannel, { required: true, wire: 'Channel' }),
  reachable: int('可送达', { required: true, wire: 'Reachable' }),
  excluded: lines('不发送', excludedFields, { required: true, wire: 'Excluded' }),
}

export const sampleFields = {
  channel: choice('渠道', messageChannel, { required: true, wire: 'Channel' }),
  name: text('接收人', { wire: 'Name' }),
  room: text('房屋', { wire: 'Room' }),
  address: text('号码', { required: true, masked: 'mobile', wire: 'Address' }),
  content: text('内容', { required: true, wire: 'Content' }),
}

/** Who will get a message, over which channel, who falls out and why, and ten messages as they will be. */
export const countRecipients = call({
  route: 'POST PropertySms/CountAudience',
  title: '接收人统计',
  needs: permissions.view,
  readOnly: true,
  input: shape({
    ...audienceFields,
    channels: choices('渠道', messageChannel, { required: true, wire: 'Channels' }),
    purpose: choice('用途', messagePurpose, { initial: 'service', wire: 'Purpose' }),
    text: text('内容', { max: 1000, wire: 'Content' }),
  }),
  output: shape({
    people: int('人数', { required: true, wire: 'People' }),
    channels: lines('各渠道', channelCountFields, { required: true, wire: 'ByChannel' }),
    segments: int('预计短信条数', { required: true, wire: 'Segments' }),
    usable: int('短信余量', { required: true, wire: 'Usable' }),
    samples: lines('示例', sampleFields, { required: true, wire: 'Samples' }),
  }),
})

import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, lines, lookup, moment, part, pickFields, ref, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { audienceFields, audienceValueFields } from './audience.ts'
import { exclusionReason, messageChannel, messagePurpose } from './choices.ts'
import { sampleFields } from './message.ts'
import { smsTaskState } from './sms-choices.ts'
import { variablesHelp } from './template.ts'

const { permissions } = menu.sms
const internal = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const computed = { required: true, initial: 0, immutable: true, hiddenIn: ['form', 'filter'] } as const

/** What is sent to is entered in full, and shown as the addresses of the messages are. */
const shownValueFields = {
  ...audienceValueFields,
  mobiles: { ...audienceValueFields.mobiles, masked: 'mobile' as const },
}

/** One text to many people. */
export const propertySms = entity(
  'propertySms',
  '短信群发',
  { table: 'property_sms', tenancy: 'company', title: 'taskName', order: ['-id'] },
  {
    taskName: text('任务名', { required: true, max: 60, searchable: true, wire: 'TaskName' }),
    channel: choice('渠道', messageChannel, { required: true, initial: 'sms', wire: 'Channel' }),
    purpose: choice('用途', messagePurpose, {
      required: true,
      initial: 'service',
      wire: 'Purpose',
      help: '营销只在 8:00–21:00 发送，不发给已退订的号码',
    }),
    templateId: ref('模板', 'smsTemplate', { wire: 'TemplateID', hiddenIn: ['table', 'filter', 'sheet'] }),
    templateName: lookup('模板', 'templateId', 'templateName', { wire: 'TemplateName', hiddenIn: ['table'] }),
    content: text('内容', { required: true, max: 500, help: variablesHelp, hiddenIn: ['filter'] }),
    scopeType: audienceFields.scopeType,
    scopeJson: part('范围值', shownValueFields, {
      wire: 'ScopeJson',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    numberCount: int('号码数', computed),
    segmentPerMsg: int('每条计费条数', { ...computed, hiddenIn: ['form', 'filter', 'table'] }),
    totalSegments: int('总条数', computed),
    excludedCount: int('不发送', computed),
    successCount: int('成功', computed),
    failCount: int('失败', computed),
    unclearCount: int('结果未知', { ...computed, help: '服务商没有答复，须在发送记录中核对结果' }),
    refuseCount: int('拒收', { ...computed, wire: 'RefuseCount' }),
    sendTime: moment('发送时间', { required: true, wire: 'SendTime' }),
    endTime: moment('完成时间', { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    operatorName: text('发送人', { max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    resendOf: idOf('重发自', { wire: 'ResendOf', ...internal }),
    state: choice('状态', smsTaskState, {
      required: true,
      initial: 'waiting',
      immutable: true,
      hiddenIn: ['form'],
      struckOut: ['cancelled'],
    }),
  },
)

export type PropertySms = Row<typeof propertySms>

export const propertySmses = crud(propertySms, {
  path: 'PropertySms',
  permissions,
  operations: ['list', 'get'],
  filters: ['channel', 'purpose', 'state', 'sendTime', 'createTime'],
  sums: ['numberCount', 'totalSegments', 'successCount', 'failCount'],
  list: { route: 'GET PropertySms/Get', title: '短信任务' },
})

export const exportSmsTasks = crudExport(propertySmses, {
  needs: permissions.export,
  route: 'GET PropertySms/Export',
  label: '短信任务',
})

const draftFields = {
  ...pickFields(propertySms.fields, ['taskName', 'channel', 'purpose', 'templateId']),
  content: text('内容', { max: 500, wire: 'Content', help: variablesHelp }),
  scopeType: audienceFields.scopeType,
  scopeJson: audienceFields.scopeJson,
  sendTime: moment('定时', { wire: 'SendTime', help: '不填则立即发送' }),
}

const affects = ['propertySms', 'outgoingMessage', 'smsAccount', 'smsLedger']

export const sendPropertySms = call({
  route: 'POST PropertySms/Post',
  title: '发送短信',
  needs: permissions.add,
  input: shape(draftFields, { entity: 'propertySms' }),
  output: recordOf(propertySms),
  affects,
})

/** SMS-2: what sending would reach and cost, with ten of the messages. */
export const countMassSms = call({
  route: 'POST PropertySms/MassSmsCount',
  title: '短信群发统计',
  needs: permissions.add,
  readOnly: true,
  input: shape({
    channel: { ...draftFields.channel, required: false as const },
    purpose: { ...draftFields.purpose, required: false as const },
    templateId: draftFields.templateId,
    content: draftFields.content,
    scopeType: audienceFields.scopeType,
    scopeJson: audienceFields.scopeJson,
  }),
  output: shape({
    people: int('人数', { required: true, wire: 'PeopleCount' }),
    numberCount: int('有效号码', { required: true }),
    duplicateCount: int('重复', { required: true, wire: 'RepeatCount' }),
    blackCount: int('黑名单', { required: true, wire: 'BlackCount' }),
    segmentPerMsg: int('每条计费条数', { required: true }),
    totalSegments: int('总条数', { required: true }),
    usableCount: int('可用', { required: true }),
    excluded: lines(
      '不发送',
      {
        reason: choice('原因', exclusionReason, { required: true, wire: 'Reason' }),
        count: int('人数', { required: true, wire: 'Count' }),
      },
      { required: true, wire: 'Excluded' },
    ),
    samples: lines('示例', sampleFields, { required: true, wire: 'Samples' }),
  }),
})

/** Takes back what is not sent yet; its quota returns. */
export const cancelPropertySms = call({
  route: 'PUT PropertySms/Cancel',
  title: '停止发送',
  needs: permissions.cancel,
  input: shape({ id: recordIdField }),
  output: recordOf(propertySms),
  affects,
})

/** A new task to those whom the old one failed to reach. */
export const resendPropertySms = call({
  route: 'POST PropertySms/Resend',
  title: '重发失败',
  needs: permissions.resend,
  input: shape({ id: recordIdField }),
  output: recordOf(propertySms),
  affects,
})

import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, systemChoice, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { messagePurpose } from './choices.ts'
import { smsTemplateState } from './sms-choices.ts'

export const variablesHelp = '可用变量：{name} 姓名、{room} 房屋、{project} 项目'

/** A wording that the provider has approved, or is asked to. */
export const smsTemplate = entity(
  'smsTemplate',
  '短信模板',
  { table: 'sms_template', tenancy: 'company', title: 'templateName', order: ['-id'] },
  {
    templateName: text('名称', { required: true, max: 40, searchable: true, wire: 'TemplateName' }),
    purpose: choice('用途', messagePurpose, { required: true, initial: 'service', wire: 'Purpose' }),
    content: text('内容', { required: true, max: 500, help: variablesHelp, hiddenIn: ['filter'] }),
    providerCode: text('服务商模板编号', {
      max: 40,
      wire: 'ProviderCode',
      hiddenIn: ['filter'],
      help: '审核通过后由短信服务商给出，例如 SMS_123456789',
    }),
    state: systemChoice('审核状态', smsTemplateState, 'pending'),
    reason: text('未通过原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type SmsTemplate = Row<typeof smsTemplate>

export const smsTemplates = crud(smsTemplate, {
  path: 'PropertySmsTemplate',
  permissions: menu.template.permissions,
  operations: ['list', 'get', 'add', 'edit', 'delete'],
  filters: ['purpose', 'state', 'createTime'],
  search: { ids: idsFilter },
  without: ['state', 'reason'],
})

export const pickSmsTemplates = pickerOf(smsTemplate, {
  route: 'GET PropertySmsTemplate/GetPick',
  title: '选择短信模板',
  fields: ['id', 'templateName', 'purpose', 'content', 'state'],
  search: { ids: idsFilter },
})

/** What the provider has decided about a template, as its console shows it. */
export const reviewSmsTemplate = call({
  route: 'PUT PropertySmsTemplate/PutState',
  title: '登记模板审核结果',
  needs: menu.template.permissions.review,
  input: shape({
    id: recordIdField,
    state: choice('审核状态', smsTemplateState, { required: true, initial: 'approved', wire: 'State' }),
    providerCode: smsTemplate.fields.providerCode,
    reason: text('未通过原因', { max: 200, wire: 'Reason' }),
  }),
  output: recordOf(smsTemplate),
  affects: ['smsTemplate'],
})

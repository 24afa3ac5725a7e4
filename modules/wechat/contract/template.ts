import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, lines, text } from '#kit/contract/field.ts'
import { listOfRows, noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { messageEvent } from './choices.ts'
import { accountField } from './estate-binding.ts'
import { accountIdField } from './menu.ts'

const { permissions } = menu.template

/** Which template of the platform carries the message of an event, and what stands in each of its fields. */
export const wechatTemplate = entity(
  'wechatTemplate',
  '消息模板',
  { table: 'wechat_template', tenancy: 'company', title: 'templateTitle', order: ['event', 'id'] },
  {
    accountId: { ...accountField, hiddenIn: ['table', 'sheet', 'detail', 'form'] as const },
    event: choice('通知事项', messageEvent, {
      required: true,
      initial: 'notice',
      immutable: true,
      wire: 'MessageEvent',
    }),
    templateId: text('模板编号', { required: true, max: 60, wire: 'TemplateID', hiddenIn: ['filter'] }),
    templateTitle: text('模板标题', { required: true, max: 40, searchable: true }),
    fieldValues: lines(
      '模板内容',
      {
        name: text('字段', { required: true, max: 30, help: '如 thing1' }),
        value: text('内容', {
          required: true,
          max: 100,
          help: '可用 {name} {room} {project} {title} {content} {time}',
        }),
      },
      { wire: 'DataJson', max: 10 },
    ),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type WechatTemplate = Row<typeof wechatTemplate>

export const wechatTemplates = crud(wechatTemplate, {
  path: 'ThePublicManagement/WxTemplate',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['accountId', 'event', 'state'],
})

/** The templates that the account has at the platform. */
export const listPlatformTemplates = call({
  route: 'GET ThePublicManagement/WxTemplate/GetPlatform',
  title: '公众号在微信的模板',
  needs: permissions.view,
  perMinute: 20,
  input: shape({ accountId: accountIdField }),
  output: listOfRows({
    templateId: text('模板编号', { required: true, wire: 'TemplateID' }),
    templateTitle: text('模板标题', { required: true }),
    content: text('模板内容', { required: true, wire: 'Content' }),
  }),
})

/** A message to one follower, to see what it looks like. */
export const sendTrialTemplate = call({
  route: 'POST ThePublicManagement/WxTemplate/SendTrial',
  title: '试发模板消息',
  needs: menu.mass.permissions.send,
  perMinute: 20,
  input: shape({
    id: recordIdField,
    followerId: idOf('关注者', { required: true, min: 1, wire: ['FollowerID', 'FollowerId'] }),
  }),
  output: noData,
})

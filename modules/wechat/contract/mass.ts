import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, list, lookup, moment, ref, systemChoice, text } from '#kit/contract/field.ts'
import { byId, byIdWithReason, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { massState, replyType } from './choices.ts'
import { accountField } from './estate-binding.ts'
import { accountIdField } from './menu.ts'

const { permissions } = menu.mass
const counted = { required: true, initial: 0, immutable: true, hiddenIn: ['form', 'filter'] } as const

/** One message to many followers of an account; the platform allows four a month to each of them. */
export const wechatMass = entity(
  'wechatMass',
  '公众号群发',
  { table: 'wechat_mass', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    accountId: { ...accountField, hiddenIn: ['table', 'sheet', 'detail', 'form'] as const },
    title: text('标题', { required: true, max: 80, searchable: true, wire: 'Title' }),
    messageType: choice('消息类型', replyType, { required: true, initial: 'text', wire: 'MessageType' }),
    content: text('内容', { max: 600, wire: 'Content', hiddenIn: ['table', 'filter'] }),
    materialId: ref('素材', 'wechatMaterial', {
      wire: ['MaterialID', 'MaterialId'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    materialTitle: lookup('素材', 'materialId', 'title', { wire: 'MaterialTitle' }),
    receiverCount: int('接收人数', counted),
    sentCount: int('已发', counted),
    failCount: int('失败', counted),
    reportedCount: int('微信已回报', { ...counted, help: '微信已告知结果的人数；其余以提交为准' }),
    fault: text('失败原因', { max: 300, immutable: true, hiddenIn: ['form', 'filter'] }),
    sendTime: moment('发送时间', { immutable: true, hiddenIn: ['form'] }),
    state: systemChoice('状态', massState, 'waiting'),
  },
)

export type WechatMass = Row<typeof wechatMass>

export const wechatMasses = crud(wechatMass, {
  path: 'ThePublicManagement/WxMass',
  permissions: {
    view: permissions.view,
    add: permissions.send,
    edit: permissions.send,
    del: permissions.send,
  },
  operations: ['list', 'get'],
  filters: ['accountId', 'state', 'sendTime'],
  list: { aliases: ['PropertyWxsms/Get'] },
  get: { aliases: ['PropertyWxsms/GetOne'] },
})

const estateCodes = {
  ...list('来源项目', {
    max: 2000,
    dataDomain: 'project',
    wire: 'Projectcodes',
    help: '不选为全部关注者',
  }),
  target: 'estate',
  targetBy: 'key' as const,
}

/** How many would get a mass message, and why others would not. */
export const countMassReceivers = call({
  route: 'GET ThePublicManagement/WxMass/Count',
  title: '群发人数',
  needs: permissions.view,
  input: shape({ accountId: accountIdField, estateCodes }),
  output: shape({
    followers: int('关注者', { required: true }),
    receivers: int('可发送', { required: true }),
    outOfQuota: int('本月已满', { required: true }),
  }),
})

export const sendMass = call({
  route: 'POST ThePublicManagement/SendWxSms',
  title: '公众号群发',
  needs: permissions.send,
  input: shape({
    accountId: accountIdField,
    title: wechatMass.fields.title,
    messageType: wechatMass.fields.messageType,
    content: wechatMass.fields.content,
    materialId: wechatMass.fields.materialId,
    estateCodes,
  }),
  output: recordOf(wechatMass),
  affects: ['wechatMass'],
})

/** What the platform has not been given yet is not sent. */
export const cancelMass = call({
  route: 'POST ThePublicManagement/WxMass/Cancel',
  title: '取消公众号群发',
  needs: permissions.send,
  input: byIdWithReason,
  output: recordOf(wechatMass),
  affects: ['wechatMass'],
})

/** Of one mass message: how many got it, did not get it, or still wait. */
export const getSpecificNumber = call({
  route: 'GET PropertyWxsms/GetSpecificNumber',
  title: '微信群发人数',
  needs: permissions.view,
  input: byId,
  output: shape({
    numberCount: int('人数', { required: true }),
    sentCount: int('已发', { required: true, wire: 'SentCount' }),
    failCount: int('失败', { required: true }),
    reportedCount: int('微信已回报', { required: true, wire: 'ReportedCount' }),
    waitingCount: int('待发送', { required: true, wire: 'WaitingCount' }),
  }),
})

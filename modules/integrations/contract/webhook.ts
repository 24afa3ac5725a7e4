import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  choices,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  moment,
  ref,
  text,
} from '#kit/contract/field.ts'
import { draftOf, extendShape, noData, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const { permissions } = menu.webhook
const reported = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const
const inDetail = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
/** Of what waits at an endpoint after a failure; nothing where nothing failed. */
const ofWaiting = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const

/** What an endpoint can be notified of, by the type that is in its messages. */
export const webhookEvent = choiceTable('WebhookEvent', '事件', {
  billCreated: ['bill.created', '账单生成'],
  billUpdated: ['bill.updated', '账单变动'],
  billDeleted: ['bill.deleted', '账单删除'],
  paymentCreated: ['payment.created', '收款'],
  paymentUpdated: ['payment.updated', '收款作废或恢复'],
  refundCompleted: ['refund.completed', '退款完成'],
  residentCreated: ['resident.created', '住户新增'],
  residentUpdated: ['resident.updated', '住户变动'],
  residentDeleted: ['resident.deleted', '住户删除'],
  roomCreated: ['room.created', '房间新增'],
  roomUpdated: ['room.updated', '房间变动'],
  roomDeleted: ['room.deleted', '房间删除'],
})

/** The type of a message that only tries the address. */
export const testEventType = 'webhook.test'

/** HOOK-3 */
export const webhookState = choiceTable('WebhookState', '推送状态', {
  on: [10, '启用', 'done'],
  off: [20, '停用', 'off'],
  failed: [30, '自动停用', 'bad'],
})

/** HOOK-2 */
export const deliveryState = choiceTable('WebhookDeliveryState', '推送结果', {
  pending: [10, '待推送', 'todo'],
  delivered: [20, '成功', 'done'],
  failed: [30, '失败', 'bad'],
  skipped: [40, '已跳过', 'off'],
})

/** An address of the company's own system that is notified of events, each signed, in order. */
export const webhookEndpoint = entity(
  'webhookEndpoint',
  '推送地址',
  { table: 'webhook_endpoint', tenancy: 'company', title: 'name', order: ['state', '-id'] },
  {
    name: text('名称', { required: true, max: 30, searchable: true }),
    url: text('地址', { required: true, max: 500, searchable: true, help: '以 https:// 开头' }),
    eventTypes: choices('事件', webhookEvent, { required: true, min: 1, ...inForm }),
    allProject: flag('全部项目', { required: true, initial: false, help: '包括以后新增的项目', ...inForm }),
    projectCodes: list('项目', {
      max: 2000,
      dataDomain: 'project',
      wire: 'Projectcodes',
      target: 'estate',
      targetBy: 'key',
      ...inForm,
    }),
    state: choice('状态', webhookState, { required: true, initial: 'on', immutable: true }),
    stopReason: text('停用原因', { max: 300, ...inDetail }),
    lastSuccessTime: moment('最近成功', reported),
    lastFailureTime: moment('最近失败', reported),
    creatorId: ref('创建人', 'manager', { required: true, ...reported }),
    creatorName: lookup('创建人', 'creatorId', 'realName', { wire: 'CreatorName' }),
    pendingCount: int('待推送', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    failingSince: moment('失败开始', { derived: true, ...ofWaiting }),
    failureReason: text('失败原因', { max: 300, derived: true, ...ofWaiting }),
    nextTime: moment('下次推送', { derived: true, ...ofWaiting }),
  },
)

export type WebhookEndpoint = Row<typeof webhookEndpoint>

export const reportedEndpointKeys = [
  'state',
  'stopReason',
  'lastSuccessTime',
  'lastFailureTime',
  'creatorId',
] as const

export const webhookEndpoints = crud(webhookEndpoint, {
  path: 'Webhook',
  permissions,
  operations: ['list', 'get', 'edit', 'delete'],
  filters: ['state', 'name'],
  without: reportedEndpointKeys,
})

export const {
  list: listWebhooks,
  get: getWebhook,
  edit: editWebhook,
  delete: deleteWebhooks,
} = webhookEndpoints

const secretField = text('签名密钥', { required: true, max: 80 })

/** Returns the secret of the signatures, once. */
export const addWebhook = call({
  route: 'POST Webhook/Post',
  title: '新增推送地址',
  needs: permissions.add,
  affects: ['webhookEndpoint'],
  input: draftOf(webhookEndpoint, reportedEndpointKeys),
  output: extendShape(recordOf(webhookEndpoint), { secret: secretField }),
})

/** A new secret; the one before signs as well for a day, so that there is time to change the receiver. */
export const rotateWebhookSecret = call({
  route: 'POST Webhook/RotateSecret',
  title: '更换签名密钥',
  needs: permissions.secret,
  affects: ['webhookEndpoint'],
  input: shape({ id: recordIdField }),
  output: shape({ secret: secretField, previousUntil: moment('原密钥有效至', { required: true }) }),
})

/** Off: events are not kept. On again, what was waiting goes on. */
export const setWebhookState = call({
  route: 'POST Webhook/SetState',
  title: '启用或停用推送',
  needs: permissions.edit,
  affects: ['webhookEndpoint', 'webhookDelivery'],
  input: shape({ id: recordIdField, isOn: flag('启用', { required: true, wire: 'IsOn' }) }),
  output: recordOf(webhookEndpoint),
})

export const sendTestEvent = call({
  route: 'POST Webhook/SendTest',
  title: '推送测试事件',
  needs: permissions.test,
  perMinute: 20,
  affects: ['webhookDelivery'],
  input: shape({ id: recordIdField }),
  output: shape({ deliveryId: idOf('推送编号', { required: true }) }),
})

export const attemptFields = {
  time: moment('时间', { required: true }),
  statusCode: int('应答状态'),
  tookMs: int('用时', { required: true, unit: '毫秒' }),
  reason: text('失败原因', { max: 300 }),
}

/** One event for one endpoint, with what became of it. Its `webhook-id` stays whatever the attempts. */
export const webhookDelivery = entity(
  'webhookDelivery',
  '推送记录',
  { table: 'webhook_delivery', tenancy: 'company', title: 'type', order: ['-id'] },
  {
    endpointId: ref('推送地址', 'webhookEndpoint', { required: true }),
    endpointName: lookup('推送地址', 'endpointId', 'name', { wire: 'EndpointName' }),
    type: text('事件', { required: true, max: 40, searchable: true }),
    /** 0: of a test. */
    subjectId: int('对象编号', { required: true, max: Number.MAX_SAFE_INTEGER }),
    eventTime: moment('发生时间', { required: true }),
    state: choice('结果', deliveryState, { required: true, initial: 'pending' }),
    attempts: int('次数', { required: true, initial: 0 }),
    nextTime: moment('下次推送', { hiddenIn: ['filter'] }),
    lastTime: moment('最近推送'),
    statusCode: int('应答状态'),
    tookMs: int('用时', { unit: '毫秒' }),
    reason: text('失败原因', { max: 300, hiddenIn: ['filter'] }),
    answer: text('应答内容', { max: 2000, hiddenIn: ['table', 'filter'] }),
    body: text('推送内容', { max: 200_000, hiddenIn: ['table', 'filter'] }),
    attemptLog: lines('历次推送', attemptFields, { max: 50, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    webhookId: text('webhook-id', { derived: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
  },
)

export type WebhookDelivery = Row<typeof webhookDelivery>

export const webhookDeliveries = crud(webhookDelivery, {
  path: 'WebhookDelivery',
  permissions,
  operations: ['list', 'get'],
  filters: ['endpointId', 'type', 'state', 'eventTime', 'subjectId'],
})

export const { list: listDeliveries, get: getDelivery } = webhookDeliveries

/**
 * Sends again, under the same `webhook-id`: some, or those of an endpoint in a time (its failed ones). What
 * waits is sent at once: of those named, or all of an endpoint.
 */
export const replayDeliveries = call({
  route: 'POST WebhookDelivery/Replay',
  title: '重新推送',
  needs: permissions.replay,
  affects: ['webhookEndpoint', 'webhookDelivery'],
  input: shape({
    ids: list('编号', { max: 2000, wire: 'Ids' }),
    endpointId: idOf('推送地址', { wire: 'EndpointID', min: 1 }),
    timeFrom: moment('发生时间起', { wire: 'TimeFrom' }),
    timeTo: moment('发生时间止', { wire: 'TimeTo' }),
    onlyFailed: flag('只重新推送失败的', { wire: 'OnlyFailed' }),
    onlyWaiting: flag('只推送待推送的', { wire: 'OnlyWaiting' }),
  }),
  output: shape({ count: int('条数', { required: true, wire: 'Count' }) }),
})

/** Gives up one that waits, so that those behind it go on. */
export const skipDelivery = call({
  route: 'POST WebhookDelivery/Skip',
  title: '跳过推送',
  needs: permissions.replay,
  affects: ['webhookDelivery'],
  input: shape({ id: recordIdField }),
  output: noData,
})

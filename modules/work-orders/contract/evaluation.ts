import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, keyRef, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { visitReason, visitResult, visitState } from './choices.ts'
import { photoList } from './work-order.ts'

const { permissions } = menu.evaluation
const score = (label: string) => int(label, { required: true, min: 1, max: 5 })

const ofOrder = {
  projectCode: estateField(),
  orderId: ref('工单', 'workOrder', {
    required: true,
    wire: 'OrderID',
    hiddenIn: ['table', 'filter', 'sheet'],
  }),
  orderNo: lookup('工单号', 'orderId', 'orderNo', { searchable: true }),
  typeName: lookup('类型', 'orderId', 'typeName', { wire: 'TypeName' }),
  address: lookup('位置', 'orderId', 'address', { searchable: true }),
  handlerName: lookup('处理人', 'orderId', 'handlerName', { wire: 'HandlerName' }),
  buildCode: keyRef('楼栋', 'building', {
    dataDomain: 'building',
    wire: 'Buildcode',
    hiddenIn: ['table', 'form', 'detail', 'sheet'],
  }),
}

/**
 * How the requester rates the order (WO-10); one that nobody gave is the system's and counts in no average.
 * An order that was reopened keeps each rating that it had: `reopenTime` tells them from its current one.
 */
export const evaluation = entity(
  'workOrderEvaluation',
  '工单评价',
  { table: 'work_order_evaluation', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    ...ofOrder,
    /** Who had done the work then: another may have the order since. */
    handlerId: ref('处理人', 'manager', {
      wire: 'HandlerID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    handlerName: lookup('处理人', 'handlerId', 'realName', { wire: 'HandlerName' }),
    score: score('总分'),
    speedScore: score('响应'),
    attitudeScore: score('态度'),
    qualityScore: score('质量'),
    content: text('内容', { max: 500 }),
    photos: photoList('图片'),
    isDefault: flag('系统默认', { required: true, initial: false }),
    evaluateTime: moment('评价时间', { required: true }),
    changeTime: moment('修改时间'),
    evaluatorName: text('评价人', { max: 40 }),
    /** The order was taken up again after this rating: it has another since, or is still to be rated. */
    reopenTime: moment('重新处理时间', { help: '评价之后工单重新处理；评价保留，计入统计' }),
    /** What the return visit found, if there was one. */
    returnVisit: text('回访结果', { derived: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type Evaluation = Row<typeof evaluation>

export const evaluations = crud(evaluation, {
  path: 'Evaluate',
  permissions,
  operations: ['list'],
  filters: ['orderId', 'score', 'isDefault', 'evaluateTime', 'reopenTime', 'buildCode'],
})

export const evaluationInput = {
  score: { ...score('总分'), required: false as const },
  speedScore: score('响应'),
  attitudeScore: score('态度'),
  qualityScore: score('质量'),
  content: text('内容', { max: 500 }),
  photos: photoList('图片'),
}

/**
 * In the name of the requester, by who registered the order or may rate for others. Nobody rates an order
 * that the rater handled. Without a total it is the rounded average. The requester alone may change it, once
 * within 24 hours.
 */
export const evaluateOrder = call({
  route: 'POST Evaluate/Post',
  title: '评价工单',
  needs: permissions.add,
  affects: ['workOrderEvaluation', 'workOrder', 'workOrderVisit', 'workOrderRecord'],
  input: shape({
    orderId: idOf('工单', { required: true, min: 1, wire: ['OrderID', 'ID'] }),
    ...evaluationInput,
  }),
  output: recordOf(evaluation),
})

/**
 * A call back to the requester: of a complaint always, of an order with a score of 2 or less (WO-10, WO-14).
 */
export const visit = entity(
  'workOrderVisit',
  '工单回访',
  { table: 'work_order_visit', tenancy: 'project', title: 'orderNo', order: ['state', '-id'] },
  {
    ...ofOrder,
    reporterName: lookup('报事人', 'orderId', 'reporterName'),
    reason: choice('原因', visitReason, { required: true }),
    state: choice('状态', visitState, { required: true, initial: 'waiting' }),
    dueTime: moment('应回访时间', { required: true }),
    result: choice('结果', visitResult),
    content: text('回访情况', { max: 200, wire: ['ReturnVisit', 'Content'] }),
    visitTime: moment('回访时间'),
    visitorName: text('回访人', { max: 40 }),
  },
)

export type Visit = Row<typeof visit>

export const visits = crud(visit, {
  path: 'workorder/v1/Visit',
  permissions,
  operations: ['list'],
  filters: ['orderId', 'reason', 'state', 'result', 'dueTime', 'visitTime', 'buildCode'],
  list: { route: 'GET workorder/v1/Visit/GetPagedList' },
})

export const { list: listVisits } = visits

/** Somebody who could not be reached may be called again: the visit then stays open. */
export const saveVisit = call({
  route: 'POST workorder/v1/Visit/Save',
  title: '登记回访',
  needs: permissions.visit,
  affects: ['workOrderVisit', 'workOrderEvaluation', 'workOrder', 'workOrderRecord'],
  input: shape({
    id: recordIdField,
    result: choice('结果', visitResult, { required: true }),
    content: text('回访情况', { required: true, min: 2, max: 200, wire: ['ReturnVisit', 'Content'] }),
  }),
  output: recordOf(visit),
})

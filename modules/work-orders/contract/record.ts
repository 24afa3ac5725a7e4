import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { actorKind, orderAction, orderState } from './choices.ts'
import { photoList } from './work-order.ts'

/** One thing done to an order. The clocks are computed from these rows (WO-3). */
export const orderRecord = entity(
  'workOrderRecord',
  '工单流转',
  { table: 'work_order_record', tenancy: 'project', title: 'action', order: ['id'] },
  {
    projectCode: estateField(),
    orderId: ref('工单', 'workOrder', { required: true, wire: 'OrderID', hiddenIn: ['table'] }),
    buildCode: buildingThrough('orderId'),
    orderNo: lookup('工单号', 'orderId', 'orderNo', { hiddenIn: ['table'] }),
    action: choice('动作', orderAction, { required: true }),
    fromState: choice('原状态', orderState),
    toState: choice('新状态', orderState, { required: true }),
    actionTime: moment('时间', { required: true }),
    actor: choice('操作方', actorKind, { required: true }),
    operatorId: idOf('操作人', { wire: 'OperatorID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    operatorName: text('操作人', { required: true, max: 40, searchable: true }),
    content: text('说明', { max: 500, searchable: true }),
    photos: photoList('附件'),
    /** To whom it was given, of a dispatch. */
    personId: idOf('接单人编号', { wire: 'PersonID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    personName: text('接单人', { max: 40 }),
    /** The new deadline of an extension; until when a suspension is expected to last. */
    deadline: moment('时限'),
    costBefore: money('原费用'),
    costAfter: money('新费用'),
  },
)

export type OrderRecord = Row<typeof orderRecord>

export const orderRecords = crud(orderRecord, {
  path: 'WorkorderRecord',
  permissions: menu.order.permissions,
  operations: ['list'],
  filters: ['orderId', 'action', 'actionTime'],
})

/** A note in the history of an order: no change of state. */
export const addOrderNote = call({
  route: 'POST PropertyWorkorderRecord/Post',
  title: '添加工单备注',
  needs: menu.order.permissions.follow,
  affects: ['workOrderRecord', 'workOrder'],
  input: shape({
    orderId: idOf('工单', { required: true, min: 1, wire: ['OrderID', 'ID'] }),
    content: text('说明', { required: true, min: 2, max: 500 }),
    photos: photoList('附件'),
  }),
  output: recordOf(orderRecord),
})

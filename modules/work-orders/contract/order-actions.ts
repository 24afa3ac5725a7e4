import { call, type Permission } from '#kit/contract/call.ts'
import { choice, flag, idOf, lines, moment, money, text, type Fields } from '#kit/contract/field.ts'
import { bulkResult, reasonField, recordIdsField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { chargeLineInput } from './charge.ts'
import { orderState } from './choices.ts'
import { photoList, workOrder } from './work-order.ts'

const { permissions } = menu.order
const id = idOf('工单', { required: true, min: 1, wire: ['ID', 'OrderID'] })
const remark = text('说明', { max: 500, wire: ['Content', 'Remark'] })
const photos = photoList('图片')
const affects = ['workOrder', 'workOrderRecord', 'workOrderCharge', 'workOrderVisit', 'bill']

/** One action on one order (C12.1). It answers the order as it is then. */
const action = <const F extends Fields>(
  route: `${'PUT' | 'POST'} ${string}`,
  title: string,
  needs: Permission,
  input: F,
) =>
  call({
    route,
    title,
    needs,
    affects,
    input: shape({ id, ...input }),
    output: recordOf(workOrder),
  })

const basePath = 'workorder/v1/WorkOrder'

/** Passed, or refused with the reason. */
export const auditOrder = action(`PUT ${basePath}/AuditPass`, '审核工单', permissions.audit, {
  isPassed: flag('通过', { required: true, initial: true, wire: ['IsPass', 'Pass'] }),
  reason: text('原因', { max: 200, wire: 'Reason', help: '驳回时必填' }),
})

const personFields = {
  handlerId: idOf('处理人', { min: 1, wire: ['HandlerID', 'ManagerID'] }),
  /** An employee instead of an account, as the old wire names them. */
  staffId: idOf('员工', { min: 1, wire: 'StaffID' }),
}

const involvedPeople = {
  assistIds: { ...workOrder.fields.assistIds, immutable: false as const },
  observerIds: workOrder.fields.observerIds,
}

/** As the dispatcher saw it: what another has dispatched since is not dispatched again. */
const seenState = choice('派单前状态', orderState, { wire: 'SeenState' })

/** To a person, again to another as well; or by the mode of its type where it waits and none is named. */
export const dispatchOrder = action(`PUT ${basePath}/Dispatch`, '派单', permissions.dispatch, {
  ...personFields,
  seenState,
  ...involvedPeople,
  remark,
})

/** Several at once, to one person or each by the mode of its type. */
export const dispatchOrders = call({
  route: `PUT ${basePath}/DispatchBatch`,
  title: '批量派单',
  needs: permissions.dispatch,
  affects,
  input: shape({ ids: recordIdsField, ...personFields, seenState }),
  output: bulkResult,
})

export const grabOrder = action(`PUT ${basePath}/Grab`, '抢单', permissions.handle, {})
/** When it was done without a network: when it really happened, not before the step that it follows. */
const doneTime = moment('实际时间', { wire: ['DoneTime', 'FinishTime', 'ArriveTime'] })

export const acceptOrder = action(`PUT ${basePath}/Accept`, '接单', permissions.handle, { doneTime })

export const arriveOrder = action(`PUT ${basePath}/Arrive`, '到场', permissions.handle, {
  remark,
  photos,
  doneTime,
})

/** Back to the dispatcher; three times at most, then the supervisor decides. */
export const denyOrder = action('PUT Workorder/PutDenyOrder', '拒单', permissions.handle, {
  reason: reasonField,
})

/** Clocks stand still until it is resumed. */
export const suspendOrder = action(`PUT ${basePath}/Suspend`, '挂起', permissions.handle, {
  reason: reasonField,
  resumeTime: moment('预计恢复', { required: true }),
  doneTime,
})

export const resumeOrder = action(`PUT ${basePath}/Resume`, '恢复', permissions.handle, {
  remark,
  doneTime,
})

/** WO-6 */
export const requestExtension = action(`PUT ${basePath}/RequestExtension`, '申请延期', permissions.handle, {
  deadline: moment('延期至', { required: true }),
  reason: reasonField,
})

export const decideExtension = action(`PUT ${basePath}/DecideExtension`, '审批延期', permissions.supervise, {
  isPassed: flag('同意', { required: true, wire: ['IsPass', 'Pass'] }),
  reason: text('原因', { max: 200, wire: 'Reason', help: '驳回时必填' }),
})

/** The cost is that of the lines; without lines it stays as it was. */
export const finishOrder = action('PUT Workorder/PutFinishOrder', '完成', permissions.handle, {
  resultText: text('处理结果', { required: true, min: 2, max: 1000 }),
  photos: { ...photos, wire: ['ResultPhotos', 'Photos'] },
  lines: lines('费用明细', chargeLineInput, { max: 100, wire: 'ItemJson' }),
  doneTime,
})

/** The result is accepted, or sent back to be done again. */
export const checkOrder = action(`PUT ${basePath}/Check`, '验收', permissions.check, {
  isPassed: flag('通过', { required: true, initial: true, wire: ['IsPass', 'Pass'] }),
  reason: text('原因', { max: 200, wire: 'Reason', help: '退回时必填' }),
  photos,
})

/** WO-8: only while it is not paid; a waiver asks for its own right and a reason. */
export const modifyCost = action(`PUT ${basePath}/ModifyCost`, '修改费用', menu.charge.permissions.cost, {
  lines: lines('费用明细', chargeLineInput, { required: true, min: 0, max: 100, wire: 'ItemJson' }),
  waiveCost: money('减免', { required: true, initial: 0, min: 0, wire: ['WaiveCost', 'DiscountAmount'] }),
  isWarranty: flag('质保内免费'),
  reason: reasonField,
})

/** Before it is accepted at once; later a request that a second person decides. */
export const closeOrder = action(`PUT ${basePath}/Close`, '关闭工单', permissions.close, {
  reason: reasonField,
})

export const decideClose = action(`PUT ${basePath}/DecideClose`, '审批关闭', permissions.supervise, {
  isPassed: flag('同意', { required: true, wire: ['IsPass', 'Pass'] }),
  reason: text('原因', { max: 200, wire: 'Reason', help: '驳回时必填' }),
})

/** By who registered it, before it is accepted. */
export const cancelOrder = action(`PUT ${basePath}/Cancel`, '取消工单', permissions.add, {
  reason: reasonField,
})

export const reopenOrder = action(`PUT ${basePath}/Reopen`, '重新处理', permissions.supervise, {
  reason: reasonField,
})

/** WO-5 */
export const expediteOrder = action('POST workorder/v1/WorkOrder/Urge', '催办', permissions.follow, {
  remark,
})

export const setObservers = action(`PUT ${basePath}/SetObservers`, '设置抄送与协助', permissions.follow, {
  ...involvedPeople,
})

/**
 * The old call: to the state that is named, by the one action that leads there from where the order is. It
 * needs the right of that action, and what the action asks for.
 */
export const putOrderState = action('PUT Workorder/PutState', '变更工单状态', permissions.follow, {
  state: choice('状态', orderState, { required: true }),
  reason: text('原因', { max: 200, wire: ['Reason', 'Content'] }),
  resumeTime: moment('预计恢复'),
  resultText: text('处理结果', { max: 1000 }),
  photos,
  ...personFields,
})

import { call, everyone } from '#kit/contract/call.ts'
import { choice, decimal, flag, idOf, int, lines, list, part, text } from '#kit/contract/field.ts'
import { byId, listOfRows, noData, recordIdsField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { menu } from '../module.ts'
import { charge, chargeLineFields, chargeMoneyFields } from './charge.ts'
import { orderAction } from './choices.ts'
import { evaluation, visit } from './evaluation.ts'
import { orderRecord } from './record.ts'
import { workOrder } from './work-order.ts'

const { permissions } = menu.order
const { fields } = workOrder
const idInput = idOf('工单', { required: true, min: 1, wire: ['ID', 'OrderID'] })

/** What the caller may do to it now; those that the state allows but their rights do not are left out. */
const actionFields = {
  action: choice('动作', orderAction, { required: true }),
  label: text('名称', { required: true }),
}

/** Who handles it: how to reach them, and what they have in hand. */
const handlerFields = {
  name: text('姓名', { required: true }),
  /** Undefined for callers who may not see employees. */
  staffId: idOf('员工', { wire: 'StaffID' }),
  departmentName: text('部门', { wire: 'DepartmentName' }),
  position: text('岗位'),
  mobile: text('手机', { masked: 'mobile' }),
  openCount: int('在办', { required: true }),
  lateCount: int('超时', { required: true }),
  /** Nothing where they can handle no order there any more. */
  isOnDuty: flag('在岗'),
  isPaused: flag('暂停接单', { required: true }),
  /** The average of the rated orders that were registered this month. */
  monthScore: decimal('本月满意度', { scale: 2 }),
  monthRated: int('本月评价', { required: true }),
}

/** The order with all that belongs to it. The screen then marks it as read (`markOrdersViewed`, WO-12). */
export const getOrder = call({
  route: 'GET workorder/v1/WorkOrder/GetOne',
  aliases: ['Workorder/GetOne'],
  title: '查看工单',
  needs: permissions.view,
  input: byId,
  output: shape(
    {
      ...fields,
      actions: lines('可办理', actionFields, { required: true }),
      records: lines('流转', orderRecord.fields, { required: true }),
      charges: lines('费用', charge.fields, { required: true }),
      chargeLines: lines('费用明细', chargeLineFields, { required: true }),
      /** The money of its last cost; undefined without one. */
      money: part('费用收付', chargeMoneyFields),
      /** By which somebody may be paying just now; the cost is not changed before it ends. */
      payOrder: part('待付的支付单', orderShape.fields),
      evaluation: part('评价', evaluation.fields),
      /** Those given before the order was taken up again, the last first. */
      earlierEvaluations: lines('重新处理前的评价', evaluation.fields, { required: true }),
      visits: lines('回访', visit.fields, { required: true }),
      handler: part('处理人资料', handlerFields),
      /** The room that it is about, unless that was deleted. */
      roomId: idOf('房屋编号', { wire: 'RoomID' }),
      assistNames: list('协助人', { wire: 'AssistNames' }),
      observerNames: list('抄送人', { wire: 'ObserverNames' }),
      /** The time left on its clock, in service minutes; undefined once the clock has stopped. */
      finishMinutesLeft: int('完成剩余分钟'),
      serviceText: text('服务时间', { required: true }),
      photoCount: int('完成照片数', { required: true }),
      needAccept: flag('需验收', { required: true }),
    },
    { entity: 'workOrder' },
  ),
})

const registerFields = {
  typeId: fields.typeId,
  source: { ...fields.source, required: false as const },
  roomCode: fields.roomCode,
  areaId: fields.areaId,
  deviceId: fields.deviceId,
  address: fields.address,
  reporterId: fields.reporterId,
  reporterName: fields.reporterName,
  reporterPhone: fields.reporterPhone,
  title: fields.title,
  content: fields.content,
  photos: fields.photos,
  videos: fields.videos,
  level: fields.level,
  appointTime: fields.appointTime,
  observerIds: fields.observerIds,
  relatedOrderId: fields.relatedOrderId,
}

/** By service staff, by phone or by an employee. Without room, area or device it needs an address. */
export const registerOrder = call({
  route: 'POST workorder/v1/WorkOrder/Register',
  aliases: ['Workorder/Post'],
  title: '登记工单',
  needs: permissions.add,
  affects: ['workOrder'],
  input: shape({
    projectCode: estateField<true>(),
    ...registerFields,
    /** Given at once to this person, where the registrar may dispatch. */
    handlerId: idOf('处理人', { wire: 'HandlerID', min: 1 }),
  }),
  output: recordOf(workOrder),
})

/** The old form: the type by its name, the place by the room. */
export const registerRepair = call({
  route: 'POST Repairorder/Post',
  title: '登记报修单',
  needs: permissions.add,
  affects: ['workOrder'],
  input: shape({
    projectCode: estateField<true>(),
    roomCode: fields.roomCode,
    address: fields.address,
    repairType: text('类型', { required: true, max: 40 }),
    content: fields.content,
    photos: fields.photos,
    reporterName: fields.reporterName,
    reporterPhone: fields.reporterPhone,
  }),
  output: recordOf(workOrder),
})

/** Open orders of the same place and type of the last days (WO-7): shown before another is registered. */
export const findDuplicateOrders = call({
  route: 'GET workorder/v1/WorkOrder/GetDuplicates',
  title: '可能重复的工单',
  needs: permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    typeId: idOf('类型', { required: true, min: 1, wire: 'TypeID' }),
    roomCode: fields.roomCode,
    areaId: idOf('公共区域', { min: 1, wire: 'AreaID' }),
  }),
  output: listOfRows(
    {
      id: fields.id,
      orderNo: fields.orderNo,
      typeName: fields.typeName,
      title: fields.title,
      state: fields.state,
      registerTime: fields.registerTime,
      handlerName: fields.handlerName,
    },
    { entity: 'workOrder' },
  ),
})

/** Whom a phone number belongs to, and their rooms: what service staff fill in while it rings. */
export const findReporters = call({
  route: 'GET workorder/v1/WorkOrder/GetReporter',
  title: '按电话查找报事人',
  needs: permissions.add,
  input: shape({
    projectCode: estateField<true>(),
    phone: text('电话', { required: true, min: 4, max: 20, wire: 'ReporterPhone' }),
  }),
  output: listOfRows({
    reporterId: idOf('住户', { required: true, wire: 'ReporterID' }),
    reporterName: text('姓名', { required: true }),
    reporterPhone: { ...fields.reporterPhone, required: true as const },
    roomCode: text('房屋', { wire: ['RoomCode', 'Roomcode'] }),
    roomName: text('房屋名称', { wire: 'RoomName' }),
    openCount: int('在办工单', { required: true }),
  }),
})

/** Changes what was registered, while the order is not finished; a new type or level moves its deadlines. */
export const editOrder = call({
  route: 'PUT Workorder/PutSaveOrder',
  title: '修改工单',
  needs: permissions.edit,
  affects: ['workOrder', 'workOrderRecord'],
  input: shape(
    {
      id: idInput,
      version: int('版本', { min: 0 }),
      typeId: { ...fields.typeId, required: false as const },
      address: fields.address,
      reporterName: fields.reporterName,
      reporterPhone: fields.reporterPhone,
      title: fields.title,
      content: { ...fields.content, required: false as const },
      photos: fields.photos,
      videos: fields.videos,
      level: { ...fields.level, required: false as const, initial: undefined },
      appointTime: fields.appointTime,
    },
    { entity: 'workOrder', isDraft: true },
  ),
  output: recordOf(workOrder),
})

/** Marks as read by the caller, or as unread again: their own marks alone. */
export const markOrdersViewed = call({
  route: 'PUT Workorder/PutViewOrderTag',
  title: '标记工单已查看',
  needs: everyone,
  affects: ['workOrder'],
  input: shape({
    ids: recordIdsField,
    isViewed: flag('已查看', { required: true, initial: true }),
  }),
  output: noData,
})

/** The link that shows the order to its reporter without an account. */
export const getOrderLink = call({
  route: 'GET workorder/v1/WorkOrder/GetLink',
  title: '报事人链接',
  needs: permissions.view,
  input: byId,
  output: shape({
    url: text('链接', { required: true, wire: 'Url' }),
    token: text('凭证', { required: true }),
  }),
})

import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { choice, flag, idOf, int, lines, list, text } from '#kit/contract/field.ts'
import { idRule, pageOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderState, orderView } from './choices.ts'
import { workOrder } from './work-order.ts'

const { permissions } = menu.order

/** What lists are narrowed by beside fields: figures of the statistics name orders by these. */
const searchFields = {
  view: choice('视图', orderView),
  /** Types with all that lie under them. */
  underTypeId: list('类型及下级', { max: 200, rule: idRule, wire: 'UnderTypeID' }),
  /** Somebody who registered it, handles or handled it, assists or gets a copy. */
  personId: idOf('相关人员', { min: 1, wire: 'PersonID' }),
  isAccepted: flag('已接单'),
  isFinished: flag('已处理完成'),
  isRated: flag('已评价', { help: '不含系统默认评价' }),
  hasRating: flag('有评价', { help: '含重新处理之前的评价，不含系统默认评价', wire: 'HasRating' }),
  ratedHandlerId: idOf('被评价的处理人', { min: 1, wire: 'RatedHandlerID' }),
  isLate: flag('任一阶段超时', { wire: 'IsLate' }),
  waitsForApproval: flag('待批准', { wire: 'WaitsForApproval' }),
}

const filters = [
  'typeId',
  'category',
  'source',
  'state',
  'level',
  'roomCode',
  'areaId',
  'deviceId',
  'buildCode',
  'handlerId',
  'registerTime',
  'finishTime',
  'nextDeadline',
  'respOvertime',
  'arriveOvertime',
  'finishOvertime',
  'expediteCount',
  'reworkCount',
  'payState',
  'score',
  'reporterPhone',
] as const

export const orders = crud(workOrder, {
  path: 'Workorder',
  permissions,
  operations: ['list'],
  filters,
  search: searchFields,
  sums: ['payableCost'],
  list: { route: 'GET workorder/v1/WorkOrder/GetPagedList', aliases: ['Workorder/Get'] },
})

export const { list: listOrders } = orders
const { input: query, output: page } = listOrders

/** Orders that wait for audit. */
export const listAuditOrders = call({
  route: 'GET workorder/v1/WorkOrder/GetAuditPagedList',
  title: '待审核工单',
  needs: permissions.audit,
  input: query,
  output: page,
})

/**
 * Orders that wait for a person, or for them to accept: the board of the dispatcher. Urgent and late first.
 */
export const listDispatchOrders = call({
  route: 'GET workorder/v1/WorkOrder/GetSendPagedList',
  title: '待派单工单',
  needs: permissions.dispatch,
  input: query,
  output: page,
})

/** The old name of an order that a resident reported. */
export const listRepairOrders = call({
  route: 'GET Repairorder/Get',
  title: '查询报修单',
  needs: permissions.view,
  input: query,
  output: pageOfRows(
    {
      id: workOrder.fields.id,
      projectCode: workOrder.fields.projectCode,
      orderNo: workOrder.fields.orderNo,
      roomCode: workOrder.fields.roomCode,
      address: workOrder.fields.address,
      repairType: text('类型', { required: true }),
      content: workOrder.fields.content,
      workOrderId: idOf('工单', { required: true, wire: 'WorkorderID' }),
      state: workOrder.fields.state,
      registerTime: workOrder.fields.registerTime,
    },
    { entity: 'workOrder' },
  ),
})

export const exportOrders = crudExport(orders, { needs: permissions.export })

/** How many orders each view and each state holds, and how many the caller has not read (WO-12). */
export const countOrders = call({
  route: 'GET Workorder/GetViewOrder',
  title: '工单计数',
  needs: permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: shape(
    {
      unread: int('未读', { required: true }),
      views: lines(
        '视图',
        {
          view: choice('视图', orderView, { required: true }),
          count: int('数量', { required: true }),
        },
        { required: true },
      ),
      states: lines(
        '状态',
        {
          state: choice('状态', orderState, { required: true }),
          count: int('数量', { required: true }),
        },
        { required: true },
      ),
    },
    { entity: 'workOrder' },
  ),
})

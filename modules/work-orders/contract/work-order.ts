import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  idOf,
  int,
  keyRef,
  list,
  lookup,
  moment,
  money,
  part,
  ref,
  text,
} from '#kit/contract/field.ts'
import { allowMasked, rules } from '#kit/contract/rules.ts'
import { idRule } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { chargeState, orderCategory, orderLevel, orderSource, orderState, requestState } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const moved = { immutable: true, hiddenIn: ['form'] } as const
const movedInDetail = { immutable: true, hiddenIn: ['form', 'table', 'filter'] } as const

/** Photos of an order, or of one step of it. */
export const maxPhotos = 9
export const maxVideoBytes = 50 * 1024 * 1024
export const photoList = (label: string) =>
  list(label, { max: maxPhotos, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] })

const accounts = (label: string, wire: string) => ({
  ...list(label, { max: 50, rule: idRule, wire, hiddenIn: ['table', 'filter', 'sheet'] }),
  target: 'manager',
})

/** What the order must keep to, as its type asked when it was registered (WO-1, WO-2). */
export const orderLimits = {
  is24h: flag('24小时服务', { required: true }),
  workdaysOnly: flag('仅工作日', { required: true }),
  serviceBegin: text('服务开始', { required: true }),
  serviceEnd: text('服务结束', { required: true }),
  responseMinutes: int('响应时限'),
  arriveMinutes: int('到场时限'),
  finishMinutes: int('完成时限'),
  photoCount: int('完成照片数', { required: true }),
  needAccept: flag('需验收', { required: true }),
  needVisit: flag('必须回访', { required: true }),
  evaluateDays: int('评价天数', { required: true }),
}

/**
 * A job for the company, from its registration to its rating (C12). Deadlines and overtime flags are written
 * at each transition from the history (WO-3); a deadline whose clock is paused is empty.
 */
export const workOrder = entity(
  'workOrder',
  '工单',
  { table: 'work_order', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table'] }),
    orderNo: text('工单号', {
      required: true,
      max: 30,
      immutable: true,
      searchable: true,
      hiddenIn: ['form'],
    }),
    typeId: ref('工单类型', 'workOrderType', {
      required: true,
      wire: 'TypeID',
      hiddenIn: ['table', 'detail', 'sheet'],
    }),
    typeName: text('类型', { required: true, max: 40, ...moved }),
    category: choice('大类', orderCategory, { required: true, ...moved }),
    source: choice('来源', orderSource, { required: true, initial: 'reception', immutable: true }),
    roomCode: keyRef('房屋', 'room', {
      immutable: true,
      wire: ['RoomCode', 'Roomcode'],
      hiddenIn: ['table', 'detail', 'sheet'],
    }),
    areaId: ref('公共区域', 'publicArea', { immutable: true, wire: 'AreaID', hiddenIn: ['table', 'sheet'] }),
    deviceId: ref('设备', 'device', { immutable: true, wire: 'DeviceID', hiddenIn: ['table', 'sheet'] }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail', 'sheet'],
    }),
    address: text('位置', { max: 120, searchable: true }),
    reporterId: ref('报事人', 'resident', {
      wire: 'ReporterID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    reporterName: text('报事人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    reporterPhone: text('联系电话', {
      max: 20,
      rule: allowMasked(rules.phone),
      masked: 'mobile',
      searchable: true,
      hiddenIn: ['filter'],
    }),
    title: text('标题', { max: 80, searchable: true, hiddenIn: ['filter'], help: '不填取内容的开头' }),
    content: text('内容', { required: true, min: 2, max: 2000, hiddenIn: ['table', 'filter'] }),
    photos: photoList('图片'),
    videos: list('视频', {
      max: 2,
      holdsFiles: true,
      help: '最多 2 段',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    level: choice('紧急程度', orderLevel, { required: true, initial: 'normal' }),
    appointTime: moment('预约时间', { hiddenIn: ['filter'] }),
    state: choice('状态', orderState, {
      required: true,
      initial: 'waiting',
      // Of a closed order what was paid may be kept: it counts in the sums.
      struckOut: ['rejected', 'cancelled'],
      ...moved,
    }),
    registerTime: moment('登记时间', { required: true, ...moved }),
    registrarId: idOf('登记人', { wire: 'RegistrarID', ...internalOnly }),
    registrarName: text('登记人', { max: 40, ...movedInDetail }),
    handlerId: ref('处理人', 'manager', {
      wire: 'HandlerID',
      immutable: true,
      hiddenIn: ['form', 'table', 'sheet', 'detail'],
    }),
    handlerName: text('处理人', { max: 40, ...moved, hiddenIn: ['form', 'filter'] }),
    dispatcherId: idOf('派单人', { wire: 'DispatcherID', ...internalOnly }),
    dispatcherName: text('派单人', { max: 40, ...movedInDetail }),
    assistIds: { ...accounts('协助人', 'AssistIDs'), ...movedInDetail },
    observerIds: { ...accounts('抄送人', 'ObserverIDs'), hiddenIn: ['table', 'filter', 'sheet'] as const },
    dispatchTime: moment('派单时间', movedInDetail),
    acceptTime: moment('接单时间', movedInDetail),
    arriveTime: moment('到场时间', movedInDetail),
    finishTime: moment('完成时间', moved),
    endTime: moment('结束时间', { ...movedInDetail, wire: ['CloseTime', 'EndTime'] }),
    responseDeadline: moment('响应时限', movedInDetail),
    arriveDeadline: moment('到场时限', movedInDetail),
    finishDeadline: moment('完成时限', moved),
    originalFinishDeadline: moment('原完成时限', movedInDetail),
    evaluateDeadline: moment('评价截止', movedInDetail),
    /** The next of the three that is running: what lists are ordered by. */
    nextDeadline: moment('当前时限', { ...moved, hiddenIn: ['form', 'sheet'] }),
    respOvertime: flag('响应超时', { required: true, initial: false, ...moved, hiddenIn: ['form', 'table'] }),
    arriveOvertime: flag('到场超时', {
      required: true,
      initial: false,
      ...moved,
      hiddenIn: ['form', 'table'],
    }),
    finishOvertime: flag('完成超时', {
      required: true,
      initial: false,
      ...moved,
      hiddenIn: ['form', 'table'],
    }),
    suspendMinutes: int('挂起分钟', { required: true, initial: 0, ...movedInDetail }),
    suspendReason: text('挂起原因', { max: 200, ...movedInDetail }),
    resumeTime: moment('预计恢复', movedInDetail),
    expediteCount: int('催办次数', { wire: 'UrgeCount', required: true, initial: 0, ...moved }),
    lastExpediteTime: moment('最近催办', { ...movedInDetail, wire: 'LastUrgeTime' }),
    reworkCount: int('返修次数', { required: true, initial: 0, ...moved, hiddenIn: ['form', 'table'] }),
    denyCount: int('拒单次数', { required: true, initial: 0, ...movedInDetail }),
    extensionState: choice('延期申请', requestState, { required: true, initial: 'none', ...movedInDetail }),
    extensionDeadline: moment('申请延期至', movedInDetail),
    closeState: choice('关闭申请', requestState, { required: true, initial: 'none', ...movedInDetail }),
    requestReason: text('申请原因', { max: 200, ...movedInDetail }),
    requesterId: idOf('申请人', { wire: 'RequesterID', ...internalOnly }),
    laborCost: money('人工费', { required: true, initial: 0, ...movedInDetail }),
    materialCost: money('材料费', { required: true, initial: 0, ...movedInDetail }),
    waiveCost: money('减免', { required: true, initial: 0, ...movedInDetail }),
    totalCost: money('费用合计', { required: true, initial: 0, ...movedInDetail }),
    /** Of it, what somebody owes or has paid; computed by the database. */
    payableCost: money('应收费用', { required: true, ...moved, hiddenIn: ['form', 'filter', 'detail'] }),
    isWarranty: flag('质保内免费', { required: true, initial: false, ...movedInDetail }),
    payState: choice('支付', chargeState, { ...moved, hiddenIn: ['form', 'table'] }),
    resultText: text('处理结果', { max: 1000, ...movedInDetail }),
    resultPhotos: {
      ...photoList('完成照片'),
      immutable: true,
      hiddenIn: ['form', 'table', 'filter', 'sheet'] as const,
    },
    score: int('评分', { min: 1, max: 5, ...moved }),
    isDefaultScore: flag('系统默认评价', { required: true, initial: false, ...movedInDetail }),
    relatedOrderId: ref('关联工单', 'workOrder', {
      wire: 'RelatedOrderID',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    refType: text('业务来源', { max: 30, immutable: true, ...internalOnly }),
    refId: idOf('业务编号', { immutable: true, wire: 'RefID', ...internalOnly }),
    /** When the stages of its clocks began last: warnings go out once for each (WO-4). */
    responseEntered: moment('响应阶段开始', internalOnly),
    arriveEntered: moment('到场阶段开始', internalOnly),
    finishEntered: moment('完成阶段开始', internalOnly),
    evaluateEntered: moment('评价阶段开始', internalOnly),
    limits: part('时限', orderLimits, { required: true, immutable: true, ...internalOnly }),
    /** The caller's own mark (WO-12). */
    isViewed: flag('已查看', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    /** Until the running deadline; negative once it has passed. */
    minutesLeft: int('剩余分钟', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type WorkOrder = Row<typeof workOrder>

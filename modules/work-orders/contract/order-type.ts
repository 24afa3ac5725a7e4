import { call } from '#kit/contract/call.ts'
import { crud, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  idOf,
  int,
  lines,
  list,
  lookup,
  money,
  moment,
  ref,
  text,
  type Field,
  type FieldKind,
  type Rule,
} from '#kit/contract/field.ts'
import { bulkResult, idRule, listOfRows, noData, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { dispatchMode, orderCategory, orderLevel, typeSet } from './choices.ts'

const { permissions } = menu.type
const maxMinutes = 60 * 24 * 365
const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** `08:30`, and `24:00` for the end of a day. */
export const timeOfDayRule: Rule = {
  name: 'timeOfDay',
  hint: '如 08:30',
  test: value =>
    /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(value) ? undefined : '时间格式为 08:30，最晚 24:00',
}

const minutes = (label: string) => int(label, { min: 1, max: maxMinutes, unit: '分钟', ...inDetail })

/** What a type asks of an order in time and quality. Batches set some of it on many types. */
const limits = {
  dispatchMode: choice('派单方式', dispatchMode),
  needAudit: flag('需审核'),
  is24h: flag('24小时服务', { wire: 'Is24h' }),
  workdaysOnly: flag('仅工作日', { help: '按节假日登记；节假日与周末不计时', ...inDetail }),
  serviceBegin: text('服务开始', { max: 5, rule: timeOfDayRule, ...inDetail }),
  serviceEnd: text('服务结束', { max: 5, rule: timeOfDayRule, help: '早于开始时间即到次日', ...inDetail }),
  responseMinutes: minutes('响应时限'),
  arriveMinutes: minutes('到场时限'),
  finishMinutes: minutes('完成时限'),
  urgentResponseMinutes: minutes('紧急响应时限'),
  urgentArriveMinutes: minutes('紧急到场时限'),
  urgentFinishMinutes: minutes('紧急完成时限'),
  photoCount: int('完成照片数', {
    min: 0,
    max: 9,
    wire: ['NeedPhoto', 'PhotoCount'],
    help: '完成时至少上传的照片数，0 为不要求',
    ...inDetail,
  }),
  needAccept: flag('需验收'),
  needVisit: flag('必须回访', { help: '投诉类一律回访', ...inDetail }),
  evaluateDays: int('评价天数', { min: 1, max: 90, ...inDetail }),
}

const withInitial = <T, K extends FieldKind>(field: Field<T, false, K>, initial: T): Field<T, true, K> => ({
  ...field,
  required: true,
  initial,
})

const priceLine = {
  name: text('名称', { required: true, max: 40 }),
  unit: text('单位', { max: 10 }),
  price: money('单价', { required: true, min: 0, max: 999_999_999 }),
}

/** A kind of order, in a tree of at most three levels (WO-1). */
export const orderType = entity(
  'workOrderType',
  '工单类型',
  { table: 'work_order_type', tenancy: 'company', title: 'typeName', order: ['sort', 'id'] },
  {
    parentId: ref('上级类型', 'workOrderType', { wire: 'ParentID', help: '不填为最上级，最多三级' }),
    parentName: lookup('上级类型', 'parentId', 'typeName', { wire: 'ParentName' }),
    typeCode: text('编码', { max: 20, searchable: true, help: '公司内唯一；不填则自动生成' }),
    typeName: text('名称', { required: true, max: 40, searchable: true }),
    category: choice('大类', orderCategory, { required: true, help: '下级类型与上级相同' }),
    ...limits,
    dispatchMode: withInitial(limits.dispatchMode, 'manual'),
    needAudit: withInitial(limits.needAudit, false),
    is24h: withInitial(limits.is24h, false),
    workdaysOnly: withInitial(limits.workdaysOnly, false),
    serviceBegin: withInitial(limits.serviceBegin, '08:00'),
    serviceEnd: withInitial(limits.serviceEnd, '18:00'),
    photoCount: withInitial(limits.photoCount, 0),
    needAccept: withInitial(limits.needAccept, false),
    needVisit: withInitial(limits.needVisit, false),
    evaluateDays: withInitial(limits.evaluateDays, 7),
    isCharge: flag('有偿服务', { required: true, initial: false }),
    feeItemId: ref('收费项目', 'feeItem', {
      wire: 'FeeItemID',
      help: '账单使用的收费项目；不选即工单设置中的',
      ...inDetail,
    }),
    prices: lines('价目', priceLine, { max: 200, wire: 'PriceJson', ...inDetail }),
    warrantyDays: int('质保天数', {
      required: true,
      initial: 0,
      min: 0,
      max: 3650,
      help: '完成后这些天内同一位置同一类型再报修免费',
      ...inDetail,
    }),
    sort: int('排序', { required: true, initial: 0, min: 0, max: 999_999, ...inDetail }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    /** Accounts that may be given its orders, those of its parents' configurations too. */
    personCount: int('接单人数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type OrderType = Row<typeof orderType>

const basePath = 'workorder/v1/OrderType'

/** `save` adds without an id and edits with one; the list is flat, `parentId` makes it a tree. */
export const orderTypes = crud(orderType, {
  path: basePath,
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['parentId', 'category', 'dispatchMode', 'state'],
  list: { route: `GET ${basePath}/GetListForBackEnd` },
  save: { route: `POST ${basePath}/Save` },
  delete: { route: `POST ${basePath}/Delete` },
})

export const pickOrderTypes = pickerOf(orderType, {
  route: `GET ${basePath}/Get`,
  title: '选择工单类型',
  fields: ['id', 'parentId', 'typeCode', 'typeName', 'category', 'dispatchMode', 'isCharge', 'state'],
})

const { id, typeName, category, state } = orderType.fields

/** The whole tree with its settings, for the screen that sets them. */
export const getTypeSettings = call({
  route: `GET ${basePath}/GetSettingAll`,
  title: '工单类型设置',
  needs: permissions.view,
  input: noData,
  output: listOfRows(
    {
      id,
      parentId: orderType.fields.parentId,
      typeName,
      category,
      state,
      ...limits,
      isCharge: orderType.fields.isCharge,
      warrantyDays: orderType.fields.warrantyDays,
      personCount: int('接单人数', { required: true }),
      openCount: int('在办工单', { required: true }),
    },
    { entity: 'workOrderType' },
  ),
})

/** The usual types of such an estate; those that the company has already are left as they are. */
export const addTypeSet = call({
  route: `POST ${basePath}/WorkOrderInit`,
  title: '初始化工单类型',
  needs: permissions.add,
  affects: ['workOrderType'],
  input: shape({ typeSet: choice('类型模板', typeSet, { required: true, wire: ['TypeSet', 'Type'] }) }),
  output: shape({
    added: int('新增', { required: true }),
    skipped: int('已有', { required: true }),
  }),
})

const settingInput = { entity: 'workOrderType' } as const

/** The settings of one type; what is not sent stays. */
export const saveTypeLimits = call({
  route: `POST ${basePath}/WorkTypeConfig`,
  title: '设置工单类型',
  needs: permissions.edit,
  affects: ['workOrderType'],
  input: shape(
    { id: idOf('类型', { required: true, min: 1, wire: ['ID', 'TypeID'] }), ...limits },
    settingInput,
  ),
  output: noData,
})

/** The same settings on many types; what is not sent stays on each. */
export const saveTypeLimitsBatch = call({
  route: `POST ${basePath}/WorkTypeConfigBatch`,
  title: '批量设置工单类型',
  needs: permissions.edit,
  affects: ['workOrderType'],
  input: shape(
    {
      ids: list('类型', { required: true, max: 500, rule: idRule, wire: ['TypeIDs', 'Ids', 'ID'] }),
      ...limits,
    },
    settingInput,
  ),
  output: bulkResult,
})

/** What an order of this type would have to keep to if it were registered now. */
export const getTypeLimits = call({
  route: `GET ${basePath}/GetTypeLimitForBackEnd`,
  title: '工单类型时限',
  needs: menu.order.permissions.view,
  input: shape({
    typeId: idOf('类型', { required: true, min: 1, wire: ['TypeID', 'ID'] }),
    level: choice('紧急程度', orderLevel),
  }),
  output: shape({
    ...limits,
    typeId: idOf('类型', { required: true, wire: 'TypeID' }),
    typeName,
    category,
    serviceText: text('服务时间', { required: true }),
    responseDeadline: moment('响应时限'),
    finishDeadline: moment('完成时限'),
    isCharge: orderType.fields.isCharge,
    warrantyDays: orderType.fields.warrantyDays,
    prices: lines('价目', priceLine, { required: true, wire: 'PriceJson' }),
  }),
})

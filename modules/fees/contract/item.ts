import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  money,
  text,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  listOf,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { billMode, capMode, feeType, graceMode, incomeKind, itemCategory, scene } from './choices.ts'
import { menu } from '../module.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** A daily rate from a day on; one without a day holds before all others (LATE-14). */
export const lateRate = {
  from: day('起'),
  rate: decimal('日费率', { required: true, scale: 8, min: 0, max: 1 }),
}

/** What is charged (FEE-1). */
export const feeItem = entity(
  'feeItem',
  '收费项目',
  { table: 'fee_item', tenancy: 'company', title: 'name', order: ['sort', 'code'] },
  {
    code: text('编码', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      wire: 'ItemCode',
    }),
    name: text('名称', {
      required: true,
      max: 40,
      searchable: true,
      wire: 'ItemName',
      synonyms: ['收费项目', '费用名称', '项目名称'],
    }),
    feeType: choice('费用类型', feeType, { required: true, immutable: true }),
    category: choice('大类', itemCategory, { required: true, initial: 'property' }),
    incomeKind: choice('收入性质', incomeKind, { required: true, initial: 'own' }),
    inRate: flag('计入收缴率', { required: true, initial: true }),
    billMode: choice('出账方式', billMode, { required: true, initial: 'auto' }),
    scene: choice('适用场景', scene, { required: true, initial: 'roomShop' }),
    allowMulti: flag('允许同一对象多个标准', { required: true, initial: false, ...hiddenInList }),
    allowOnline: flag('允许线上缴', { required: true, initial: true }),
    autoDeduct: flag('允许预存抵扣', { required: true, initial: true }),
    principalSettles: flag('本金缴清即结清', { required: true, initial: false, ...hiddenInList }),
    taxRate: decimal('税率', { scale: 8, min: 0, max: 1, ...hiddenInList }),
    invoiceGoodId: idOf('开票商品', {
      min: 1,
      wire: 'InvoiceGoodID',
      hiddenIn: ['table', 'form', 'filter', 'detail', 'sheet'],
    }),
    lateFeeSwitch: flag('启用违约金', { required: true, initial: false }),
    lateRates: lines('日费率', lateRate, { max: 20, ...hiddenInList }),
    graceDays: int('宽限天数', { min: 0, max: 365, ...hiddenInList }),
    graceMode: choice('宽限方式', graceMode, hiddenInList),
    lateFeeCapMode: choice('违约金封顶', capMode, hiddenInList),
    lateFeeCapValue: decimal('封顶值', { min: 0, ...hiddenInList }),
    lateFeeMinPrincipal: money('起算本金', { min: 0, ...hiddenInList }),
    lateFeeMinAmount: money('最低违约金', { min: 0, ...hiddenInList }),
    lateFeeBeginDate: day('违约金起算日期', hiddenInList),
    sort: int('冲抵顺序', { min: 0, max: 9999, hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: systemChoice('状态', enabledState, 'on'),
    standards: int('标准', { derived: true, wire: 'StandardCount', hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type FeeItem = Row<typeof feeItem>
export const itemFilters = ['feeType', 'category', 'scene', 'billMode', 'state', 'createTime'] as const

const itemDraft = draftOf(feeItem, ['state', 'invoiceGoodId'])

export const listItems = call({
  route: 'GET finance/v1/FeeItem/GetPagedList',
  aliases: ['finance/v1/FeeItem/Get', 'PropertyFeeitem/Get'],
  title: '查询收费项目',
  needs: everyone,
  input: search(feeItem, itemFilters),
  output: pageOf(feeItem),
})

export const getItem = call({
  route: 'GET finance/v1/FeeItem/GetOne',
  title: '查看收费项目',
  needs: menu.item.permissions.view,
  input: byId,
  output: recordOf(feeItem),
})

export const addItem = call({
  route: 'POST finance/v1/FeeItem/Post',
  aliases: ['PropertyFeeitem/post'],
  title: '新增收费项目',
  needs: menu.item.permissions.add,
  input: itemDraft,
  output: recordOf(feeItem),
  affects: ['feeItem'],
})

export const editItem = call({
  route: 'PUT finance/v1/FeeItem/Put',
  aliases: ['PropertyFeeitem/put'],
  title: '编辑收费项目',
  needs: menu.item.permissions.edit,
  input: itemDraft,
  output: recordOf(feeItem),
  affects: ['feeItem', 'feeStandard'],
})

/** FEE-5: an item that a standard uses stays. */
export const deleteItems = call({
  route: 'DELETE finance/v1/FeeItem/Delete',
  aliases: ['PropertyFeeitem/delete'],
  title: '删除收费项目',
  needs: menu.item.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['feeItem'],
})

/** In use for a place, by the order of the list (FEE-9); all when no scene is named. */
export const listItemsByScene = call({
  route: 'GET PropertyFeeitem/GetByScene',
  title: '按场景查询收费项目',
  needs: everyone,
  input: shape({ scene: choice('适用场景', scene), feeType: choice('费用类型', feeType) }),
  output: listOf(feeItem),
})

/**
 * FEE-5: what is off takes no new standards or relations; those there are go on until they end, which the
 * answer says.
 */
export const stateChangeInput = shape({
  ids: list('编号', {
    required: true,
    wire: ['Ids', 'ID'],
    max: 2000,
    rule: { name: 'ids', test: s => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数') },
  }),
  state: choice('状态', enabledState, { required: true }),
  reason: text('原因', { max: 200 }),
})

export const stateChangeResult = shape({
  changed: int('已变更', { required: true }),
  relations: int('仍在收费的关联', { required: true }),
  message: text('说明', { required: true }),
})

export const setItemState = call({
  route: 'PUT finance/v1/FeeItem/PutState',
  title: '启用或停用收费项目',
  needs: menu.item.permissions.edit,
  input: stateChangeInput,
  output: stateChangeResult,
  affects: ['feeItem', 'feeStandard'],
})

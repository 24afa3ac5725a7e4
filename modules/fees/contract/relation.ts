import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  int,
  keyRef,
  lines,
  list,
  money,
  month,
  ref,
  text,
  through,
} from '#kit/contract/field.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { payerSide, poolState, relationState, sourceType, weightType } from './choices.ts'

const aside = { notIn: ['table', 'filter'] } as const
const inside = { fixed: true, notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
export const span = { begin: day('起', { required: true }), end: day('止', { required: true }) }

/** Which standard is charged to which object, and how far it is billed (FEE-7, CYC-4). */
export const feeRelation = entity(
  'feeRelation',
  '收费关联',
  { table: 'fee_relation', reach: 'project', title: 'sourceName', order: ['-id'] },
  {
    projectCode: estateOf(),
    sourceType: choice('对象类型', sourceType, { required: true, fixed: true }),
    sourceCode: text('对象编码', { required: true, max: 40, fixed: true, notIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, fixed: true, sought: true, notIn: ['form'] }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'detail'],
    }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      fixed: true,
      wire: 'FeeItemID',
      notIn: ['table', 'form'],
    }),
    feeItemName: through('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    standardId: ref('收费标准', 'feeStandard', { required: true, wire: 'StandardID', notIn: ['table'] }),
    standardName: through('收费标准', 'standardId', 'name', { wire: 'StandardName' }),
    meterId: ref('仪表', 'meter', { wire: 'MeterID', notIn: ['table', 'filter'] }),
    beginDate: day('起收日期'),
    endDate: day('止收日期'),
    billedTo: day('计费截至', { fixed: true, notIn: ['form'] }),
    priceOverride: decimal('单价覆盖', { scale: 6, min: 0, max: 99_999_999, ...aside }),
    ratioOverride: decimal('系数覆盖', { min: 0, max: 9999, ...aside }),
    quantity: decimal('数量', { min: 0, ...aside }),
    free: lines('免收期', span, { max: 50, wire: 'FreeJson', ...aside }),
    payerKind: choice('缴费人类别', payerSide, aside),
    payerId: int('缴费人', { min: 1, wire: 'PayerID', ...aside, help: '留空时由房间的缴费人缴' }),
    multi: flag('允许重叠', { required: true, initial: false, ...inside }),
    state: choice('状态', relationState, {
      required: true,
      initial: 'charging',
      fixed: true,
      notIn: ['form'],
    }),
    stopReason: text('停收原因', { max: 200, fixed: true, notIn: ['table', 'form', 'filter'] }),
    remark: text('备注', { max: 200, ...aside }),
    price: decimal('单价', {
      scale: 6,
      derived: true,
      notIn: ['form', 'filter', 'sheet'],
      help: '单价覆盖，或标准的现行单价',
    }),
    payerName: text('缴费人', { derived: true, notIn: ['form', 'filter', 'sheet', 'table'] }),
  },
)

export type FeeRelation = Row<typeof feeRelation>

export const relationFilters = [
  'sourceType',
  'feeItemId',
  'standardId',
  'buildCode',
  'state',
  'beginDate',
  'endDate',
  'billedTo',
  'createTime',
] as const

/** Standards bound together (FEE-10). */
export const feePackage = entity(
  'feePackage',
  '收费套餐',
  { table: 'fee_package', reach: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateOf(),
    name: text('名称', { required: true, max: 60, sought: true, wire: 'PackageName' }),
    standardIds: list('收费标准', {
      required: true,
      max: 50,
      wire: 'StandardIDs',
      notIn: ['table', 'filter'],
    }),
    standardNames: list('收费标准', {
      derived: true,
      wire: 'StandardNames',
      notIn: ['form', 'filter', 'sheet'],
    }),
    remark: text('备注', { max: 200, ...aside }),
  },
)

export type FeePackage = Row<typeof feePackage>

/** A common cost of a month (C2.7). */
export const sharePool = entity(
  'sharePool',
  '公摊池',
  { table: 'share_pool', reach: 'project', title: 'name', order: ['-month', 'name'] },
  {
    projectCode: estateOf(),
    name: text('名称', { required: true, max: 60, sought: true, wire: 'PoolName' }),
    standardId: ref('公摊标准', 'feeStandard', {
      required: true,
      fixed: true,
      wire: 'StandardID',
      notIn: ['table'],
    }),
    standardName: through('公摊标准', 'standardId', 'name', { wire: 'StandardName' }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      fixed: true,
      wire: 'FeeItemID',
      notIn: ['table', 'form'],
    }),
    feeItemName: through('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    month: month('月份', { required: true, fixed: true }),
    weightType: choice('分摊方式', weightType, { required: true, initial: 'area' }),
    totalUsage: decimal('总量', { min: 0 }),
    price: decimal('单价', { scale: 6, min: 0, notIn: ['table'] }),
    totalAmount: money('总额', { min: 0, max: 9_999_999_999 }),
    vacantIncluded: flag('含空置', { required: true, initial: true, notIn: ['table'] }),
    dayWeight: flag('按天加权', { required: true, initial: false, notIn: ['table'] }),
    batchNo: text('批次', { max: 30, fixed: true, notIn: ['form'] }),
    correctsId: ref('更正的公摊', 'sharePool', {
      fixed: true,
      wire: 'CorrectsID',
      notIn: ['table', 'form', 'filter'],
    }),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', poolState, { required: true, initial: 'open', fixed: true, notIn: ['form'] }),
  },
)

export type SharePool = Row<typeof sharePool>

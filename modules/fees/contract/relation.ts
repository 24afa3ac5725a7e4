import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  keyRef,
  lines,
  list,
  ref,
  text,
  lookup,
  systemChoice,
} from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide, relationState, sourceType } from './choices.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const
const internalOnly = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
export const dayRange = { begin: day('起', { required: true }), end: day('止', { required: true }) }

/** Which standard is charged to which object, and how far it is billed (FEE-7, CYC-4). */
export const feeRelation = entity(
  'feeRelation',
  '收费关联',
  { table: 'fee_relation', tenancy: 'project', title: 'sourceName', order: ['-id'] },
  {
    projectCode: estateField(),
    sourceType: choice('对象类型', sourceType, { required: true, immutable: true }),
    sourceCode: text('对象编码', { required: true, max: 40, immutable: true, hiddenIn: ['table'] }),
    sourceName: text('收费对象', {
      required: true,
      max: 100,
      immutable: true,
      searchable: true,
      hiddenIn: ['form'],
    }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      immutable: true,
      wire: 'FeeItemID',
      hiddenIn: ['table', 'form'],
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    standardId: ref('收费标准', 'feeStandard', { required: true, wire: 'StandardID', hiddenIn: ['table'] }),
    standardName: lookup('收费标准', 'standardId', 'name', { wire: 'StandardName' }),
    meterId: ref('仪表', 'meter', { wire: 'MeterID', hiddenIn: ['table', 'filter'] }),
    beginDate: day('起收日期'),
    endDate: day('止收日期'),
    billedTo: day('计费截至', { immutable: true, hiddenIn: ['form'] }),
    priceOverride: decimal('单价覆盖', { scale: 6, min: 0, max: 99_999_999, ...hiddenInList }),
    ratioOverride: decimal('系数覆盖', { min: 0, max: 9999, ...hiddenInList }),
    quantity: decimal('数量', { min: 0, ...hiddenInList }),
    free: lines('免收期', dayRange, { max: 50, wire: 'FreeJson', ...hiddenInList }),
    payerKind: choice('缴费人类别', payerSide, hiddenInList),
    payerId: idOf('缴费人', { min: 1, wire: 'PayerID', ...hiddenInList, help: '不填时由房间的缴费人缴' }),
    multi: flag('允许重叠', { required: true, initial: false, ...internalOnly }),
    state: systemChoice('状态', relationState, 'charging'),
    stopReason: text('停收原因', { max: 200, immutable: true, hiddenIn: ['table', 'form', 'filter'] }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    price: decimal('单价', {
      scale: 6,
      derived: true,
      hiddenIn: ['form', 'filter', 'sheet'],
      help: '单价覆盖，或标准的现行单价',
    }),
    payerName: text('缴费人', { derived: true, hiddenIn: ['form', 'filter', 'sheet', 'table'] }),
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
  { table: 'fee_package', tenancy: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateField(),
    name: text('名称', { required: true, max: 60, searchable: true, wire: 'PackageName' }),
    standardIds: list('收费标准', {
      required: true,
      max: 50,
      wire: 'StandardIDs',
      hiddenIn: ['table', 'filter'],
    }),
    standardNames: list('收费标准', {
      derived: true,
      wire: 'StandardNames',
      hiddenIn: ['form', 'filter', 'sheet'],
    }),
    remark: text('备注', { max: 200, ...hiddenInList }),
  },
)

export type FeePackage = Row<typeof feePackage>

import { choice, ref, text, type ValueOf } from '#kit/contract/field.ts'
import { loosely } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { listRelations } from './bind.ts'
import { sourceType } from './choices.ts'
import { feeRelation } from './relation.ts'

const f = feeRelation.fields

const line = {
  sourceType: choice('对象类型', sourceType, { required: true, initial: 'room', synonyms: ['类型'] }),
  sourceName: text('收费对象', {
    required: true,
    max: 100,
    synonyms: ['房间', '房号', '车位号', '对象'],
    help: '房屋填 1-1-101 这样的房间或房屋编码，车位填车位号，公共区域填名称，公司填公司名称；都可以填编码',
  }),
  standardId: ref('收费标准', 'feeStandard', {
    required: true,
    synonyms: ['标准', '标准编码', '标准名称'],
    help: '填标准的名称或编码',
  }),
  ...loosely({
    beginDate: f.beginDate,
    endDate: f.endDate,
    billedTo: f.billedTo,
    priceOverride: f.priceOverride,
    ratioOverride: f.ratioOverride,
    quantity: f.quantity,
    remark: f.remark,
  }),
}

export type RelationLine = ValueOf<typeof line>

/** A sheet asks what a form would not: how far an object has been billed elsewhere. */
const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [
    k,
    { ...x, fixed: undefined, notIn: undefined, ...(k === 'sourceType' ? {} : { initial: undefined }) },
  ]),
) as unknown as typeof line

const order = [
  'sourceType',
  'sourceName',
  'standardId',
  'beginDate',
  'endDate',
  'billedTo',
  'priceOverride',
  'ratioOverride',
  'quantity',
  'remark',
] as const

export const relationSheet = sheetOf<RelationLine>(
  '收费关联',
  { fields: silent },
  { keys: order, unique: ['sourceType', 'sourceName', 'standardId', 'beginDate'] },
)

export const relationColumns = sheetColumns(f, [
  'sourceType',
  'sourceCode',
  'sourceName',
  'feeItemName',
  'standardName',
  'beginDate',
  'endDate',
  'billedTo',
  'priceOverride',
  'ratioOverride',
  'quantity',
  'state',
  'remark',
])

export const ofProject = { projectCode: estateOf<true>() }

export const importRelations = imports({
  at: 'POST PropertyFeeitemRelation/PostImport',
  title: '导入收费关联',
  needs: menu.relation.may.import,
  affects: ['feeRelation', 'feeStandard'],
  more: ofProject,
})

export const exportRelations = exports({
  at: 'GET PropertyFeeitemRelation/GetExport',
  title: '导出收费关联',
  needs: menu.relation.may.export,
  of: listRelations,
})

import { choice, ref, text, type Fields, type ValueOf } from '#kit/contract/field.ts'
import { partialFields } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { listRelations } from './relation-calls.ts'
import { sourceType } from './choices.ts'
import { feeRelation } from './relation.ts'

const relationFields = feeRelation.fields

const relationLine = {
  sourceType: choice('对象类型', sourceType, { required: true, initial: 'room', synonyms: ['类型'] }),
  sourceName: text('收费对象', {
    required: true,
    max: 100,
    synonyms: ['房间', '房号', '车位号', '对象'],
    help: '房屋填 1-1-101 这样的房间或房屋编码，车位填车位号，公共区域填名称，企业填企业名称；都可以填编码',
  }),
  standardId: ref('收费标准', 'feeStandard', {
    required: true,
    synonyms: ['标准', '标准编码', '标准名称'],
    help: '填标准的名称或编码',
  }),
  ...partialFields({
    beginDate: relationFields.beginDate,
    endDate: relationFields.endDate,
    billedTo: relationFields.billedTo,
    priceOverride: relationFields.priceOverride,
    ratioOverride: relationFields.ratioOverride,
    quantity: relationFields.quantity,
    remark: relationFields.remark,
  }),
}

export type RelationLine = ValueOf<typeof relationLine>

/** A sheet has a column that a form has not: how far an object has been billed elsewhere. */
const sheetFields: Fields = Object.fromEntries(
  Object.entries(relationLine).map(([column, field]) => [
    column,
    {
      ...field,
      immutable: undefined,
      hiddenIn: undefined,
      ...(column === 'sourceType' ? {} : { initial: undefined }),
    },
  ]),
)

const columnOrder = [
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

export const relationSheet = sheetSchemaOf<RelationLine>(
  '收费关联',
  { fields: sheetFields },
  { keys: columnOrder, unique: ['sourceType', 'sourceName', 'standardId', 'beginDate'] },
)

export const relationColumns = sheetColumns(relationFields, [
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

export const importProjectInput = { projectCode: estateField<true>() }

export const importRelations = declareImport({
  route: 'POST PropertyFeeitemRelation/PostImport',
  title: '导入收费关联',
  needs: menu.relation.permissions.import,
  affects: ['feeRelation', 'feeStandard'],
  extraInput: importProjectInput,
})

export const exportRelations = declareExport({
  route: 'GET PropertyFeeitemRelation/GetExport',
  title: '导出收费关联',
  needs: menu.relation.permissions.export,
  list: listRelations,
})

import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { choice, ref, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { menu } from '../module.ts'
import { listRelations } from './relation-calls.ts'
import { sourceType } from './choices.ts'
import { feeRelation } from './relation.ts'

/** A line: an object, a standard, and how far the object has been billed elsewhere. */
export const importRelations = crudImport(
  { entity: feeRelation, path: 'PropertyFeeitemRelation' },
  {
    needs: menu.relation.permissions.import,
    affects: ['feeRelation', 'feeStandard'],
    fields: {
      sourceType: choice('对象类型', sourceType, { required: true, initial: 'room', synonyms: ['类型'] }),
      sourceName: text('收费对象', {
        required: true,
        max: 100,
        synonyms: ['房间', '房号', '车位号', '对象'],
        help: '房屋填 1-1-101 这样的房间或房屋编码，车位填车位号，车辆填车牌，公共区域填名称，企业填企业名称；都可以填编码',
      }),
      standardId: ref('收费标准', 'feeStandard', {
        required: true,
        synonyms: ['标准', '标准编码', '标准名称'],
        help: '填标准的名称或编码',
      }),
    },
    columns: [
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
    ],
    unique: ['sourceType', 'sourceName', 'standardId', 'beginDate'],
  },
)

export type RelationLine = SheetLineOf<typeof importRelations>

export const relationColumns = sheetColumns(feeRelation.fields, [
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

export const exportRelations = declareExport({
  route: 'GET PropertyFeeitemRelation/GetExport',
  title: '导出收费关联',
  needs: menu.relation.permissions.export,
  list: listRelations,
})

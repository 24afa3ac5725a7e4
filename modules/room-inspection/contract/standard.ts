import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, lines, lookup, ref, text } from '#kit/contract/field.ts'
import { byId, extendShape, draftOf, recordOf, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { standardSet } from './choices.ts'

/** What the rooms of a kind are inspected by: its items are `inspectionItem`. */
export const inspectionStandard = entity(
  'inspectionStandard',
  '验房标准',
  { table: 'inspection_standard', tenancy: 'company', title: 'standardName', order: ['id'] },
  {
    standardName: text('名称', { required: true, max: 60, searchable: true }),
    roomTypes: text('适用房型', { max: 50, help: '如：毛坯住宅' }),
    orderTypeId: ref('整改工单类型', 'workOrderType', {
      wire: 'OrderTypeID',
      help: '查出的问题按此类型派整改工单',
      hiddenIn: ['filter', 'sheet'],
    }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    itemCount: int('查验项', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type InspectionStandard = Row<typeof inspectionStandard>

/** One thing to look at in one part of the room. */
export const inspectionItem = entity(
  'inspectionItem',
  '查验项',
  { table: 'inspection_item', tenancy: 'company', title: 'itemName', order: ['standardId', 'sort', 'id'] },
  {
    standardId: ref('验房标准', 'inspectionStandard', { required: true, wire: 'StandardID' }),
    standardName: lookup('验房标准', 'standardId', 'standardName', {
      wire: 'StandardName',
      hiddenIn: ['table', 'detail', 'sheet'],
    }),
    part: text('部位', { required: true, max: 40, searchable: true, help: '如：客厅、卫生间' }),
    itemName: text('项目', { required: true, max: 60, searchable: true }),
    method: text('检查方法', { max: 200, hiddenIn: ['filter'] }),
    sort: int('排序', { required: true, initial: 0, min: 0, max: 9999, hiddenIn: ['filter'] }),
  },
)

export type InspectionItem = Row<typeof inspectionItem>

const { permissions } = menu.standard
const { permissions: itemPermissions } = menu.item

export const inspectionStandards = crud(inspectionStandard, {
  path: 'CheckroomStandard',
  permissions,
  filters: ['state'],
})

export const inspectionItems = crud(inspectionItem, {
  path: 'CheckroomStandardlist',
  permissions: itemPermissions,
  filters: ['standardId', 'part'],
  affects: ['inspectionStandard'],
})

export const exportStandards = crudExport(inspectionStandards, { needs: permissions.export })
export const exportItems = crudExport(inspectionItems, { needs: itemPermissions.export })
/** Lines say their standard by its name, so that one sheet holds several. */
export const importItems = crudImport(inspectionItems, {
  needs: itemPermissions.import,
  columns: ['standardId', 'part', 'itemName', 'method', 'sort'],
  unique: ['standardId', 'part', 'itemName'],
  affects: ['inspectionItem', 'inspectionStandard'],
})

const { part, itemName, method } = inspectionItem.fields

const itemLines = lines(
  '查验项',
  { id: idOf('编号', { wire: 'ID', hiddenIn: ['form'] }), part, itemName, method },
  { required: true, min: 1, max: 300, wire: 'Items' },
)

/** A standard with its items, in their order. */
export const getStandardForm = call({
  route: 'GET CheckroomStandard/GetForm',
  title: '查看验房标准及查验项',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(inspectionStandard), { items: itemLines }),
})

/** Adds without an id and edits with one; the items become those that are sent, in that order. */
export const saveStandardForm = call({
  route: 'POST CheckroomStandard/Save',
  title: '保存验房标准及查验项',
  needs: permissions.edit,
  input: extendShape(draftOf(inspectionStandard), { items: itemLines }),
  output: recordOf(inspectionStandard),
  affects: ['inspectionStandard', 'inspectionItem'],
})

export const copyStandard = call({
  route: 'POST CheckroomStandard/PostCopy',
  title: '复制验房标准',
  needs: permissions.add,
  input: shape({
    id: idOf('验房标准', { required: true, min: 1, wire: 'ID' }),
    standardName: inspectionStandard.fields.standardName,
  }),
  output: recordOf(inspectionStandard),
  affects: ['inspectionStandard', 'inspectionItem'],
})

/** The usual standard of such rooms; one of this name is left as it is. */
export const addStandardSet = call({
  route: 'POST CheckroomStandard/PostInit',
  title: '新增标准模板',
  needs: permissions.add,
  input: shape({ standardSet: choice('标准模板', standardSet, { required: true, wire: 'StandardSet' }) }),
  output: recordOf(inspectionStandard),
  affects: ['inspectionStandard', 'inspectionItem'],
})

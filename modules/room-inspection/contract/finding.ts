import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, int, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { findingResult, recheckResult } from './choices.ts'

export const maxPhotos = 9

/** What was seen of one item; the item is copied, so that a sheet outlives its standard. */
export const inspectionFinding = entity(
  'inspectionFinding',
  '验房明细',
  { table: 'inspection_finding', tenancy: 'project', title: 'itemName', order: ['sort', 'id'] },
  {
    projectCode: estateField(),
    inspectionId: ref('验房单', 'roomInspection', {
      required: true,
      wire: 'CheckroomID',
      hiddenIn: ['table', 'form'],
    }),
    buildCode: buildingThrough('inspectionId'),
    itemId: ref('标准项', 'inspectionItem', {
      required: true,
      wire: 'ItemID',
      hiddenIn: ['table', 'form', 'filter'],
    }),
    part: text('部位', { required: true, max: 40, immutable: true, searchable: true }),
    itemName: text('项目', { required: true, max: 60, immutable: true, searchable: true }),
    method: text('检查方法', { max: 200, immutable: true }),
    sort: int('排序', { required: true, immutable: true, hiddenIn: ['table', 'filter'] }),
    result: choice('结果', findingResult),
    problem: text('问题描述', { max: 500, searchable: true }),
    photos: list('照片', { max: maxPhotos, holdsFiles: true, hiddenIn: ['filter', 'sheet'] }),
    workOrderId: ref('整改工单', 'workOrder', { wire: ['WorkorderID', 'WorkOrderID'], hiddenIn: ['filter'] }),
    workOrderNo: lookup('整改工单', 'workOrderId', 'orderNo', { wire: 'WorkOrderNo' }),
    fixTime: moment('整改时间', { hiddenIn: ['filter'] }),
    recheckResult: choice('复查结果', recheckResult),
  },
)

export type InspectionFinding = Row<typeof inspectionFinding>

const { permissions } = menu.sheet

export const inspectionFindings = crud(inspectionFinding, {
  path: 'CheckroomDetails',
  permissions,
  operations: ['list'],
  filters: ['inspectionId', 'result', 'recheckResult'],
})

/** The result of one item; a problem says what it is. */
export const saveFinding = call({
  route: 'PUT CheckroomDetails/Put',
  title: '填写查验结果',
  needs: permissions.inspect,
  affects: ['inspectionFinding', 'roomInspection'],
  input: shape({
    id: idOf('明细', { required: true, min: 1, wire: 'ID' }),
    result: choice('结果', findingResult, { required: true }),
    problem: inspectionFinding.fields.problem,
    photos: inspectionFinding.fields.photos,
  }),
  output: recordOf(inspectionFinding),
})

/** Everything of the part that has no result yet has passed. */
export const passFindings = call({
  route: 'POST CheckroomDetails/PostPass',
  title: '其余合格',
  needs: permissions.inspect,
  affects: ['inspectionFinding', 'roomInspection'],
  input: shape({
    inspectionId: idOf('验房单', { required: true, min: 1, wire: 'CheckroomID' }),
    part: text('部位', { max: 40, help: '不填为全部部位' }),
  }),
  output: shape({ count: int('合格项', { required: true }) }),
})

/** Whether an earlier problem has been put right; one that has not gets another order. */
export const recheckFinding = call({
  route: 'PUT CheckroomDetails/PutRecheck',
  title: '填写复查结果',
  needs: permissions.inspect,
  affects: ['inspectionFinding', 'roomInspection'],
  input: shape({
    id: idOf('明细', { required: true, min: 1, wire: 'ID' }),
    recheckResult: choice('复查结果', recheckResult, { required: true }),
    problem: inspectionFinding.fields.problem,
    photos: inspectionFinding.fields.photos,
  }),
  output: recordOf(inspectionFinding),
})

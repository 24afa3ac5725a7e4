import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, flag, idOf, int, lines, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { recheckResult } from './choices.ts'
import { inspectionFinding } from './finding.ts'
import { roomInspection } from './inspection.ts'

const { part, itemName, problem, photos } = inspectionFinding.fields

/** A problem as it was seen at one check: later checks change its wording and its order. */
export const checkProblems = lines(
  '问题',
  {
    findingId: idOf('明细', { required: true, wire: 'DetailsID' }),
    part,
    itemName,
    problem,
    photos,
    workOrderId: idOf('整改工单', { wire: ['WorkorderID', 'WorkOrderID'] }),
    workOrderNo: text('整改工单', { wire: 'WorkOrderNo' }),
    fixTime: moment('整改时间'),
    recheckResult: choice('复查结果', recheckResult),
  },
  { hiddenIn: ['table', 'filter', 'sheet'] },
)

/** One time that the inspector was in the room: the first look, or a recheck (C13). */
export const inspectionCheck = entity(
  'inspectionCheck',
  '查验记录',
  { table: 'inspection_check', tenancy: 'project', title: 'checkNo', order: ['checkNo', 'id'] },
  {
    projectCode: estateField(),
    inspectionId: ref('验房单', 'roomInspection', { required: true, wire: 'CheckroomID' }),
    buildCode: buildingThrough('inspectionId'),
    checkNo: int('次序', { required: true, help: '0 为首次查验，其后为第几次复查', wire: 'CheckNo' }),
    inspectorId: ref('查验人', 'manager', { wire: 'InspectorID' }),
    inspectorName: lookup('查验人', 'inspectorId', 'realName', { wire: 'InspectorName' }),
    startTime: moment('开始时间'),
    endTime: moment('结束时间'),
    ownerPresent: flag('业主在场'),
    ownerName: text('业主', { max: 40, searchable: true }),
    signature: file('业主签名', { wire: 'SignUrl' }),
    meters: roomInspection.fields.meters,
    remark: text('备注', { max: 200, searchable: true }),
    problems: checkProblems,
    /** Those of the problems: those who see the check may open them. */
    photos: list('照片', { holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
  },
)

export type InspectionCheck = Row<typeof inspectionCheck>

export const inspectionChecks = crud(inspectionCheck, {
  path: 'CheckroomRecord',
  permissions: menu.sheet.permissions,
  operations: ['list'],
  filters: ['inspectionId'],
})

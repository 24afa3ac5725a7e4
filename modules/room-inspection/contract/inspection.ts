import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  file,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  lookup,
  moment,
  ref,
  text,
} from '#kit/contract/field.ts'
import { bulkResult, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { inspectionState } from './choices.ts'

const written = { immutable: true, hiddenIn: ['form'] } as const
const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const

export const meterReadings = lines(
  '水电表底',
  {
    name: text('仪表', { required: true, max: 20 }),
    reading: text('读数', {
      required: true,
      max: 20,
      rule: { name: 'reading', test: s => (/^\d{1,9}(\.\d{1,3})?$/.test(s) ? undefined : '读数应为数字') },
    }),
  },
  { max: 10, wire: ['MeterJson', 'Meters'], ...inDetail },
)

/** One room looked at by one standard, until it has passed (C13). */
export const roomInspection = entity(
  'roomInspection',
  '验房单',
  { table: 'room_inspection', tenancy: 'project', title: 'sheetNo', order: ['-id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table'] }),
    sheetNo: text('单号', { required: true, max: 30, searchable: true, ...written }),
    roomCode: keyRef('房屋', 'room', {
      required: true,
      immutable: true,
      wire: ['RoomCode', 'Roomcode'],
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    roomPath: lookup('房屋', 'roomCode', 'path', { searchable: true, wire: 'RoomPath' }),
    buildCode: keyRef('楼栋', 'building', {
      required: true,
      dataDomain: 'building',
      immutable: true,
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail', 'sheet'],
    }),
    standardId: ref('验房标准', 'inspectionStandard', {
      required: true,
      wire: 'StandardID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    standardName: lookup('验房标准', 'standardId', 'standardName', { wire: 'StandardName' }),
    round: int('轮次', {
      required: true,
      help: '该房屋的第几张验房单',
      immutable: true,
      hiddenIn: ['form', 'filter'],
    }),
    recheckCount: int('复查次数', { required: true, immutable: true, hiddenIn: ['form', 'filter'] }),
    inspectorId: ref('查验人', 'manager', { wire: 'InspectorID', hiddenIn: ['table', 'sheet', 'detail'] }),
    inspectorName: lookup('查验人', 'inspectorId', 'realName', { wire: 'InspectorName' }),
    planDate: day('计划日期', { wire: 'PlanDate' }),
    startTime: moment('开始时间', { ...written }),
    endTime: moment('结束时间', { ...written }),
    ownerPresent: flag('业主在场', { immutable: true, hiddenIn: ['form', 'table'] }),
    ownerName: text('业主', { max: 40, ...written, hiddenIn: ['form', 'table', 'filter', 'sheet'] }),
    signature: file('业主签名', {
      wire: 'SignUrl',
      immutable: true,
      hiddenIn: ['form', 'table', 'filter', 'sheet'],
    }),
    meters: meterReadings,
    problemCount: int('问题数', { required: true, immutable: true, hiddenIn: ['form'] }),
    openCount: int('未整改', { required: true, immutable: true, hiddenIn: ['form', 'filter'] }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', inspectionState, { required: true, initial: 'waiting', ...written }),
  },
)

export type RoomInspection = Row<typeof roomInspection>

const { permissions } = menu.sheet

export const roomInspections = crud(roomInspection, {
  path: 'Checkroom',
  permissions,
  operations: ['list', 'get', 'edit', 'delete'],
  filters: [
    'state',
    'buildCode',
    'standardId',
    'inspectorId',
    'planDate',
    'endTime',
    'roomCode',
    'problemCount',
  ],
  search: { states: choices('状态', inspectionState, { wire: 'States' }) },
  without: [
    'sheetNo',
    'roomCode',
    'buildCode',
    'round',
    'recheckCount',
    'startTime',
    'endTime',
    'ownerPresent',
    'ownerName',
    'signature',
    'meters',
    'problemCount',
    'openCount',
    'state',
    'projectCode',
  ],
  affects: ['inspectionFinding'],
})

export const exportInspections = crudExport(roomInspections, { needs: permissions.export })

/** One sheet per room of a building, a unit, or as chosen; rooms under inspection are skipped. */
export const addInspections = call({
  route: 'POST Checkroom/PostBatchRoom',
  title: '批量生成验房单',
  needs: permissions.add,
  affects: ['roomInspection'],
  input: shape({
    projectCode: estateField(),
    buildCode: keyRef('楼栋', 'building', {
      wire: 'Buildcode',
      help: '与单元一起选定范围；不选则按所选房屋',
    }),
    unitName: text('单元', { max: 20, wire: ['UnitName', 'Unitname'], help: '不填为整栋' }),
    roomCodes: {
      ...list('房屋', { max: 2000, wire: ['Rooms', 'RoomCodes'] }),
      target: 'room',
      targetBy: 'key',
    },
    standardId: roomInspection.fields.standardId,
    inspectorId: roomInspection.fields.inspectorId,
    planDate: roomInspection.fields.planDate,
  }),
  output: bulkResult,
})

const sheetId = idOf('验房单', { required: true, min: 1, wire: 'ID' })

/**
 * 10 → 20; of two who start at once the second is refused. A sheet that is planned for another inspector is
 * taken over by who says so and may edit sheets.
 */
export const startInspection = call({
  route: 'POST Checkroom/PostStartCheck',
  title: '开始查验',
  needs: permissions.inspect,
  affects: ['roomInspection', 'inspectionFinding', 'inspectionCheck'],
  input: shape({ id: sheetId, takesOver: flag('接手', { wire: 'TakesOver' }) }),
  output: recordOf(roomInspection),
})

/** 40 or 50 → 20; the round stays, and so do the findings. */
export const recheckInspection = call({
  route: 'POST Checkroom/PostAgainCheck',
  title: '复查',
  needs: permissions.inspect,
  affects: ['roomInspection', 'inspectionFinding', 'inspectionCheck'],
  input: shape({ id: sheetId }),
  output: recordOf(roomInspection),
})

/** 20 → 30, 40 or 60; every problem becomes a work order. */
export const finishInspection = call({
  route: 'POST Checkroom/PostFinishCheck',
  title: '完成查验',
  needs: permissions.inspect,
  affects: ['roomInspection', 'inspectionFinding', 'inspectionCheck', 'workOrder'],
  input: shape({
    id: sheetId,
    ownerPresent: flag('业主在场', { required: true }),
    ownerName: text('业主', { max: 40 }),
    signature: file('业主签名', { wire: 'SignUrl' }),
    meters: meterReadings,
    remark: roomInspection.fields.remark,
  }),
  output: recordOf(roomInspection),
})

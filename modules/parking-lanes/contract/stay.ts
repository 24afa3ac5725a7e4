import { call } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  decimal,
  file,
  flag,
  idOf,
  int,
  lookup,
  moment,
  money,
  ref,
  text,
} from '#kit/contract/field.ts'
import {
  bulkResult,
  byIdsWithReason,
  pageOfRows,
  reasonField,
  recordIdField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { typedPlateRule } from '#modules/parking/contract/licence-plate.ts'
import { menu } from '../module.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { ageBand, exitKind, stayState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const hidden = { hiddenIn: ['table', 'filter', 'sheet', 'detail'] } as const
const outOfTable = { hiddenIn: ['table', 'sheet', 'detail'] } as const

/** One car once in a car park: its entry, its exit and what it paid (C10.1). */
export const parkingStay = entity(
  'parkingStay',
  '停车出入记录',
  { table: 'parking_stay', tenancy: 'project', title: 'plateNo', order: ['-passTime'] },
  {
    projectCode: estateField(),
    passNo: text('通行号', { derived: true, hiddenIn: ['table', 'filter', 'form'] }),
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'], ...outOfTable }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    plateNo: text('车牌', { required: true, max: 8 }),
    /** The car that has the plate now, where one is registered. */
    carId: idOf('车辆', { derived: true, wire: 'CarID', hiddenIn: [...hidden.hiddenIn, 'form'] }),
    originalPlate: text('识别车牌', { max: 8, help: '修改之前', ...inDetail }),
    carKind: choice('车类', carKind, { required: true }),
    /** Whose places it shares, by which it is on the month right or not (PRK-6). */
    groupId: idOf('车辆分组', { wire: 'GroupID', ...hidden }),
    /** Of the entry; of the exit where nobody saw an entry. */
    passTime: moment('时间', { required: true, wire: 'PassTime', hiddenIn: ['table', 'sheet', 'detail'] }),
    inTime: moment('入场时间'),
    inLaneId: ref('入口', 'parkLane', { wire: ['InGateID', 'InGateId'], ...outOfTable }),
    inLaneName: lookup('入口', 'inLaneId', 'laneName', { wire: 'InGateName' }),
    inPhoto: file('入场图', { wire: 'InPhoto', hiddenIn: ['table', 'filter', 'sheet'] }),
    outTime: moment('出场时间'),
    outLaneId: ref('出口', 'parkLane', { wire: ['OutGateID', 'OutGateId'], ...outOfTable }),
    outLaneName: lookup('出口', 'outLaneId', 'laneName', { wire: 'OutGateName' }),
    outPhoto: file('出场图', { wire: 'OutPhoto', hiddenIn: ['table', 'filter', 'sheet'] }),
    stayMinutes: int('停留分钟', { hiddenIn: ['filter'] }),
    shouldPay: money('应收', { required: true }),
    discount: money('优惠', { required: true }),
    paid: money('实收', { required: true }),
    paidTime: moment('缴费时间', { ...inDetail }),
    /** What of the stay is charged: a month card that ended inside, a place of the group that became free. */
    chargedFrom: moment('计费起', { ...inDetail }),
    chargedTo: moment('计费止', { ...inDetail }),
    state: choice('状态', stayState, { required: true, struckOut: ['merged'] }),
    exitKind: choice('放行方式', exitKind, { hiddenIn: ['table'] }),
    releaseReason: text('原因', { max: 200, wire: 'ReleaseReason', hiddenIn: ['table', 'filter'] }),
    isTimeDoubtful: flag('车道时间异常', { required: true, wire: 'TimeDoubtful', ...inDetail }),
    mergedInto: idOf('合并到', { wire: 'MergedInto', ...hidden }),
    operatorId: idOf('操作员', { wire: 'OperatorID', ...hidden }),
    operatorName: text('操作员', { max: 40, ...inDetail }),
  },
)

export type ParkingStay = Row<typeof parkingStay>

const { permissions } = menu.stay

/** Of the last thirty days, unless another time is asked; those inside whenever they came. */
export const parkingStays = crud(parkingStay, {
  path: 'ParkingOutinlog',
  permissions,
  operations: ['list', 'get'],
  filters: [
    'parkId',
    'passTime',
    'carKind',
    'state',
    'exitKind',
    'inLaneId',
    'outLaneId',
    'inTime',
    'outTime',
    'stayMinutes',
  ],
  search: {
    /** A part of it, as a driver tells it. */
    plateNo: text('车牌', { max: 8, wire: 'PlateNo' }),
    /** All of a car, by its plate. */
    carId: idOf('车辆', { min: 1, wire: 'CarID' }),
  },
  sums: ['shouldPay', 'discount', 'paid'],
})

export const { list: listStays, get: getStay } = parkingStays

export const exportStays = crudExport(parkingStays, { needs: permissions.export })

const ageFields = {
  id: recordIdField,
  projectCode: parkingStay.fields.projectCode,
  plateNo: parkingStay.fields.plateNo,
  parkId: parkingStay.fields.parkId,
  parkName: parkingStay.fields.parkName,
  carKind: parkingStay.fields.carKind,
  inTime: parkingStay.fields.inTime,
  outTime: parkingStay.fields.outTime,
  stayHours: decimal('停留小时', { scale: 2 }),
  ageBand: choice('时段', ageBand, { required: true }),
  fee: money('当前应收', { required: true }),
  paid: parkingStay.fields.paid,
  state: parkingStay.fields.state,
} as const

const ageSearch = search(parkingStay, ['parkId', 'carKind'], {
  plateNo: text('车牌', { max: 8, wire: 'PlateNo' }),
  ageBands: choices('时段', ageBand, { wire: 'AgeBand' }),
})

/** Cars inside, how long and what they owe now (PRK-9). */
export const listParkingAges = call({
  route: 'GET PropertyParkingPassAges/Get',
  title: '在场车辆',
  needs: permissions.view,
  input: ageSearch,
  output: pageOfRows(ageFields, { entity: 'parkingStay' }),
})

/** Cars that have left in the last thirty days, by how long they were inside. */
export const listLeftAges = call({
  route: 'GET PropertyParkingPassAges/GetOutList',
  title: '离场车辆停留时长',
  needs: permissions.view,
  input: ageSearch,
  output: pageOfRows(ageFields, { entity: 'parkingStay' }),
})

export const plateInputField = text('车牌', {
  required: true,
  max: 12,
  rule: typedPlateRule,
  wire: 'PlateNo',
})

/** PRK-8: the camera misread it. */
export const correctPlate = call({
  route: 'PUT ParkingOutinlog/PutPlate',
  title: '修改车牌',
  needs: permissions.correct,
  affects: ['parkingStay', 'parkingCharge'],
  input: shape({ id: recordIdField, plateNo: plateInputField, reason: reasonField }),
  output: recordOf(parkingStay),
})

/** PRK-8: an entry without exit and an exit without entry are one stay. */
export const mergeStays = call({
  route: 'POST ParkingOutinlog/PostMerge',
  title: '合并记录',
  needs: permissions.correct,
  affects: ['parkingStay', 'parkingCharge'],
  input: shape({
    id: recordIdField,
    exitId: ref('出场记录', 'parkingStay', {
      required: true,
      wire: ['ExitID', 'ExitId'],
      help: '有出场、没有入场的记录',
    }),
    reason: reasonField,
  }),
  output: recordOf(parkingStay),
})

/** Lets a car out that is inside: with or without its fee (PRK-10). */
export const releaseStay = call({
  route: 'POST ParkingOutinlog/PostRelease',
  title: '放行',
  needs: permissions.release,
  affects: ['parkingStay', 'parkingCharge'],
  input: shape({
    id: recordIdField,
    outLaneId: ref('出口', 'parkLane', { required: true, wire: ['OutGateID', 'OutGateId'] }),
    isFree: flag('免费放行', { required: true, initial: false, wire: 'Free', help: '尚欠的停车费不收' }),
    reason: reasonField,
  }),
  output: recordOf(parkingStay),
})

/** Ends the records of cars that are not there any more (PRK-9). */
export const clearStays = call({
  route: 'POST ParkingOutinlog/PostClear',
  title: '清场',
  needs: permissions.clear,
  affects: ['parkingStay'],
  input: byIdsWithReason,
  output: bulkResult,
})

import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  file,
  idOf,
  int,
  keyRef,
  list,
  lookup,
  ref,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { idRule, listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { mobileField, nameRule } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'
import { carKind, carState, plateColor, validityChange } from './car-labels.ts'
import { normalizePlate, plateRule } from './licence-plate.ts'

/** Chosen by id; the name stands beside it. */
const hiddenReference = { hiddenIn: ['table', 'sheet', 'detail'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** As people write a plate: small letters and the dot are no fault. */
export const typedPlateRule = { ...plateRule, test: (plate: string) => plateRule.test(normalizePlate(plate)) }

export const parkList = {
  ...list('授权车场', {
    max: 50,
    rule: idRule,
    wire: ['ParkIDs', 'ParkIds'],
    help: '不选为项目的全部车场',
    hiddenIn: ['table', 'filter', 'sheet'],
  }),
  target: 'park',
  targetBy: 'id' as const,
}

/** A car that is known in a project, by its plate (C10.1, PRK-1). */
export const car = entity(
  'car',
  '车辆',
  { table: 'car', tenancy: 'project', title: 'plateNo', order: ['-id'] },
  {
    projectCode: estateField(),
    plateNo: text('车牌', {
      required: true,
      max: 20,
      rule: typedPlateRule,
      searchable: true,
      wire: 'PlateNo',
      synonyms: ['车牌号', '车牌号码'],
    }),
    plateColor: choice('车牌颜色', plateColor, { required: true, initial: 'blue', hiddenIn: ['filter'] }),
    carKind: choice('类别', carKind, {
      required: true,
      initial: 'month',
      synonyms: ['车辆类别', '车辆类型'],
    }),
    carModel: text('车型', { max: 40, hiddenIn: ['filter'] }),
    carColor: text('颜色', { max: 10, hiddenIn: ['filter'], synonyms: ['车身颜色'] }),
    userId: ref('住户', 'resident', { wire: 'UserID', ...hiddenReference }),
    companyId: ref('企业', 'company', { wire: 'CompanyID', ...hiddenReference }),
    workerId: ref('企业员工', 'companyWorker', { wire: 'WorkerID', ...hiddenReference }),
    companyName: lookup('企业', 'companyId', 'name', { wire: 'CompanyName', hiddenIn: ['table'] }),
    ownerName: text('车主', {
      max: 40,
      rule: nameRule,
      searchable: true,
      wire: ['OwnerName', 'Username'],
      synonyms: ['车主姓名', '姓名'],
      hiddenIn: ['filter'],
    }),
    mobile: mobileField('手机', { hiddenIn: ['filter'] }),
    roomCode: keyRef('房屋', 'room', { hiddenIn: ['table', 'detail'], synonyms: ['房号', '房间'] }),
    roomPath: lookup('房屋', 'roomCode', 'path', { wire: 'RoomPath' }),
    parkIds: parkList,
    placeId: ref('车位', 'parkPlace', { wire: 'PlaceID', ...hiddenReference }),
    placeNo: lookup('车位', 'placeId', 'placeNo', { wire: 'PlaceNo' }),
    beginDate: day('有效期起', { rule: calendarYears, immutable: true, hiddenIn: ['filter'] }),
    endDate: day('有效期止', {
      rule: calendarYears,
      immutable: true,
      help: '当天仍有效；不填为长期',
    }),
    feeStandardId: ref('月租标准', 'feeStandard', {
      wire: 'FeeStandardID',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    feeStandardName: lookup('月租标准', 'feeStandardId', 'name', {
      wire: 'FeeStandardName',
      hiddenIn: ['table'],
    }),
    groupName: text('车辆分组', {
      derived: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    carState: systemChoice('状态', carState, 'pending', { struckOut: ['cancelled'] }),
    blackReason: text('拉黑原因', { max: 200, immutable: true, hiddenIn: ['table', 'form', 'filter'] }),
    prevState: choice('拉黑前状态', carState, {
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    license: file('行驶证', {
      wire: 'LicenseUrl',
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '图片，不超过 2048 KB',
    }),
    remark: text('备注', { max: 200, ...inDetail }),
  },
)

export type Car = Row<typeof car>

const { permissions } = menu.car

/** Other calls change the state and the days. */
export const cars = crud(car, {
  path: 'Car',
  permissions,
  filters: ['plateNo', 'carKind', 'carState', 'roomCode', 'placeId', 'endDate', 'createTime'],
  search: {
    userId: idOf('住户', { min: 1, wire: ['UserID', 'UserId'] }),
    companyId: idOf('企业', { min: 1, wire: ['CompanyID', 'CompanyId'] }),
    expiresWithin: int('几天内到期', { min: 0, max: 366, wire: 'ExpireDays' }),
  },
  without: ['carState', 'blackReason', 'prevState'],
  list: { route: 'GET Car/get' },
  add: { route: 'POST Car/post', affects: ['parkPlace'] },
  edit: { route: 'PUT Car/put', affects: ['parkPlace', 'carGroup'] },
  delete: { affects: ['parkPlace'] },
})

/** One car with the person it belongs to, as the old wire asks. */
export const getCarWithOwner = call({
  route: 'GET Car/GetOneCarWithUser',
  title: '按车牌查车辆与车主',
  needs: permissions.view,
  input: shape({
    plateNo: text('车牌', { required: true, max: 20, wire: ['PlateNo', 'CarNo'] }),
    projectCode: estateField({ required: false }),
  }),
  output: cars.get.output,
})

export const countCarsByState = call({
  route: 'GET Car/GetCarStateCount',
  title: '车辆状态统计',
  needs: permissions.view,
  input: shape({ projectCode: estateField({ required: false }) }),
  output: listOfRows({
    carState: choice('状态', carState, { required: true }),
    count: int('数量', { required: true }),
  }),
})

/** What a picker shows of a car: no telephone, nobody's name. */
const pickedCar = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  projectCode: estateField(),
  plateNo: car.fields.plateNo,
  carKind: car.fields.carKind,
  carState: car.fields.carState,
  placeId: idOf('车位', { wire: 'PlaceID' }),
  placeNo: text('车位', { wire: 'PlaceNo' }),
  beginDate: car.fields.beginDate,
  endDate: car.fields.endDate,
}

const userIdField = idOf('住户', { required: true, min: 1, wire: ['UserID', 'UserId'] })

export const listCarsOfPlace = call({
  route: 'GET Car/GetCarByParkPlace',
  title: '车位的车辆',
  needs: permissions.view,
  input: shape({ placeId: idOf('车位', { required: true, min: 1, wire: ['PlaceID', 'ParkPlaceID'] }) }),
  output: listOfRows(pickedCar),
})

export const listCarsAndPlacesOfResident = call({
  route: 'GET Car/GetCarAndPlaceNoByUserId',
  title: '住户的车辆与车位',
  needs: permissions.view,
  input: shape({ userId: userIdField }),
  output: listOfRows(pickedCar),
})

export const listCarsOfResident = call({
  route: 'POST Car/GetCarByUserId',
  title: '住户的车辆',
  readOnly: true,
  needs: permissions.view,
  input: shape({ userId: userIdField }),
  output: listOfRows(pickedCar),
})

/** Each change of the days of a car, the latest first. */
export const carValidity = entity(
  'carValidity',
  '有效期变动',
  { table: 'car_validity', tenancy: 'project', title: 'plateNo', order: ['-id'] },
  {
    projectCode: estateField(),
    carId: ref('车辆', 'car', { required: true, immutable: true, wire: 'CarID', hiddenIn: ['table'] }),
    plateNo: text('车牌', {
      required: true,
      max: 20,
      immutable: true,
      searchable: true,
      wire: 'PlateNo',
    }),
    changeType: choice('变动', validityChange, { required: true, immutable: true }),
    oldBegin: day('原起', { immutable: true }),
    oldEnd: day('原止', { immutable: true }),
    newBegin: day('新起', { immutable: true }),
    newEnd: day('新止', { immutable: true }),
    reason: text('原因', { max: 200, immutable: true }),
    operatorName: text('操作人', { max: 40, immutable: true }),
  },
)

export type CarValidity = Row<typeof carValidity>

export const carValidities = crud(carValidity, {
  path: 'Car',
  permissions,
  operations: ['list'],
  filters: ['carId'],
  list: { route: 'GET Car/GetValidityList' },
})

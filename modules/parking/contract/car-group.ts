import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, list, lookup, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { deletedIdField, listOfRows, noData, reasonField, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { car, parkList, typedPlateRule } from './car.ts'
import { park } from './park.ts'

export const maxGroupPlates = 50

const plateList = {
  ...list('车牌', {
    required: true,
    max: maxGroupPlates,
    rule: typedPlateRule,
    wire: 'PlateNos',
    help: '共用车位的车牌，按优先级从高到低',
    hiddenIn: ['table', 'filter', 'sheet'],
  }),
} as const

/** Cars that share fewer places than they are, in some of the car parks (PRK-6). */
export const carGroup = entity(
  'carGroup',
  '车辆分组',
  { table: 'car_group', tenancy: 'project', title: 'groupName', order: ['-id'] },
  {
    projectCode: estateField(),
    groupName: text('组名', { required: true, max: 40, searchable: true }),
    userId: ref('住户', 'resident', { wire: 'UserID', hiddenIn: ['table', 'sheet', 'detail'] }),
    userName: lookup('住户', 'userId', 'name', { wire: ['Username', 'UserName'] }),
    companyId: ref('企业', 'company', { wire: 'CompanyID', hiddenIn: ['table', 'sheet', 'detail'] }),
    companyName: lookup('企业', 'companyId', 'name', { wire: 'CompanyName' }),
    placeCount: int('车位数', { required: true, min: 1, max: maxGroupPlates, initial: 1 }),
    plateNos: plateList,
    plateCount: int('车牌数', { derived: true, hiddenIn: ['form', 'filter'] }),
    parkIds: { ...parkList, label: '车场', required: true, help: '车位所在的车场' },
    switchOnLeave: flag('离场转月租', {
      required: true,
      initial: true,
      help: '组内一辆离场后，最早等待的一辆自此刻起按月租',
      hiddenIn: ['filter'],
    }),
    beginDate: day('有效期起', { rule: calendarYears, hiddenIn: ['filter'] }),
    endDate: day('有效期止', { rule: calendarYears, help: '当天仍有效；不填为长期' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type CarGroup = Row<typeof carGroup>

const { permissions } = menu.carGroup

export const carGroups = crud(carGroup, {
  path: 'PropertyCargroup',
  permissions,
  filters: ['state', 'endDate', 'createTime'],
  search: { plateNo: text('车牌', { max: 20, wire: 'PlateNo' }) },
})

const groupIdField = idOf('车辆分组', { required: true, min: 1, wire: ['GroupID', 'CargroupID'] })
const affects = ['carGroup', 'car']

/** The plates of a group in their order, with the car of each where one is registered. */
export const listGroupPlates = call({
  route: 'GET PropertyCargroupCarnumber/Get',
  title: '分组的车牌',
  needs: permissions.view,
  input: shape({ groupId: groupIdField }),
  output: listOfRows({
    plateNo: car.fields.plateNo,
    priority: int('优先级', { required: true, wire: 'Priority' }),
    carId: idOf('车辆', { wire: 'CarID' }),
    carKind: { ...car.fields.carKind, required: false },
    carState: { ...car.fields.carState, required: false },
    endDate: car.fields.endDate,
  }),
})

export const addGroupPlates = call({
  route: 'POST PropertyCargroupCarnumber/Post',
  title: '分组添加车牌',
  needs: permissions.edit,
  affects,
  input: shape({ groupId: groupIdField, plateNos: { ...plateList, wire: ['PlateNos', 'PlateNo'] } }),
  output: noData,
})

export const removeGroupPlates = call({
  route: 'DELETE PropertyCargroupCarnumber/Delete',
  title: '分组移除车牌',
  needs: permissions.edit,
  affects,
  input: shape({
    id: { ...deletedIdField, label: '车辆分组' },
    plateNos: { ...plateList, wire: ['PlateNos', 'PlateNo'] },
    reason: reasonField,
  }),
  output: noData,
})

export const listGroupParks = call({
  route: 'GET PropertyCargroupParkinglot/Get',
  title: '分组的车场',
  needs: permissions.view,
  input: shape({ groupId: groupIdField }),
  output: listOfRows({
    parkId: idOf('停车场', { required: true, wire: 'ParkID' }),
    name: park.fields.name,
    code: park.fields.code,
    state: park.fields.state,
  }),
})

export const addGroupParks = call({
  route: 'POST PropertyCargroupParkinglot/Post',
  title: '分组添加车场',
  needs: permissions.edit,
  affects,
  input: shape({ groupId: groupIdField, parkIds: { ...parkList, required: true } }),
  output: noData,
})

export const removeGroupParks = call({
  route: 'DELETE PropertyCargroupParkinglot/Delete',
  title: '分组移除车场',
  needs: permissions.edit,
  affects,
  input: shape({
    id: { ...deletedIdField, label: '车辆分组' },
    parkIds: { ...parkList, required: true },
    reason: reasonField,
  }),
  output: noData,
})

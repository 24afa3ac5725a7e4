import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  keyRef,
  list,
  ref,
  text,
  lookup,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { bulkResult, recordOf, listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { ownKind, placeLevel, placeState, placeType } from './labels.ts'

export const parkPlace = entity(
  'parkPlace',
  '车位',
  {
    table: 'park_place',
    tenancy: 'project',
    key: 'code',
    title: 'placeNo',
    order: ['projectCode', 'parkId', 'sortKey'],
  },
  {
    projectCode: estateField(),
    parkId: ref('停车场', 'park', {
      required: true,
      hiddenIn: ['table'],
      synonyms: ['车场', '车场名称', '停车场名称'],
    }),
    parkName: lookup('停车场', 'parkId', 'name'),
    code: text('车位编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      wire: 'PlaceCode',
      searchable: true,
      help: '项目内唯一；不填则自动生成',
    }),
    placeNo: text('车位号', { required: true, max: 20, searchable: true, synonyms: ['车位编号', '号码'] }),
    areaName: text('区域', { max: 20, help: '如 B1-A 区' }),
    placeType: choice('类型', placeType, { required: true, initial: 'plain', synonyms: ['车位类型'] }),
    ownKind: choice('产权', ownKind),
    area: decimal('面积', { unit: '㎡', min: 0, max: 9999 }),
    placeState: choice('状态', placeState, {
      required: true,
      initial: 'free',
      synonyms: ['车位状态'],
      struckOut: ['off'],
    }),
    roomCode: keyRef('关联房间', 'room', { hiddenIn: ['table'], synonyms: ['房间', '房号'] }),
    roomPath: lookup('关联房间', 'roomCode', 'path'),
    beginDate: day('开始日期'),
    endDate: day('结束日期'),
    carLimit: int('可绑车数', { min: 1, max: 20, initial: 1 }),
    parentPlaceId: ref('母车位', 'parkPlace', {
      hiddenIn: ['table', 'filter'],
      help: '子母车位中，子车位填写',
    }),
    parentPlaceNo: lookup('母车位', 'parentPlaceId', 'placeNo', { hiddenIn: ['table'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    sortKey: text('次序', { required: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  },
)

export type ParkPlace = Row<typeof parkPlace>

/** The state of a place that is there changes by its own call only. */
export const parkPlaces = crud(parkPlace, {
  path: 'Parkplace',
  permissions: menu.place.permissions,
  filters: [
    'parkId',
    'placeNo',
    'areaName',
    'placeType',
    'ownKind',
    'placeState',
    'roomCode',
    'beginDate',
    'endDate',
    'area',
  ],
  sums: ['area'],
  without: ['sortKey', 'placeState'],
  addFields: { placeState: parkPlace.fields.placeState },
  list: { needs: everyone },
  add: { route: 'POST Parkplace/post', affects: ['park'] },
  delete: { affects: ['park'] },
})

export const {
  list: listPlaces,
  get: getPlace,
  add: addPlace,
  edit: editPlace,
  delete: deletePlaces,
} = parkPlaces

export const getPlaceByCode = call({
  route: 'GET Parkplace/GetParkPlaceByCode',
  title: '按编码查车位',
  needs: everyone,
  input: shape({
    code: text('车位编码', { required: true, max: 20, wire: ['PlaceCode', 'code'] }),
    projectCode: estateField({ required: false }),
  }),
  output: recordOf(parkPlace),
})

/** The places of a resident's homes, and those that the resident's cars hold. */
export const listPlacesOfResident = call({
  route: 'GET Parkplace/GetParkPlaceByUserId',
  title: '住户的车位',
  needs: menu.place.permissions.view,
  input: shape({ userId: idOf('住户', { required: true, min: 1, wire: ['UserID', 'UserId'] }) }),
  output: listOfRows({ ...parkPlace.fields }),
})

/** Moves places to another state; a parent takes its children along, a child does not go alone. */
export const changePlaceState = call({
  route: 'PUT Parkplace/PutState',
  title: '变更车位状态',
  needs: menu.place.permissions.state,
  input: shape({
    ids: list('编号', { required: true, wire: ['Ids', 'ID'], max: 2000 }),
    placeState: parkPlace.fields.placeState,
    roomCode: parkPlace.fields.roomCode,
    beginDate: parkPlace.fields.beginDate,
    endDate: parkPlace.fields.endDate,
    reason: text('原因', { max: 200 }),
  }),
  output: bulkResult,
  affects: ['parkPlace', 'park'],
})

const parkFilterFields = {
  projectCode: estateField({ required: false }),
  parkId: idOf('停车场', { wire: 'ParkID', min: 1 }),
}

export const countPlacesByState = call({
  route: 'GET Parkplace/GetNowStateGroup',
  title: '车位状态统计',
  needs: everyone,
  input: shape(parkFilterFields),
  output: listOfRows({
    placeState: choice('状态', placeState, { required: true }),
    count: int('数量', { required: true }),
  }),
})

const placeNodeFields = {
  key: text('键', { required: true }),
  level: choice('层级', placeLevel, { required: true }),
  name: text('名称', { required: true }),
  projectCode: estateField(),
  parkId: idOf('停车场', { wire: 'ParkID' }),
  areaName: text('区域'),
  id: idOf('编号', { wire: 'ID' }),
  code: text('车位编码', { wire: 'PlaceCode' }),
  placeState: choice('状态', placeState),
  count: int('车位数'),
  leaf: flag('没有下级', { required: true }),
}

export type PlaceNode = ValueOf<typeof placeNodeFields>

/**
 * One level of the tree project → car park → area → place, as it is opened; car parks without areas go
 * straight to their places.
 */
export const listPlaceNodes = call({
  route: 'GET Parkplace/GetPositionParkPlaceNode',
  title: '车位位置树',
  needs: everyone,
  input: shape({
    level: choice('层级', placeLevel),
    ...parkFilterFields,
    areaName: text('区域', { max: 20 }),
  }),
  output: listOfRows(placeNodeFields),
})

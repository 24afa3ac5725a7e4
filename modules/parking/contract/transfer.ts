import { text, type ValueOf } from '#kit/contract/field.ts'
import { loosely } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, importMode, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { listPlaces, parkPlace } from './place.ts'

const f = parkPlace.fields

const line = {
  ...loosely({
    code: f.code,
    areaName: f.areaName,
    placeType: f.placeType,
    ownKind: f.ownKind,
    area: f.area,
    placeState: f.placeState,
    roomCode: f.roomCode,
    beginDate: f.beginDate,
    endDate: f.endDate,
    carLimit: f.carLimit,
    remark: f.remark,
  }),
  parkId: f.parkId,
  placeNo: f.placeNo,
  /** By number in the same car park: it may stand in the same file. */
  parentPlaceNo: text('母车位', { max: 20, help: '子母车位中，子车位填母车位的车位号' }),
}

export type PlaceLine = ValueOf<typeof line>

const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

const order = [
  'code',
  'parkId',
  'placeNo',
  'areaName',
  'placeType',
  'ownKind',
  'area',
  'placeState',
  'roomCode',
  'beginDate',
  'endDate',
  'carLimit',
  'parentPlaceNo',
  'remark',
] as const

export const placeSheet = sheetOf<PlaceLine>(
  '车位',
  { fields: silent },
  { keys: order, unique: ['parkId', 'placeNo'] },
)

export const placeColumns = sheetColumns(
  f,
  order.map(k => (k === 'parkId' ? 'parkName' : k === 'roomCode' ? 'roomPath' : k)),
)

/** An import goes into one project. */
export const ofProject = { projectCode: estateOf<true>() }

export const importPlaces = imports({
  at: 'POST Parkplace/PostImport',
  title: '导入车位',
  needs: menu.place.may.import,
  affects: ['parkPlace', 'park'],
  modes: importMode,
  more: ofProject,
})

export const exportPlaces = exports({
  at: 'GET Parkplace/GetExport',
  title: '导出车位',
  needs: menu.place.may.export,
  of: listPlaces,
})

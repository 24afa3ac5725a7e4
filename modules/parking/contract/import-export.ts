import { text, type ValueOf } from '#kit/contract/field.ts'
import { partialFields } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, importMode, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { listPlaces, parkPlace } from './park-place.ts'

const placeFields = parkPlace.fields

const sheetFields = {
  ...partialFields({
    code: placeFields.code,
    areaName: placeFields.areaName,
    placeType: placeFields.placeType,
    ownKind: placeFields.ownKind,
    area: placeFields.area,
    placeState: placeFields.placeState,
    roomCode: placeFields.roomCode,
    beginDate: placeFields.beginDate,
    endDate: placeFields.endDate,
    carLimit: placeFields.carLimit,
    remark: placeFields.remark,
  }),
  parkId: placeFields.parkId,
  placeNo: placeFields.placeNo,
  /** By number in the same car park: it may stand in the same file. */
  parentPlaceNo: text('母车位', { max: 20, help: '子母车位中，子车位填母车位的车位号' }),
}

export type PlaceSheetRow = ValueOf<typeof sheetFields>

const importFields = Object.fromEntries(
  Object.entries(sheetFields).map(([k, x]) => [k, { ...x, initial: undefined, hiddenIn: undefined }]),
) as unknown as typeof sheetFields

const columnOrder = [
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

export const placeSheet = sheetSchemaOf<PlaceSheetRow>(
  '车位',
  { fields: importFields },
  { keys: columnOrder, unique: ['parkId', 'placeNo'] },
)

export const placeColumns = sheetColumns(
  placeFields,
  columnOrder.map(k => (k === 'parkId' ? 'parkName' : k === 'roomCode' ? 'roomPath' : k)),
)

/** An import goes into one project. */
export const importProjectInput = { projectCode: estateField<true>() }

export const importPlaces = declareImport({
  route: 'POST Parkplace/PostImport',
  title: '导入车位',
  needs: menu.place.permissions.import,
  affects: ['parkPlace', 'park'],
  modes: importMode,
  more: importProjectInput,
})

export const exportPlaces = declareExport({
  route: 'GET Parkplace/GetExport',
  title: '导出车位',
  needs: menu.place.permissions.export,
  of: listPlaces,
})

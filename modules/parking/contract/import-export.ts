import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { text } from '#kit/contract/field.ts'
import { menu } from '../module.ts'
import { parkPlaces } from './park-place.ts'

const columns = [
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

const { permissions } = menu.place

/** A parent place is named by its number in the same car park: it may be in the same file. */
export const importPlaces = crudImport(parkPlaces, {
  needs: permissions.import,
  fields: { parentPlaceNo: text('母车位', { max: 20, help: '子母车位中，子车位填母车位的车位号' }) },
  columns,
  unique: ['parkId', 'placeNo'],
  affects: ['parkPlace', 'park'],
})

export const exportPlaces = crudExport(parkPlaces, {
  needs: permissions.export,
  columns: columns.map(key => (key === 'parkId' ? 'parkName' : key === 'roomCode' ? 'roomPath' : key)),
})

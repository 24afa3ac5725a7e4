import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { menu } from '../module.ts'
import { cars } from './car.ts'

const { permissions } = menu.car

export const importCars = crudImport(cars, {
  needs: permissions.import,
  columns: [
    'plateNo',
    'plateColor',
    'carKind',
    'ownerName',
    'mobile',
    'roomCode',
    'placeId',
    'beginDate',
    'endDate',
    'carModel',
    'carColor',
    'remark',
  ],
  unique: ['plateNo'],
  affects: ['car', 'parkPlace'],
})

export const exportCars = crudExport(cars, {
  needs: permissions.export,
  columns: [
    'plateNo',
    'plateColor',
    'carKind',
    'ownerName',
    'mobile',
    'companyName',
    'roomPath',
    'placeNo',
    'beginDate',
    'endDate',
    'feeStandardName',
    'carState',
    'blackReason',
    'carModel',
    'carColor',
    'remark',
  ],
})

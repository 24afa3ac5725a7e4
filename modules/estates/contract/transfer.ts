import type { ValueOf } from '#kit/contract/field.ts'
import { loosely } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, importMode, imports } from '#kit/contract/transfer.ts'
import { menu } from '../module.ts'
import { listAreas, publicArea } from './area.ts'
import { building, listBuildings } from './building.ts'
import { estateOf } from './estate.ts'

const f = building.fields

const line = {
  ...loosely({
    code: f.code,
    buildType: f.buildType,
    units: f.units,
    unitType: f.unitType,
    unitNames: f.unitNames,
    floors: f.floors,
    undergroundFloors: f.undergroundFloors,
    buildArea: f.buildArea,
    elevatorCount: f.elevatorCount,
    deliverDate: f.deliverDate,
    sort: f.sort,
    remark: f.remark,
  }),
  name: f.name,
}

export type BuildingLine = ValueOf<typeof line>

/** An empty cell says nothing about the record: start values are given to new buildings alone. */
const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

const order = [
  'name',
  'code',
  'buildType',
  'units',
  'unitType',
  'unitNames',
  'floors',
  'undergroundFloors',
  'buildArea',
  'elevatorCount',
  'deliverDate',
  'sort',
  'remark',
] as const

export const buildingSheet = sheetOf<BuildingLine>(
  '楼栋',
  { fields: silent },
  { keys: order, unique: ['name'] },
)

export const buildingColumns = sheetColumns(f, order)

/** An import goes into one project. */
export const ofProject = { projectCode: estateOf<true>() }

export const importBuildings = imports({
  at: 'POST building/PostImport',
  title: '导入楼栋',
  needs: menu.building.may.import,
  affects: ['building'],
  modes: importMode,
  more: ofProject,
})

export const exportBuildings = exports({
  at: 'GET building/GetExport',
  title: '导出楼栋',
  needs: menu.building.may.export,
  of: listBuildings,
})

export const areaColumns = sheetColumns(publicArea.fields)

export const exportAreas = exports({
  at: 'GET PropertyPublicarea/GetExport',
  title: '导出公共区域',
  needs: menu.area.may.export,
  of: listAreas,
})

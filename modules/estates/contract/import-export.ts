import type { ValueOf } from '#kit/contract/field.ts'
import { partialFields } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, importMode, declareImport } from '#kit/contract/import-export.ts'
import { menu } from '../module.ts'
import { listPublicAreas, publicArea } from './public-area.ts'
import { building, listBuildings } from './building.ts'
import { estateField } from './estate.ts'

const buildingFields = building.fields

const sheetFields = {
  ...partialFields({
    code: buildingFields.code,
    buildType: buildingFields.buildType,
    units: buildingFields.units,
    unitType: buildingFields.unitType,
    unitNames: buildingFields.unitNames,
    floors: buildingFields.floors,
    undergroundFloors: buildingFields.undergroundFloors,
    buildArea: buildingFields.buildArea,
    elevatorCount: buildingFields.elevatorCount,
    deliverDate: buildingFields.deliverDate,
    sort: buildingFields.sort,
    remark: buildingFields.remark,
  }),
  name: buildingFields.name,
}

export type BuildingSheetRow = ValueOf<typeof sheetFields>

/** An empty cell says nothing about the record: start values are given to new buildings alone. */
const importFields = Object.fromEntries(
  Object.entries(sheetFields).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof sheetFields

const columnOrder = [
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

export const buildingSheet = sheetSchemaOf<BuildingSheetRow>(
  '楼栋',
  { fields: importFields },
  { keys: columnOrder, unique: ['name'] },
)

export const buildingColumns = sheetColumns(buildingFields, columnOrder)

/** An import goes into one project. */
export const importProjectInput = { projectCode: estateField<true>() }

export const importBuildings = declareImport({
  route: 'POST building/PostImport',
  title: '导入楼栋',
  needs: menu.building.permissions.import,
  affects: ['building'],
  modes: importMode,
  more: importProjectInput,
})

export const exportBuildings = declareExport({
  route: 'GET building/GetExport',
  title: '导出楼栋',
  needs: menu.building.permissions.export,
  of: listBuildings,
})

export const publicAreaColumns = sheetColumns(publicArea.fields)

export const exportPublicAreas = declareExport({
  route: 'GET PropertyPublicarea/GetExport',
  title: '导出公共区域',
  needs: menu.area.permissions.export,
  of: listPublicAreas,
})

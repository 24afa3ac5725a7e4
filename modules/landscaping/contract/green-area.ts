import { crud, idsFilter } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { decimal, idOf, lines, list, lookup, ref, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** What grows in an area. The names are those of the catalogue at the time of asking. */
const areaPlants = lines(
  '植物',
  {
    plantId: ref('植物', 'plant', { required: true, wire: 'PlantID', hiddenIn: ['table'] }),
    plantName: text('植物', { derived: true, wire: 'PlantName' }),
    qty: decimal('数量', { required: true, min: 0, max: 9_999_999 }),
    unit: text('单位', { derived: true }),
  },
  { max: 200, wire: 'Plants', hiddenIn: ['table', 'filter', 'sheet'] },
)

/** Ground of a project that gardeners look after. */
export const greenArea = entity(
  'greenArea',
  '绿化区域',
  { table: 'green_area', tenancy: 'project', title: 'areaName', order: ['projectCode', 'areaName'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    areaName: text('名称', { required: true, max: 60, searchable: true }),
    areaSize: decimal('面积', { unit: '㎡', min: 0, max: 99_999_999 }),
    managerId: ref('负责人', 'staff', { wire: 'ManagerID', hiddenIn: ['table', 'sheet', 'detail'] }),
    managerName: lookup('负责人', 'managerId', 'name', { wire: 'ManagerName' }),
    plantIds: list('植物', {
      derived: true,
      wire: 'PlantIDs',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    plantNames: text('植物', { derived: true, wire: 'PlantNames', hiddenIn: ['filter', 'detail'] }),
    plants: areaPlants,
    position: text('位置', { max: 100, searchable: true, hiddenIn: ['filter'] }),
    photos: list('照片', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type GreenArea = Row<typeof greenArea>
export type AreaPlant = NonNullable<GreenArea['plants']>[number]

const { permissions } = menu.area

export const greenAreas = crud(greenArea, {
  path: 'Landscaping',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['managerId', 'areaSize'],
  search: { plantId: idOf('植物', { wire: 'PlantID', min: 1 }), ids: idsFilter },
  sums: ['areaSize'],
  affects: ['plant'],
  list: { route: 'GET Landscaping/getareas' },
  get: { route: 'GET Landscaping/getareadetail' },
  save: { route: 'POST Landscaping/saveparea', aliases: ['Landscaping/savearea'] },
  delete: { route: 'POST Landscaping/deletearea' },
})

export const exportGreenAreas = crudExport(greenAreas, {
  needs: permissions.export,
  route: 'GET Landscaping/getareaexport',
  columns: ['estateName', 'areaName', 'areaSize', 'managerName', 'plantNames', 'position', 'remark'],
})

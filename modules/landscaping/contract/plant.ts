import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, decimal, idOf, list, text } from '#kit/contract/field.ts'
import { menu } from '../module.ts'

export const plantType = choiceTable('PlantType', '植物类型', {
  tree: [10, '乔木'],
  shrub: [20, '灌木'],
  lawn: [30, '草坪'],
  flower: [40, '花卉'],
  potted: [50, '盆栽'],
})

/** A plant of the company's catalogue; the green areas tell how many are where. */
export const plant = entity(
  'plant',
  '植物',
  { table: 'plant', tenancy: 'company', title: 'plantName', order: ['plantType', 'plantName'] },
  {
    plantName: text('名称', { required: true, max: 60, searchable: true }),
    plantType: choice('类型', plantType, { required: true, initial: 'tree' }),
    unit: text('单位', { required: true, max: 10, initial: '株', help: '如：株、丛、㎡、盆' }),
    qty: decimal('数量', { derived: true, hiddenIn: ['filter', 'sheet'], help: '所选项目各绿化区域的合计' }),
    areaIds: list('区域', {
      derived: true,
      wire: ['AreaIDs', 'AreaID'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    areaNames: text('所在区域', { derived: true, wire: 'AreaNames', hiddenIn: ['filter', 'sheet'] }),
    careNotes: text('养护说明', { max: 2000, hiddenIn: ['table', 'filter'] }),
    photos: list('照片', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
  },
)

export type Plant = Row<typeof plant>

const { permissions } = menu.plant

const areaFilter = idOf('区域', { wire: 'AreaID', min: 1 })

export const plants = crud(plant, {
  path: 'Landscaping',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['plantType'],
  search: { areaId: areaFilter, ids: idsFilter },
  list: { route: 'GET Landscaping/getplants' },
  get: { route: 'GET Landscaping/getplantdetail' },
  save: { route: 'POST Landscaping/saveplant' },
  delete: { route: 'POST Landscaping/deleteplant' },
})

export const exportPlants = crudExport(plants, {
  needs: permissions.export,
  route: 'GET Landscaping/getplantexport',
  columns: ['plantName', 'plantType', 'unit', 'qty', 'areaNames', 'careNotes'],
})

/** For pickers: by a part of the name. */
export const pickPlants = pickerOf(plant, {
  route: 'GET Landscaping/getallplants',
  title: '全部植物',
  fields: ['id', 'plantName', 'plantType', 'unit'],
  search: { ids: idsFilter },
})

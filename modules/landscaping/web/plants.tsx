import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportPlants, plants } from '../contract/plant.ts'
import { paths } from '../module.ts'

/** 植被: the catalogue of plants, with pictures and how they are cared for. */
export const pages = crudPages(plants, {
  paths: paths.plants,
  unit: '种植物',
  export: exportPlants,
  deletion: { consequences: ['绿化区域中仍有的植物不能删除'], reasons: ['录入有误', '重复录入'] },
  columns: [
    { key: 'plantName', identity: true, grow: 1 },
    'plantType',
    'qty',
    'unit',
    { key: 'areaNames', grow: 2, hidePriority: 1 },
  ],
  list: { barFilters: ['plantType'] },
  detail: [
    { title: '基本信息', keys: ['plantName', 'plantType', 'qty', 'unit', 'areaNames', 'careNotes'] },
    { title: '照片', keys: ['photos'] },
  ],
  form: {
    groups: [
      {
        title: '基本信息',
        keys: [
          'plantName',
          'plantType',
          'unit',
          { key: 'careNotes', wide: true },
          { key: 'photos', control: imagesControl, wide: true },
        ],
      },
    ],
  },
})

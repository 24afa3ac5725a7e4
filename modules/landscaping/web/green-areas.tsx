import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { exportGreenAreas, greenAreas } from '../contract/green-area.ts'
import { paths } from '../module.ts'

/** 绿化区域: the grounds of a project and what grows there. */
export const pages = crudPages(greenAreas, {
  paths: paths.areas,
  unit: '个绿化区域',
  export: exportGreenAreas,
  deletion: { reasons: ['录入有误', '重复录入', '已改作他用'] },
  columns: [
    { key: 'areaName', identity: true, grow: 1 },
    { key: 'estateName', hidePriority: 2 },
    'areaSize',
    'managerName',
    { key: 'plantNames', grow: 2 },
    { key: 'position', hidePriority: 1 },
  ],
  list: { barFilters: ['managerId'] },
  detail: [
    { title: '基本信息', keys: ['areaName', 'estateName', 'areaSize', 'managerName', 'position', 'remark'] },
    { title: '植物', keys: ['plants'] },
    { title: '照片', keys: ['photos'] },
  ],
  form: {
    groups: [
      { title: '基本信息', keys: ['areaName', 'areaSize', 'managerId', 'position', 'remark'] },
      { title: '植物', keys: ['plants'] },
      { title: '照片', keys: [{ key: 'photos', control: imagesControl, wide: true }] },
    ],
  },
})

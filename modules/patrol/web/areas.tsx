import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { patrolAreas } from '../contract/area.ts'
import { paths } from '../module.ts'

/** 巡更区域 */
export const pages = crudPages(patrolAreas, {
  paths: { list: paths.areas },
  unit: '个区域',
  deletion: { consequences: ['有点位或路线的区域不能删除'] },
  columns: [
    { key: 'areaName', identity: true, grow: 2 },
    'pointCount',
    'sort',
    { key: 'updateTime', wideOnly: true },
  ],
  form: { groups: [{ keys: ['areaName', { key: 'sort', help: '数值小的排在前' }] }] },
  list: { filters: [] },
})

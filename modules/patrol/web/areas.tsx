import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { patrolAreas } from '../contract/area.ts'
import { menu, paths } from '../module.ts'

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
  form: {
    groups: [{ keys: ['areaName', { key: 'sort', help: '数值小的排在前' }, { key: 'drawing', wide: true }] }],
  },
  actions: [
    {
      label: '布置点位',
      needs: menu.point.permissions.edit,
      disabledReason: area => (area.drawing === undefined ? '未上传平面图，请先编辑区域上传' : undefined),
      run: area => navigateTo(`${paths.drawing}?id=${area.id}`),
    },
  ],
  list: { filters: [] },
})

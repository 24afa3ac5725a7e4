import { parseId } from '#kit/domain/id.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { buildings, exportBuildings, importBuildings, listBuildings } from '../contract/building.ts'
import { buildingScreens } from '../module.ts'
import { paths } from './paths.ts'

const PlannedUnits = lazyComponent(() => import('./planned-units.tsx').then(m => m.PlannedUnits))

export const pages = crudPages(buildings, {
  paths: buildingScreens.paths,
  unit: '栋楼',
  import: importBuildings,
  export: exportBuildings,
  deletion: { consequences: ['楼内还有房间或公共区域时不能删除'] },
  actions: [
    {
      label: '查看房态图',
      places: ['list'],
      run: b => navigateTo(`${paths.roomBoard}?building=${b.code ?? ''}`),
    },
  ],
  columns: [
    { key: 'name', identity: true },
    { key: 'code', hidePriority: 1 },
    { key: 'estateName', hidePriority: 2 },
    'buildType',
    'units',
    { key: 'unitNames', title: '单元', sortKey: undefined },
    { key: 'floors', title: '层数', sortKey: undefined },
    'buildArea',
    { key: 'deliverDate', hidePriority: 1 },
  ],
  list: { barFilters: ['buildType'] },
  detail: [
    {
      title: '基本信息',
      keys: ['code', 'estateName', 'buildType', 'deliverDate', 'buildArea', 'elevatorCount', 'remark'],
    },
    { title: '单元与楼层', keys: ['units', 'unitType', 'unitNames', 'floors', 'undergroundFloors'] },
  ],
  loadBy: { call: listBuildings, input: id => ({ id: parseId(id) }), pick: page => page.rows[0] },
  form: {
    groups: [
      {
        title: '基本信息',
        keys: ['name', 'code', 'buildType', 'deliverDate', 'buildArea', 'elevatorCount', 'sort'],
      },
      {
        title: '单元与楼层',
        keys: [
          'units',
          'unitType',
          { key: 'unitNames', wide: true },
          { key: 'floors', wide: true },
          'undergroundFloors',
        ],
      },
      { title: '其他', keys: ['remark'] },
    ],
    below: v => <PlannedUnits of={v} />,
    savedText: (_, isNew) => (isNew ? '已新增楼栋，接下来可以批量生成房间' : '已保存楼栋'),
  },
})

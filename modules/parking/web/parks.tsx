import { useMemo } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listParks, listParkStatistics, parks, type Park } from '../contract/park.ts'
import { menu, parkScreens } from '../module.ts'
import { ParkCodeControl } from './park-code-control.tsx'
import {
  ParkStatisticsBar,
  PlacesByState,
  createStatisticsColumns,
  placeListPathOf,
} from './park-statistics.tsx'

function useParkExtras(): CrudExtras<Park, unknown> {
  const project = useProject()
  const statistics = useCall(listParkStatistics, project ? { projectCode: project } : {}, { quiet: true })
  const columns = useMemo(
    () =>
      buildColumns(listParks.output, [
        { key: 'name', identity: true },
        { key: 'code', hidePriority: 1 },
        { key: 'estateName', hidePriority: 2 },
        'parkType',
        'totalPlace',
        'reservedPlace',
        'tempPlace',
        ...createStatisticsColumns(new Map((statistics.data ?? []).map(s => [s.id, s]))),
        'state',
      ]),
    [statistics.data],
  )
  return { list: { columns } }
}

export const pages = crudPages(parks, {
  paths: parkScreens.paths,
  unit: '个停车场',
  deletion: {
    consequences: ['停车场内还有车位时不能删除'],
    reasons: ['录入有误', '重复录入', '已停用拆除'],
  },
  actions: [
    {
      label: '查看车位',
      needs: menu.place.permissions.view,
      run: p => navigateTo(placeListPathOf(p.id)),
    },
  ],
  useExtras: useParkExtras,
  arrange: ({ edit, see, remove }, extra, _, place) =>
    place === 'detail' ? [edit, ...extra] : [edit, ...extra, see, remove],
  list: { barFilters: ['parkType', 'state'] },
  drawer: {
    summary: p => <ParkStatisticsBar id={p.id} />,
    afterGroups: p => <PlacesByState park={p} />,
  },
  tabs: [
    {
      key: 'places',
      label: '车位',
      body: place => (
        <>
          <div className="park-page">
            <ParkStatisticsBar id={place.id} />
          </div>
          <PlacesByState park={place} />
        </>
      ),
    },
  ],
  form: {
    presentation: 'drawer',
    opensNew: false,
    savedText: (p, isNew) =>
      isNew ? `已新增停车场「${p.name}」，接下来可以新增或导入车位` : `已保存停车场「${p.name}」`,
    addGroups: [
      {
        title: '基本信息',
        keys: ['name', { key: 'code', control: ParkCodeControl, wide: false }, 'parkType', 'state'],
      },
      { title: '车位', keys: ['totalPlace', 'reservedPlace', 'tempPlace', 'fullPolicy'] },
      { title: '位置与其他', keys: ['longitude', 'latitude', 'remark'] },
    ],
  },
})

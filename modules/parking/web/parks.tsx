import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deleteParks,
  editPark,
  listParks,
  getPark,
  park,
  listParkStatistics,
  type Park,
} from '../contract/park.ts'
import { menu } from '../module.ts'
import {
  ParkStatisticsBar,
  PlacesByState,
  createStatisticsColumns,
  placeListPathOf,
} from './park-statistics.tsx'

export const deleteParkAction = createReasonAction<Park>(deleteParks, {
  unit: '个停车场',
  nameOf: p => p.name,
  consequences: ['停车场内还有车位时不能删除'],
  reasonPresets: ['录入有误', '重复录入', '已停用拆除'],
})

const detailPathOf = (p: Park): string => `/service/data/parklots/parklotsDetail?id=${p.id}`

export default function ParksPage() {
  const navigate = useNavigate()
  const project = useProject()
  const figures = useCall(listParkStatistics, project ? { projectCode: project } : {}, { quiet: true })
  const form = useEdit({
    itemName: '停车场',
    edit: editPark,
    load: getPark,
    nameOf: (p: Park) => p.name,
    presentation: 'drawer',
  })
  const shown = useMemo(
    () =>
      buildColumns(listParks.output, [
        { key: 'name', identity: true },
        { key: 'code', hidePriority: 1 },
        { key: 'estateName', hidePriority: 2 },
        'parkType',
        'totalPlace',
        'reservedPlace',
        'tempPlace',
        ...createStatisticsColumns(new Map((figures.data ?? []).map(f => [f.id, f]))),
        'state',
      ]),
    [figures.data],
  )
  const verbs = (p: Park): Actions => [
    form.editAction(p),
    { label: '看车位', needs: menu.place.permissions.view, run: () => navigate(placeListPathOf(p.id)) },
  ]
  return (
    <>
      <ListPage
        list={listParks}
        itemName="停车场"
        columns={shown}
        barFilters={['parkType', 'state']}
        primaryAction={{
          label: '新增停车场',
          needs: menu.park.permissions.add,
          run: () => navigate('/service/data/parklots/addparklots'),
        }}
        rowActions={p => [
          ...verbs(p),
          { label: '查看详情', needs: menu.park.permissions.view, run: () => navigate(detailPathOf(p)) },
          deleteParkAction.row(p),
        ]}
        batchActions={[deleteParkAction.batch]}
        isDimmed={p => p.state === 'off'}
        drawer={{
          title: p => p.name,
          status: p => <ChoiceStatus choices={enabledState} value={p.state} />,
          summary: p => <ParkStatisticsBar id={p.id} />,
          loadCall: getPark,
          historyEntity: park.name,
          openAsPage: p => void navigate(detailPathOf(p)),
          afterGroups: p => <PlacesByState park={p} />,
          actions: p => [
            ...verbs(p),
            { label: '查看详情', needs: menu.park.permissions.view, run: () => navigate(detailPathOf(p)) },
            deleteParkAction.row(p),
          ],
        }}
      />
      {form.dialog}
    </>
  )
}

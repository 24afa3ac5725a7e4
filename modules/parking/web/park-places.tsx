import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { screenBatchAction, screenAction } from '#kit/web/screen-action.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deletePlaces,
  editPlace,
  listPlaces,
  getPlace,
  parkPlace,
  type ParkPlace,
} from '../contract/park-place.ts'
import { exportPlaces, importPlaces } from '../contract/import-export.ts'
import { placeState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { getPlaceGroups, validatePlace } from './park-place-form.tsx'
import { PlaceStateDialog } from './park-place-state-dialog.tsx'

const deleteAction = createReasonAction<ParkPlace>(deletePlaces, {
  unit: '个车位',
  nameOf: p => p.placeNo,
  consequences: ['只能删除空闲的车位；母车位要先删除它的子车位'],
  reasonPresets: ['录入有误', '重复录入', '车位取消'],
  disabledReason: p => (p.placeState === 'free' ? undefined : '只能删除空闲的车位，请先改为空闲'),
})

const listColumns = buildColumns(listPlaces.output, [
  { key: 'placeNo', identity: true },
  'parkName',
  { key: 'areaName', hidePriority: 2 },
  'placeType',
  { key: 'ownKind', hidePriority: 1 },
  'area',
  { key: 'roomPath', title: '关联房间' },
  'beginDate',
  'endDate',
  { key: 'carLimit', hidePriority: 1 },
  'placeState',
  { key: 'code', hiddenByDefault: true },
])

const views = [
  { id: '', name: '全部车位', filter: {} },
  { id: 'free', name: '空闲', filter: { placeState: ['free'] } },
  { id: 'sold', name: '已售', filter: { placeState: ['sold'] } },
  { id: 'let', name: '已租', filter: { placeState: ['let'] } },
  { id: 'off', name: '停用', filter: { placeState: ['off'] } },
]

const groups = [
  {
    title: '车位',
    keys: [
      'code',
      'parkName',
      'areaName',
      'placeType',
      'ownKind',
      'area',
      'carLimit',
      'parentPlaceNo',
    ] as const,
  },
  { title: '使用', keys: ['placeState', 'roomPath', 'beginDate', 'endDate'] as const },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] as const },
]

const detailPathOf = (p: ParkPlace): string => `/service/data/parklots/carportlist/carportDetail?id=${p.id}`

export default function PlacesPage() {
  const navigate = useNavigate()
  const project = useProject()
  const [moving, setMoving] = useState<readonly ParkPlace[]>()
  const form = useEdit({
    itemName: '车位',
    edit: editPlace,
    load: getPlace,
    nameOf: (p: ParkPlace) => p.placeNo,
    groups: getPlaceGroups(false),
    rules: validatePlace,
    presentation: 'drawer',
  })
  const verbs = (p: ParkPlace): Actions => [
    form.editAction(p),
    { label: '变更状态', needs: menu.place.permissions.state, run: () => setMoving([p]) },
    screenAction(
      '/service/data/parklots/carportlist/addcarportfeescale',
      { codes: p.code, project: p.projectCode },
      '收费标准',
    ),
  ]
  return (
    <>
      <ListPage
        list={listPlaces}
        itemName="车位"
        columns={listColumns}
        barFilters={['parkId', 'placeState', 'placeType']}
        views={views}
        import={project ? importPlaces : undefined}
        importInput={{ projectCode: project }}
        export={exportPlaces}
        primaryAction={{
          label: '新增车位',
          needs: menu.place.permissions.add,
          run: () => navigate('/service/data/parklots/carportlist/addcarport'),
        }}
        rowActions={p => [
          ...verbs(p),
          { label: '查看详情', needs: menu.place.permissions.view, run: () => navigate(detailPathOf(p)) },
          deleteAction.row(p),
        ]}
        batchActions={[
          { label: '变更状态', needs: menu.place.permissions.state, run: t => setMoving(t.rows) },
          screenBatchAction<ParkPlace>(
            '/service/data/parklots/carportlist/addcarportfeescale',
            t => ({ codes: t.rows.map(p => p.code).join(','), project: t.rows[0]?.projectCode }),
            {
              label: '收费标准',
              maxRows: 100,
              disabledReason: rows =>
                new Set(rows.map(x => x.projectCode)).size > 1 ? '请只勾选同一个项目的' : undefined,
            },
          ),
          deleteAction.batch,
        ]}
        isDimmed={p => p.placeState === 'off'}
        drawer={{
          title: p => p.placeNo,
          status: p => <ChoiceStatus choices={placeState} value={p.placeState} />,
          loadCall: getPlace,
          groups,
          historyEntity: parkPlace.name,
          openAsPage: p => void navigate(detailPathOf(p)),
          actions: p => [
            ...verbs(p),
            { label: '查看详情', needs: menu.place.permissions.view, run: () => navigate(detailPathOf(p)) },
            deleteAction.row(p),
          ],
        }}
      />
      {form.dialog}
      {moving && <PlaceStateDialog places={moving} onClose={() => setMoving(undefined)} />}
    </>
  )
}

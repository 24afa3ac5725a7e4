import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { screenBatch, screenVerb } from '#kit/web/screen-verb.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deletePlaces,
  editPlace,
  listPlaces,
  onePlace,
  parkPlace,
  type ParkPlace,
} from '../contract/place.ts'
import { exportPlaces, importPlaces } from '../contract/transfer.ts'
import { placeState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { placeGroups, placeRules } from './place-form.tsx'
import { PlaceStateDialog } from './place-state.tsx'

const remove = withReason<ParkPlace>(deletePlaces, {
  what: '个车位',
  name: p => p.placeNo,
  follows: ['只能删除空闲的车位；母车位要先删除它的子车位'],
  presets: ['录入有误', '重复录入', '车位取消'],
  why: p => (p.placeState === 'free' ? undefined : '只能删除空闲的车位，请先改为空闲'),
})

const shown = columns(listPlaces.output, [
  { key: 'placeNo', identity: true },
  'parkName',
  { key: 'areaName', drop: 2 },
  'placeType',
  { key: 'ownKind', drop: 1 },
  'area',
  { key: 'roomPath', title: '关联房间' },
  'beginDate',
  'endDate',
  { key: 'carLimit', drop: 1 },
  'placeState',
  { key: 'code', aside: true },
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

const see = (p: ParkPlace): string => `/service/data/parklots/carportlist/carportDetail?id=${p.id}`

export default function PlacesPage() {
  const navigate = useNavigate()
  const project = useProject()
  const [moving, setMoving] = useState<readonly ParkPlace[]>()
  const form = useEdit({
    what: '车位',
    edit: editPlace,
    one: onePlace,
    name: (p: ParkPlace) => p.placeNo,
    groups: placeGroups(false),
    rules: placeRules,
    as: 'drawer',
  })
  const verbs = (p: ParkPlace): Verbs => [
    form.edit(p),
    { label: '变更状态', may: menu.place.may.state, run: () => setMoving([p]) },
    screenVerb(
      '/service/data/parklots/carportlist/addcarportfeescale',
      { codes: p.code, project: p.projectCode },
      '收费标准',
    ),
  ]
  return (
    <>
      <ListPage
        list={listPlaces}
        what="车位"
        columns={shown}
        bar={['parkId', 'placeState', 'placeType']}
        views={views}
        import={project ? importPlaces : undefined}
        importGiven={{ projectCode: project }}
        export={exportPlaces}
        primary={{
          label: '新增车位',
          may: menu.place.may.add,
          run: () => navigate('/service/data/parklots/carportlist/addcarport'),
        }}
        row={p => [
          ...verbs(p),
          { label: '查看详情', may: menu.place.may.view, run: () => navigate(see(p)) },
          remove.row(p),
        ]}
        batch={[
          { label: '变更状态', may: menu.place.may.state, run: t => setMoving(t.rows) },
          screenBatch<ParkPlace>(
            '/service/data/parklots/carportlist/addcarportfeescale',
            t => ({ codes: t.rows.map(p => p.code).join(','), project: t.rows[0]?.projectCode }),
            {
              label: '收费标准',
              most: 100,
              why: rows =>
                new Set(rows.map(x => x.projectCode)).size > 1 ? '请只勾选同一个项目的' : undefined,
            },
          ),
          remove.batch,
        ]}
        dim={p => p.placeState === 'off'}
        drawer={{
          title: p => p.placeNo,
          status: p => <Choice of={placeState} value={p.placeState} />,
          one: onePlace,
          groups,
          history: parkPlace.name,
          page: p => void navigate(see(p)),
          verbs: p => [
            ...verbs(p),
            { label: '查看详情', may: menu.place.may.view, run: () => navigate(see(p)) },
            remove.row(p),
          ],
        }}
      />
      {form.dialog}
      {moving && <PlaceStateDialog places={moving} onClose={() => setMoving(undefined)} />}
    </>
  )
}

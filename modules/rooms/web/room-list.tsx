import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { screenBatch, screenVerb } from '#kit/web/screen-verb.ts'
import { columns, type Column } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { deleteRooms, room } from '../contract/room.ts'
import { importRooms } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { kinds, oneById, roomList, type KindName, type RoomRow } from './kinds.ts'
import { groupsOf } from './groups.ts'
import { usePlaceScope } from './place-scope.tsx'
import { RoomSections } from './panel.tsx'
import { StateDialog } from './state-dialog.tsx'
import { StateWord } from './state-word.tsx'

const shared = [
  { key: 'useType', aside: true },
  { key: 'orientation', aside: true },
  { key: 'unitName', aside: true },
  { key: 'innerArea', drop: 2 },
  { key: 'shareArea', aside: true },
] as const

const shown: Record<KindName, readonly Column<RoomRow>[]> = {
  room: columns(roomList.output, [
    { key: 'path', identity: true, width: 116 },
    { key: 'estateName', drop: 2 },
    'roomType',
    { key: 'floorNum', drop: 1 },
    { key: 'layout', drop: 1 },
    'buildArea',
    ...shared,
    'chargeArea',
    'roomState',
    { key: 'deliverDate', drop: 1 },
    { key: 'checkinDate', aside: true },
    { key: 'code', aside: true },
    'state',
  ]),
  shop: columns(roomList.output, [
    { key: 'path', title: '商铺', identity: true, width: 116 },
    { key: 'estateName', drop: 2 },
    'brand',
    'industry',
    { key: 'floorNum', drop: 1 },
    'buildArea',
    ...shared,
    'chargeArea',
    'roomState',
    { key: 'deliverDate', drop: 1 },
    { key: 'code', aside: true },
    'state',
  ]),
}

const views = {
  room: [
    { id: '', name: '全部房间', filter: {} },
    { id: 'vacant', name: '空置', filter: { roomState: ['vacant'] } },
    { id: 'lived', name: '已入住', filter: { roomState: ['lived'] } },
    { id: 'let', name: '已出租', filter: { roomState: ['let'] } },
    { id: 'before', name: '未交付', filter: { roomState: ['unsold', 'pending'] } },
    { id: 'fitting', name: '装修中', filter: { roomState: ['fitting'] } },
  ],
  shop: [
    { id: '', name: '全部商铺', filter: {} },
    { id: 'let', name: '已出租', filter: { roomState: ['let'] } },
    { id: 'vacant', name: '空置', filter: { roomState: ['vacant'] } },
    { id: 'before', name: '未交付', filter: { roomState: ['unsold', 'pending'] } },
  ],
}

const filters = [
  'buildCode',
  'roomState',
  'roomType',
  'roomNo',
  'layout',
  'useType',
  'buildArea',
  'chargeArea',
  'deliverDate',
  'state',
]

const filtersOf = {
  room: filters,
  shop: [
    'buildCode',
    'roomState',
    'brand',
    'industry',
    'roomNo',
    'useType',
    'buildArea',
    'chargeArea',
    'deliverDate',
    'state',
  ],
}

const remove = {
  room: withReason<RoomRow>(deleteRooms, {
    what: '间房间',
    name: r => r.path,
    follows: ['有住户、账单或车位关联的房间不能删除'],
    presets: ['录入有误', '重复录入'],
  }),
  shop: withReason<RoomRow>(deleteRooms, {
    what: '间商铺',
    name: r => r.path,
    follows: ['有商户、账单或车位关联的商铺不能删除'],
    presets: ['录入有误', '重复录入'],
  }),
}

/** The list of rooms, or of shops. */
export function RoomList({ kind }: { readonly kind: KindName }) {
  const navigate = useNavigate()
  const project = useProject()
  const k = kinds[kind]
  const [moving, setMoving] = useState<readonly RoomRow[]>()
  const place = usePlaceScope(project)
  const table = useMemo(
    () => (project ? shown[kind].filter(c => c.key !== 'estateName') : shown[kind]),
    [kind, project],
  )
  const see = (r: RoomRow): void => void navigate(`${k.see}?id=${r.id}`)
  const verbs = (r: RoomRow): Verbs => [
    { label: '编辑', may: menu.room.may.edit, run: () => navigate(`${k.edit}?id=${r.id}`) },
    { label: '变更房态', may: menu.room.may.state, run: () => setMoving([r]) },
    screenVerb(k.scale, { codes: r.code, project: r.projectCode }, '收费标准'),
    {
      label: '在房态图中查看',
      run: () => navigate(`/service/data/roomboard?building=${r.buildCode}&room=${r.id}`),
    },
  ]
  return (
    <>
      <ListPage
        list={roomList}
        what={k.what}
        name={`rooms/${kind}`}
        columns={table}
        fixed={{ sceneType: k.scene }}
        filters={filtersOf[kind]}
        bar={['buildCode', 'roomState']}
        views={views[kind]}
        import={project ? importRooms : undefined}
        importGiven={{ projectCode: project }}
        export={k.export}
        primary={{ label: `新增${k.what}`, may: menu.room.may.add, run: () => navigate(k.add) }}
        tools={[place.verb]}
        above={place.line}
        row={r => [
          ...verbs(r),
          { label: '查看详情', may: menu.room.may.view, run: () => see(r) },
          remove[kind].row(r),
        ]}
        batch={[
          { label: '变更房态', may: menu.room.may.state, run: t => setMoving(t.rows) },
          screenBatch<RoomRow>(
            k.scale,
            t => ({ codes: t.rows.map(r => r.code).join(','), project: t.rows[0]?.projectCode }),
            {
              label: '收费标准',
              most: 100,
              why: rows =>
                new Set(rows.map(x => x.projectCode)).size > 1 ? '请只勾选同一个项目的' : undefined,
            },
          ),
          remove[kind].batch,
        ]}
        dim={r => r.state === 'off'}
        drawer={{
          title: r => r.path,
          status: r => <StateWord state={r.roomState} />,
          one: oneById as never,
          groups: groupsOf(kind),
          history: room.name,
          page: see,
          tabs: [{ key: 'all', label: () => '一房一档', body: r => <RoomSections id={r.id} /> }],
          verbs: r => [
            { label: '查看详情', may: menu.room.may.view, run: () => see(r) },
            ...verbs(r),
            remove[kind].row(r),
          ],
        }}
      />
      {place.picker}
      {moving && <StateDialog rooms={moving} what={k.what} onClose={() => setMoving(undefined)} />}
    </>
  )
}

export const RoomsPage = () => <RoomList kind="room" />
export const ShopsPage = () => <RoomList kind="shop" />

import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { cancelRoomChanges, listRoomChanges, type RoomChange } from '../contract/room-change.ts'
import { room, type Room } from '../contract/room.ts'
import { menu } from '../module.ts'
import { RoomAreaDialog } from './room-area-dialog.tsx'
import { detailGroupsOf } from './room-groups.ts'
import { roomKinds, getRoomById, type RoomKind, type RoomRow } from './room-kinds.ts'
import { RoomSections } from './room-panel.tsx'
import { RoomStateDialog } from './room-state-dialog.tsx'
import { RoomStateTag } from './room-state-tag.tsx'

const changeColumns = buildColumns(listRoomChanges.output, [
  { key: 'item', identity: true },
  { key: 'oldValue', width: 110 },
  { key: 'newValue', width: 110 },
  'effectiveDate',
  {
    key: 'applied',
    title: '状态',
    width: 92,
    render: c => (c.applied ? <Status tone="done">已生效</Status> : <Status tone="todo">待生效</Status>),
    text: c => (c.applied ? '已生效' : '待生效'),
  },
  'reason',
  'operatorName',
  { key: 'createTime', title: '登记时间' },
])

const cancelAction = createReasonAction<RoomChange>(cancelRoomChanges, {
  label: '撤销',
  unit: '条变更',
  nameOf: c => `${c.effectiveDate} 起的变更`,
  reasonPresets: ['登记有误', '不再变更'],
  disabledReason: c => (c.applied ? '已经生效，不能撤销；请另做一次变更' : undefined),
})

const changeViews = [
  { id: '', name: '全部变更', filter: {} },
  { id: 'coming', name: '待生效', filter: { applied: false } },
]

/** What was and what is to come (BASE-7); what has not come may be taken back. */
const ChangeList = ({ room: r }: { readonly room: Room }) => (
  <ListPage
    embedded
    list={listRoomChanges}
    itemName="变更"
    settingsKey="rooms/changes"
    columns={changeColumns}
    fixedFilter={{ roomId: r.id }}
    filters={['item', 'effectiveDate', 'applied']}
    barFilters={['item']}
    views={changeViews}
    rowActions={c => [cancelAction.row(c)]}
    batchActions={[cancelAction.batch]}
    unselectableReason={c => (c.applied ? '已经生效，不能撤销' : undefined)}
  />
)

function KindDetailPage({ kind }: { readonly kind: RoomKind }) {
  const navigate = useNavigate()
  const k = roomKinds[kind]
  const [open, setOpen] = useState<{ readonly what: 'state' | 'area'; readonly room: Room }>()
  const close = (): void => setOpen(undefined)
  const below =
    open?.what === 'area' ? (
      <RoomAreaDialog room={open.room} onClose={close} />
    ) : open ? (
      <RoomStateDialog rooms={[open.room as RoomRow]} what={k.what} onClose={close} />
    ) : undefined
  return (
    <DetailPage
      loadCall={getRoomById}
      title={r => r.path}
      status={r => <RoomStateTag state={r.roomState} />}
      groups={detailGroupsOf(kind)}
      historyEntity={room.name}
      footer={below}
      tabs={[
        { key: 'all', label: '一房一档', body: r => <RoomSections id={r.id} /> },
        { key: 'changes', label: '面积与房态变更', body: r => <ChangeList room={r} /> },
      ]}
      actions={r => [
        { label: '编辑', needs: menu.room.permissions.edit, run: () => navigate(`${k.edit}?id=${r.id}`) },
        {
          label: '变更房态',
          needs: menu.room.permissions.state,
          run: () => setOpen({ what: 'state', room: r }),
        },
        {
          label: '变更面积',
          needs: menu.room.permissions.area,
          run: () => setOpen({ what: 'area', room: r }),
        },
        screenAction(k.scale, { codes: r.code, project: r.projectCode }, '收费标准'),
        {
          label: '在房态图中查看',
          run: () => navigate(`/service/data/roomboard?building=${r.buildCode}&room=${r.id}`),
        },
      ]}
    />
  )
}

export const RoomDetailPage = () => <KindDetailPage kind="room" />
export const ShopDetailPage = () => <KindDetailPage kind="shop" />

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
import { roomBoardPath, roomMovesAction } from './paths.ts'
import { RoomAreaDialog } from './room-area-dialog.tsx'
import { detailGroupsOf } from './room-groups.ts'
import { roomKinds, getRoomById, type RoomKind } from './room-kinds.ts'
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

/** Past and future changes (BASE-7); future ones may be taken back. */
const ChangeList = ({ room: row }: { readonly room: Room }) => (
  <ListPage
    embedded
    list={listRoomChanges}
    itemName="变更"
    settingsKey="rooms/changes"
    columns={changeColumns}
    fixedFilter={{ roomId: row.id }}
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
  const kindInfo = roomKinds[kind]
  const [dialog, setDialog] = useState<{ readonly dialogKind: 'state' | 'area'; readonly room: Room }>()
  const closeDialog = (): void => setDialog(undefined)
  const openDialog =
    dialog?.dialogKind === 'area' ? (
      <RoomAreaDialog room={dialog.room} onClose={closeDialog} />
    ) : dialog ? (
      <RoomStateDialog rooms={[dialog.room]} itemName={kindInfo.itemName} onClose={closeDialog} />
    ) : undefined
  return (
    <DetailPage
      loadCall={getRoomById}
      title={row => row.path}
      status={row => <RoomStateTag state={row.roomState} />}
      groups={detailGroupsOf(kind)}
      historyEntity={room.name}
      footer={openDialog}
      tabs={[
        { key: 'all', label: '一房一档', body: row => <RoomSections id={row.id} /> },
        { key: 'changes', label: '面积与房态变更', body: row => <ChangeList room={row} /> },
      ]}
      actions={row => [
        {
          label: '编辑',
          needs: menu.room.permissions.edit,
          run: () => navigate(`${kindInfo.edit}?id=${row.id}`),
        },
        {
          label: '变更房态',
          needs: menu.room.permissions.state,
          run: () => setDialog({ dialogKind: 'state', room: row }),
        },
        {
          label: '变更面积',
          needs: menu.room.permissions.area,
          run: () => setDialog({ dialogKind: 'area', room: row }),
        },
        roomMovesAction(row),
        screenAction(kindInfo.feeStandards, { codes: row.code, project: row.projectCode }, '收费标准'),
        {
          label: '在房态图中查看',
          run: () => navigate(roomBoardPath(row)),
        },
      ]}
    />
  )
}

export const RoomDetailPage = () => <KindDetailPage kind="room" />
export const ShopDetailPage = () => <KindDetailPage kind="shop" />

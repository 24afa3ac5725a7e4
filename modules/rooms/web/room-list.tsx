import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { screenBatchAction, screenAction } from '#kit/web/screen-action.ts'
import { buildColumns, type Column } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { deleteRooms, room } from '../contract/room.ts'
import { importRooms } from '../contract/import-export.ts'
import { menu } from '../module.ts'
import { paths, roomBoardPath, roomMovesAction } from './paths.ts'
import { roomKinds, getRoomById, listRoomRows, type RoomKind, type RoomRow } from './room-kinds.ts'
import { detailGroupsOf } from './room-groups.ts'
import { usePositionFilter } from './position-filter.tsx'
import { RoomSections } from './room-panel.tsx'
import { RoomStateDialog } from './room-state-dialog.tsx'
import { RoomStateTag } from './room-state-tag.tsx'

const sharedColumns = [
  { key: 'useType', hiddenByDefault: true },
  { key: 'orientation', hiddenByDefault: true },
  { key: 'unitName', hiddenByDefault: true },
  { key: 'innerArea', hidePriority: 2 },
  { key: 'shareArea', hiddenByDefault: true },
] as const

const listColumns: Record<RoomKind, readonly Column<RoomRow>[]> = {
  room: buildColumns(listRoomRows.output, [
    { key: 'path', identity: true, width: 116 },
    { key: 'estateName', hidePriority: 2 },
    'roomType',
    { key: 'floorNum', hidePriority: 1 },
    { key: 'layout', hidePriority: 1 },
    'buildArea',
    ...sharedColumns,
    'chargeArea',
    'roomState',
    { key: 'deliverDate', hidePriority: 1 },
    { key: 'checkinDate', hiddenByDefault: true },
    { key: 'code', hiddenByDefault: true },
    'state',
  ]),
  shop: buildColumns(listRoomRows.output, [
    { key: 'path', title: '商铺', identity: true, width: 116 },
    { key: 'estateName', hidePriority: 2 },
    'brand',
    'industry',
    { key: 'floorNum', hidePriority: 1 },
    'buildArea',
    ...sharedColumns,
    'chargeArea',
    'roomState',
    { key: 'deliverDate', hidePriority: 1 },
    { key: 'code', hiddenByDefault: true },
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

const roomListFilters = [
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

const filtersByKind = {
  room: roomListFilters,
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

const deleteActionByKind = {
  room: createReasonAction<RoomRow>(deleteRooms, {
    unit: '间房间',
    nameOf: row => row.path,
    consequences: ['有住户、账单或车位关联的房间不能删除'],
    reasonPresets: ['录入有误', '重复录入'],
  }),
  shop: createReasonAction<RoomRow>(deleteRooms, {
    unit: '间商铺',
    nameOf: row => row.path,
    consequences: ['有商户、账单或车位关联的商铺不能删除'],
    reasonPresets: ['录入有误', '重复录入'],
  }),
}

/** The list of rooms, or of shops. */
export function RoomList({ kind }: { readonly kind: RoomKind }) {
  const navigate = useNavigate()
  const project = useProject()
  const kindInfo = roomKinds[kind]
  const [changingState, setChangingState] = useState<readonly RoomRow[]>()
  const positionFilter = usePositionFilter(project)
  const columns = useMemo(
    () => (project ? listColumns[kind].filter(column => column.key !== 'estateName') : listColumns[kind]),
    [kind, project],
  )
  const openDetail = (row: RoomRow): void => void navigate(`${kindInfo.detail}?id=${row.id}`)
  const commonActions = (row: RoomRow): Actions => [
    {
      label: '编辑',
      needs: menu.room.permissions.edit,
      run: () => navigate(`${kindInfo.edit}?id=${row.id}`),
    },
    { label: '变更房态', needs: menu.room.permissions.state, run: () => setChangingState([row]) },
    roomMovesAction(row),
    screenAction(kindInfo.feeStandards, { codes: row.code, project: row.projectCode }, '收费标准'),
    {
      label: '在房态图中查看',
      run: () => navigate(roomBoardPath(row)),
    },
  ]
  return (
    <>
      <ListPage
        list={listRoomRows}
        itemName={kindInfo.itemName}
        settingsKey={`rooms/${kind}`}
        columns={columns}
        fixedFilter={{ sceneType: kindInfo.scene }}
        filters={filtersByKind[kind]}
        barFilters={['buildCode', 'roomState']}
        views={views[kind]}
        import={project ? importRooms : undefined}
        importInput={{ projectCode: project }}
        afterImport={screenAction(paths.bindStandards, {}, '绑定收费标准')}
        export={kindInfo.export}
        primaryAction={{
          label: `新增${kindInfo.itemName}`,
          needs: menu.room.permissions.add,
          run: () => navigate(kindInfo.add),
        }}
        toolbarActions={[positionFilter.action]}
        belowToolbar={positionFilter.line}
        rowActions={row => [
          ...commonActions(row),
          { label: '查看详情', needs: menu.room.permissions.view, run: () => openDetail(row) },
          deleteActionByKind[kind].row(row),
        ]}
        batchActions={[
          {
            label: '变更房态',
            needs: menu.room.permissions.state,
            run: selection => setChangingState(selection.rows),
          },
          screenBatchAction<RoomRow>(
            kindInfo.feeStandards,
            selection => ({
              codes: selection.rows.map(row => row.code).join(','),
              project: selection.rows[0]?.projectCode,
            }),
            {
              label: '收费标准',
              maxRows: 100,
              disabledReason: rows =>
                new Set(rows.map(x => x.projectCode)).size > 1 ? '请只勾选同一个项目的' : undefined,
            },
          ),
          deleteActionByKind[kind].batch,
        ]}
        isDimmed={row => row.state === 'off'}
        drawer={{
          title: row => row.path,
          status: row => <RoomStateTag state={row.roomState} />,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one room, without the `kind` of the list
          loadCall: getRoomById as never,
          groups: detailGroupsOf(kind),
          historyEntity: room.name,
          openAsPage: openDetail,
          tabs: [{ key: 'all', label: () => '一房一档', body: row => <RoomSections id={row.id} /> }],
          actions: row => [
            { label: '查看详情', needs: menu.room.permissions.view, run: () => openDetail(row) },
            ...commonActions(row),
            deleteActionByKind[kind].row(row),
          ],
        }}
      />
      {positionFilter.picker}
      {changingState && (
        <RoomStateDialog
          rooms={changingState}
          itemName={kindInfo.itemName}
          onClose={() => setChangingState(undefined)}
        />
      )}
    </>
  )
}

export const RoomsPage = () => <RoomList kind="room" />
export const ShopsPage = () => <RoomList kind="shop" />

import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { exportRooms, exportShops, roomColumns } from '../contract/import-export.ts'
import { roomKinds, listRoomRows } from './room-kinds.ts'

const roomFilters = [
  'buildCode',
  'roomState',
  'roomType',
  'layout',
  'useType',
  'buildArea',
  'deliverDate',
  'state',
]

const shopFilters = [
  'buildCode',
  'roomState',
  'brand',
  'industry',
  'useType',
  'buildArea',
  'deliverDate',
  'state',
]

export const ExportRoomsPage = () => (
  <ExportPage
    spec={exportRooms}
    list={listRoomRows}
    itemName={roomKinds.room.itemName}
    columns={roomColumns}
    filters={roomFilters}
    fixedFilter={{ sceneType: 'room' }}
  />
)

export const ExportShopsPage = () => (
  <ExportPage
    spec={exportShops}
    list={listRoomRows}
    itemName={roomKinds.shop.itemName}
    columns={roomColumns}
    filters={shopFilters}
    fixedFilter={{ sceneType: 'shop' }}
  />
)

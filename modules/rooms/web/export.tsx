import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { exportRooms, exportShops, roomColumns } from '../contract/transfer.ts'
import { kinds, roomList } from './kinds.ts'

const filters = [
  'buildCode',
  'roomState',
  'roomType',
  'layout',
  'useType',
  'buildArea',
  'deliverDate',
  'state',
]

const ofShops = [
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
    of={exportRooms}
    list={roomList}
    what={kinds.room.what}
    columns={roomColumns}
    filters={filters}
    fixed={{ sceneType: 'room' }}
  />
)

export const ExportShopsPage = () => (
  <ExportPage
    of={exportShops}
    list={roomList}
    what={kinds.shop.what}
    columns={roomColumns}
    filters={ofShops}
    fixed={{ sceneType: 'shop' }}
  />
)

import { buildColumns } from '#kit/web/columns.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import type { Car } from '#modules/parking/contract/car.ts'
import { listStays, type ParkingStay } from '../contract/stay.ts'
import { paths } from '../module.ts'

const columns = buildColumns(listStays.output, [
  { key: 'inTime', identity: true, width: 140 },
  { key: 'outTime', width: 140 },
  { key: 'parkName', width: 120, grow: 1, hidePriority: 1 },
  { key: 'carKind', hidePriority: 4 },
  { key: 'stayMinutes', hidePriority: 3 },
  { key: 'paid', hidePriority: 2 },
  'state',
])

const seeStay = ({ plateNo, passTime }: ParkingStay) =>
  navigateTo(listLink(paths.stays, listStays, { plateNo, passTimeFrom: passTime, passTimeTo: passTime }))

/** When a car came and went, by its plate of now. */
export const CarStays = ({ car }: { readonly car: Car }) => (
  <ListPage
    embedded
    list={listStays}
    itemName="出入记录"
    fixedFilter={{ carId: car.id }}
    filters={[]}
    columns={columns}
    settingsKey="parking-lanes/stays-of-car"
    rowActions={stay => [{ label: '查看记录', run: () => seeStay(stay) }]}
  />
)

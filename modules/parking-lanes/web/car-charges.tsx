import { recordPath } from '#kit/contract/crud-screens.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import type { Car } from '#modules/parking/contract/car.ts'
import { listCharges } from '../contract/charge.ts'
import { paths } from '../module.ts'

const columns = buildColumns(listCharges.output, [
  { key: 'payTime', identity: true, width: 150 },
  { key: 'parkName', width: 120, grow: 1, hidePriority: 1 },
  { key: 'chargeType', hidePriority: 3 },
  { key: 'couponAmount', hidePriority: 4 },
  { key: 'hostAmount', hidePriority: 4 },
  'paidAmount',
  { key: 'payMethod', hidePriority: 2 },
])

/** What was collected for the stays of a car, by its plate of now. */
export const CarCharges = ({ car }: { readonly car: Car }) => (
  <ListPage
    embedded
    list={listCharges}
    itemName="停车收费"
    fixedFilter={{ carId: car.id }}
    filters={[]}
    columns={columns}
    settingsKey="parking-lanes/charges-of-car"
    rowActions={({ id }) => [
      { label: '查看记录', run: () => navigateTo(recordPath(paths.chargeDetail, id)) },
    ]}
  />
)

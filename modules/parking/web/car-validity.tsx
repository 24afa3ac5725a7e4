import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { carValidities, type Car } from '../contract/car.ts'

const columns = buildColumns(carValidities.list.output, [
  { key: 'createTime', title: '时间', identity: true },
  'changeType',
  'oldBegin',
  'oldEnd',
  'newBegin',
  'newEnd',
  { key: 'reason', grow: 1 },
  { key: 'operatorName', hidePriority: 1 },
])

/** How the days of a car changed: when, by whom, why. */
export const CarValidityList = ({ of }: { readonly of: Car }) => (
  <ListPage
    embedded
    list={carValidities.list}
    itemName="变动"
    fixedFilter={{ carId: [String(of.id)] }}
    filters={[]}
    columns={columns}
    settingsKey="parking/validity"
  />
)

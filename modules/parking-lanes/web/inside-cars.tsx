import { Link } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { listLeftAges, listParkingAges, listStays, type ParkingStay } from '../contract/stay.ts'
import { paths } from '../module.ts'
import { ParkCounters } from './park-counters.tsx'
import { useStayActions } from './stay-actions.tsx'

const filters = ['plateNo', 'parkId', 'carKind', 'ageBands']
const barFilters = ['parkId', 'ageBands', 'carKind']

type Seen = Pick<ParkingStay, 'plateNo' | 'inTime'>

/** The record of the row, among those of its plate. */
const stayLink = ({ plateNo, inTime }: Seen): string =>
  listLink(paths.stays, listStays, { plateNo, inTimeFrom: inTime, inTimeTo: inTime })

const seeStay = (stay: Seen) => navigateTo(stayLink(stay))

const PlateLink = (stay: Seen) => <Link to={stayLink(stay)}>{stay.plateNo}</Link>

const insideColumns = buildColumns(listParkingAges.output, [
  { key: 'plateNo', identity: true, width: 110, render: PlateLink },
  { key: 'parkName', width: 140, grow: 1 },
  'carKind',
  { key: 'inTime', width: 150 },
  'stayHours',
  { key: 'ageBand', hidePriority: 1 },
  'fee',
  { key: 'paid', hidePriority: 2 },
  'state',
])

const leftColumns = buildColumns(listLeftAges.output, [
  { key: 'plateNo', identity: true, width: 110, render: PlateLink },
  { key: 'parkName', width: 140, grow: 1 },
  'carKind',
  { key: 'inTime', width: 150 },
  { key: 'outTime', width: 150 },
  'stayHours',
  { key: 'ageBand', hidePriority: 1 },
  { key: 'fee', title: '应收' },
  { key: 'paid', hidePriority: 2 },
])

/** 在场车辆: how long each car is inside and what it owes now (PRK-9). */
export function InsideCars() {
  const { actions, dialogs } = useStayActions()
  return (
    <>
      <ListPage
        embedded
        addressed
        pageSize={20}
        list={listParkingAges}
        itemName="在场车辆"
        keywordPlaceholder="车牌"
        columns={insideColumns}
        filters={filters}
        barFilters={barFilters}
        settingsKey="parking-lanes/inside"
        belowToolbar={<ParkCounters />}
        rowActions={stay => [...actions(stay), { label: '查看记录', run: () => seeStay(stay) }]}
      />
      {dialogs}
    </>
  )
}

/** 停留时长: of cars that have left in the last thirty days. */
export const LeftCars = () => (
  <ListPage
    embedded
    pageSize={20}
    list={listLeftAges}
    itemName="离场车辆"
    keywordPlaceholder="车牌"
    rowActions={stay => [{ label: '查看记录', run: () => seeStay(stay) }]}
    columns={leftColumns}
    filters={filters}
    barFilters={barFilters}
    settingsKey="parking-lanes/left"
  />
)

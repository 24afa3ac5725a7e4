import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listLeftAges, listParkingAges } from '../contract/stay.ts'
import { ParkCounters } from './park-counters.tsx'

const filters = ['plateNo', 'parkId', 'carKind', 'ageBands']
const barFilters = ['parkId', 'ageBands', 'carKind']

const insideColumns = buildColumns(listParkingAges.output, [
  { key: 'plateNo', identity: true, width: 110 },
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
  { key: 'plateNo', identity: true, width: 110 },
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
export const InsideCars = () => (
  <ListPage
    embedded
    pageSize={20}
    list={listParkingAges}
    itemName="在场车辆"
    columns={insideColumns}
    filters={filters}
    barFilters={barFilters}
    settingsKey="parking-lanes/inside"
    belowToolbar={<ParkCounters />}
  />
)

/** 停留时长: of cars that have left in the last thirty days. */
export const LeftCars = () => (
  <ListPage
    embedded
    pageSize={20}
    list={listLeftAges}
    itemName="离场车辆"
    columns={leftColumns}
    filters={filters}
    barFilters={barFilters}
    settingsKey="parking-lanes/left"
  />
)

import { defined } from '#kit/domain/defined.ts'
import { filterOnly } from './drilldown-filter.ts'
import type { DrilldownOrigin, Drilldown } from './drilldown.ts'
import { billsDrilldown } from './drilldowns.ts'
import {
  billFigureFilters,
  createInForceFilter,
  sourceDimensionFilters,
  unpaidFilter,
} from './drilldowns-room.ts'
import { paths } from './paths.ts'

/** A car park's bills are found place by place, on this screen; all else in the list of bills. */
const carParkDrilldown: Drilldown = {
  path: paths.parking,
  filter: origin => ({
    ...filterOnly(origin),
    ...(origin.row ? { park: [defined(origin.row.key)] } : {}),
    by: 'place',
  }),
  figures: { lateFee: unpaidFilter, unpaid: unpaidFilter },
}

const parkingBillsDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: origin => {
    const { park: _park, ...query } = origin.query
    return createInForceFilter({ ...sourceDimensionFilters, place: defined(sourceDimensionFilters.source) })({
      ...origin,
      query: { sourceType: ['car', 'parkPlace'], ...query },
    })
  },
  figures: billFigureFilters,
}

export const selectParkingDrilldown = (_: string, origin: DrilldownOrigin): Drilldown | undefined => {
  if (origin.by === 'park' && origin.row) return carParkDrilldown
  if (origin.query.park && !(origin.row && origin.by === 'place'))
    return origin.row ? undefined : carParkDrilldown
  return parkingBillsDrilldown
}

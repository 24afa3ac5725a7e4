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

export const parkingPath = '/finance/reportCenter/financialManagement/park'

/** A car park's bills are found place by place, on this screen; all else in the list of bills. */
const carParkDrilldown: Drilldown = {
  path: parkingPath,
  filter: f => ({ ...filterOnly(f), ...(f.row ? { park: [defined(f.row.key)] } : {}), by: 'place' }),
  figures: { lateFee: unpaidFilter, unpaid: unpaidFilter },
}

const parkingBillsDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: f => {
    const { park: _, ...asked } = f.asked
    return createInForceFilter({ ...sourceDimensionFilters, place: defined(sourceDimensionFilters.source) })({
      ...f,
      asked: { sourceType: ['car', 'parkPlace'], ...asked },
    })
  },
  figures: billFigureFilters,
}

export const selectParkingDrilldown = (_: string, f: DrilldownOrigin): Drilldown | undefined =>
  f.by === 'park' && f.row
    ? carParkDrilldown
    : f.asked.park && !(f.row && f.by === 'place')
      ? f.row
        ? undefined
        : carParkDrilldown
      : parkingBillsDrilldown

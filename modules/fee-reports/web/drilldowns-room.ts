import { asMonth, lastDay } from '#kit/domain/month.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  createChoiceFilter,
  createObjectFilter,
  toMonthFilter,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import type { Filter, DrilldownOrigin, Drilldown } from './drilldown.ts'
import { billsDrilldown, billDimensionFilters, inForceFilter } from './drilldowns.ts'

export const sourceDimensionFilters: DimensionFilters = {
  ...billDimensionFilters,
  source: createObjectFilter(sourceType, 'sourceType', 'sourceCode'),
  kind: createChoiceFilter(sourceType, 'sourceType'),
}

export const unpaidFilter = { payState: ['unpaid'] }
export const billFigureFilters = {
  ...billsDrilldown.figures,
  lateFee: unpaidFilter,
  unpaid: unpaidFilter,
  overdue: { overdue: true },
}

export const createInForceFilter =
  (dimensions: DimensionFilters) =>
  (origin: DrilldownOrigin): Filter | undefined => {
    const filter = createDrilldownFilter(dimensions)(origin)
    return filter && { ...inForceFilter, ...filter }
  }

export const roomDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: createInForceFilter(sourceDimensionFilters),
  figures: billFigureFilters,
}

/** A bill counts in the months of its period (STAT-2). */
const filterByPeriod = (origin: DrilldownOrigin): Filter | undefined => {
  const filter = createDrilldownFilter({ ...sourceDimensionFilters, month: toMonthFilter })(origin)
  if (!filter) return undefined
  const { monthFrom, monthTo, ...billFilter } = filter
  return {
    ...inForceFilter,
    ...billFilter,
    ...(typeof monthTo === 'string' ? { beginDateTo: lastDay(asMonth(monthTo)) } : {}),
    ...(typeof monthFrom === 'string' ? { endDateFrom: `${monthFrom}-01` } : {}),
  }
}

export const spreadDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: filterByPeriod,
  figures: { unpaid: unpaidFilter, discount: { discounted: true } },
}

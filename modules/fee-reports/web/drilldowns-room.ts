import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { lastDay, type Month } from '#kit/domain/month.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  createChoiceFilter,
  lastKeyPart,
  toMonthFilter,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import type { Filter, DrilldownOrigin, Drilldown } from './drilldown.ts'
import { billsDrilldown, billDimensionFilters } from './drilldowns.ts'

export const sourceDimensionFilters: DimensionFilters = {
  ...billDimensionFilters,
  source: key => ({
    sourceType: [defined(keyOf(sourceType, Number(key.split('/')[1])))],
    sourceCode: lastKeyPart(key),
  }),
  kind: createChoiceFilter(sourceType, 'sourceType'),
}

export const unpaidFilter = { payState: ['unpaid'] }
export const inForceFilter = { state: ['normal'] }
export const billFigureFilters = {
  ...billsDrilldown.figures,
  lateFee: unpaidFilter,
  unpaid: unpaidFilter,
  overdue: { overdue: true },
}

export const createInForceFilter =
  (only: DimensionFilters) =>
  (f: DrilldownOrigin): Filter | undefined => {
    const said = createDrilldownFilter(only)(f)
    return said && { ...inForceFilter, ...said }
  }

export const roomDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: createInForceFilter(sourceDimensionFilters),
  figures: billFigureFilters,
}

/** A bill lies in the months of its period (STAT-2). */
const filterByPeriod = (f: DrilldownOrigin): Filter | undefined => {
  const { monthFrom, monthTo, ...said } = (createDrilldownFilter({
    ...sourceDimensionFilters,
    month: toMonthFilter,
  })(f) ?? { none: true }) as {
    monthFrom?: string
    monthTo?: Month
    none?: true
  }
  return said.none
    ? undefined
    : {
        ...inForceFilter,
        ...said,
        ...(monthTo ? { beginDateTo: lastDay(monthTo) } : {}),
        ...(monthFrom ? { endDateFrom: `${monthFrom}-01` } : {}),
      }
}

export const spreadDrilldown: Drilldown = {
  ...billsDrilldown,
  filter: filterByPeriod,
  figures: { unpaid: unpaidFilter, discount: { discounted: true } },
}

import { today } from '#kit/web/date-format.ts'
import { meterKind, readingSource } from '#modules/meters/contract/choices.ts'
import { meterKinds } from '../contract/meter.ts'
import {
  createChoiceFilter,
  lastKeyPart,
  toMonthFilter,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import type { Drilldown } from './drilldown.ts'
import { paths } from './paths.ts'

const readingFigures = {
  estimated: { isEstimate: true },
  doubtful: { doubtful: true },
  billed: { state: ['billed'] },
  ...Object.fromEntries(meterKinds.map(k => [k, { meterKind: [k] }])),
}

const readingDimensionFilters: DimensionFilters = {
  kind: createChoiceFilter(meterKind, 'meterKind'),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  month: toMonthFilter,
  day: key => ({ readDateFrom: key, readDateTo: key }),
  way: createChoiceFilter(readingSource, 'source'),
}

const readingList: Omit<Drilldown, 'filter'> = { path: paths.readings }

export const meterDrilldown: Drilldown = {
  ...readingList,
  filter: origin => {
    const filter = createDrilldownFilter(readingDimensionFilters)(origin)
    return filter && { ...filter, state: filter.state ?? ['open', 'billed'] }
  },
  figures: {
    ...readingFigures,
    receivable: { state: ['billed'] },
    paid: { state: ['billed'] },
    unpaid: { state: ['billed'] },
  },
}

/** What was not read has no reading; the list of readings has no filter for the use of a meter. */
export const meterMonthDrilldown: Drilldown = {
  ...readingList,
  excludedFigures: ['due', 'left'],
  figures: readingFigures,
  filter: origin => {
    const { meterUse, ...filter } = createDrilldownFilter(readingDimensionFilters)(origin) ?? {
      meterUse: true,
    }
    return meterUse
      ? undefined
      : { ...toMonthFilter(today().slice(0, 7)), ...filter, state: ['open', 'billed'] }
  },
}

import {
  invoiceChannel,
  invoiceMedium,
  invoiceState,
  invoiceType,
} from '#modules/invoices/contract/choices.ts'
import {
  createChoiceFilter,
  lastKeyPart,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import { narrowRange, type Drilldown, type Filter } from './drilldown.ts'
import { paths } from './paths.ts'

const toDayFilter: DimensionFilters[string] = (key, origin) => narrowRange('day', origin.query, key)

const invoiceDimensionFilters: DimensionFilters = {
  type: createChoiceFilter(invoiceType, 'invoiceType'),
  medium: createChoiceFilter(invoiceMedium, 'medium'),
  channel: createChoiceFilter(invoiceChannel, 'channel'),
  state: createChoiceFilter(invoiceState, 'state'),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  month: toDayFilter,
  day: toDayFilter,
}

const startOfDayFilter = (key: string, day: unknown): Filter =>
  day ? { [key]: `${String(day)} 00:00:00` } : {}

export const invoiceDrilldown: Drilldown = {
  path: paths.invoices,
  figures: { blue: { isRed: false }, red: { isRed: true } },
  filter: origin => {
    const filter = createDrilldownFilter(invoiceDimensionFilters)(origin)
    if (!filter) return undefined
    const { dayFrom, dayTo, ...invoiceFilter } = filter
    return {
      ...invoiceFilter,
      state: invoiceFilter.state ?? ['issued', 'redDue', 'red'],
      ...startOfDayFilter('issueTimeFrom', dayFrom),
      ...startOfDayFilter('issueTimeTo', dayTo),
    }
  },
}

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
import { narrowRange, type Drilldown } from './drilldown.ts'

const toDayFilter: DimensionFilters[string] = (key, f) => narrowRange('day', f.asked, key)

const invoiceDimensionFilters: DimensionFilters = {
  type: createChoiceFilter(invoiceType, 'invoiceType'),
  medium: createChoiceFilter(invoiceMedium, 'medium'),
  channel: createChoiceFilter(invoiceChannel, 'channel'),
  state: createChoiceFilter(invoiceState, 'state'),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
  month: toDayFilter,
  day: toDayFilter,
}

const startOfDayFilter = (from: string, day: unknown): object =>
  day ? { [from]: `${String(day)} 00:00:00` } : {}

export const invoiceDrilldown: Drilldown = {
  path: '/finance/feebasesetting/invoiceList',
  figures: { blue: { isRed: false }, red: { isRed: true } },
  filter: f => {
    const said = createDrilldownFilter(invoiceDimensionFilters)(f)
    if (!said) return undefined
    const { dayFrom, dayTo, ...more } = said
    return {
      ...more,
      state: more.state ?? ['issued', 'redDue', 'red'],
      ...startOfDayFilter('issueTimeFrom', dayFrom),
      ...startOfDayFilter('issueTimeTo', dayTo),
    }
  },
}

import { payMethod, recordType } from '#modules/payments/contract/choices.ts'
import {
  createChoiceFilter,
  lastKeyPart,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import { narrowRange, type Drilldown } from './drilldown.ts'
import { paths } from './paths.ts'

const recordDimensionFilters: DimensionFilters = {
  type: createChoiceFilter(recordType, 'recordType'),
  method: createChoiceFilter(payMethod, 'payMethod'),
  day: (key, origin) => narrowRange('payDay', origin.query, key),
  month: (key, origin) => narrowRange('payDay', origin.query, key),
  cashier: key => ({ cashierId: [key] }),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
}

/** Whole records: parts of them have no list. */
export const tradeDrilldown: Drilldown = {
  path: paths.records,
  filter: origin => {
    const filter = createDrilldownFilter(recordDimensionFilters)(origin)
    return filter && { ...filter, state: ['normal', 'partRefunded', 'refunded'] }
  },
  figures: { received: { receivedAmountFrom: 1 }, refunded: { receivedAmountTo: -1 } },
  excludedFigures: ['principal', 'lateFee', 'rest', 'offset', 'roundOff'],
}

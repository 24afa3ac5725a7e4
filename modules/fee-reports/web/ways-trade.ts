import { payMethod, recordType } from '#modules/payments/contract/choices.ts'
import { choice, last, narrow, places, type Only } from './narrow.ts'
import { narrowed, type Way } from './way.ts'

const records: Only = {
  type: choice(recordType, 'recordType'),
  method: choice(payMethod, 'payMethod'),
  day: (key, f) => narrowed('payDay', f.asked, key),
  month: (key, f) => narrowed('payDay', f.asked, key),
  cashier: key => ({ cashierId: [key] }),
  build: key => ({ buildCode: [last(key)] }),
}

/** Whole records: parts of them have no list. */
export const tradeWay: Way = {
  path: places.records,
  filter: f => {
    const said = narrow(records)(f)
    return said && { ...said, state: ['normal', 'partRefunded', 'refunded'] }
  },
  figures: { received: { receivedAmountFrom: 1 }, refunded: { receivedAmountTo: -1 } },
  without: ['principal', 'lateFee', 'rest', 'offset', 'roundOff'],
}

import {
  invoiceChannel,
  invoiceMedium,
  invoiceState,
  invoiceType,
} from '#modules/invoices/contract/choices.ts'
import { choice, last, narrow, type Only } from './narrow.ts'
import { narrowed, type Way } from './way.ts'

const days: Only[string] = (key, f) => narrowed('day', f.asked, key)

const invoices: Only = {
  type: choice(invoiceType, 'invoiceType'),
  medium: choice(invoiceMedium, 'medium'),
  channel: choice(invoiceChannel, 'channel'),
  state: choice(invoiceState, 'state'),
  build: key => ({ buildCode: [last(key)] }),
  month: days,
  day: days,
}

const at = (from: string, day: unknown): object => (day ? { [from]: `${String(day)} 00:00:00` } : {})

export const invoiceWay: Way = {
  path: '/finance/feebasesetting/invoiceList',
  figures: { blue: { isRed: false }, red: { isRed: true } },
  filter: f => {
    const said = narrow(invoices)(f)
    if (!said) return undefined
    const { dayFrom, dayTo, ...more } = said
    return {
      ...more,
      state: more.state ?? ['issued', 'redDue', 'red'],
      ...at('issueTimeFrom', dayFrom),
      ...at('issueTimeTo', dayTo),
    }
  },
}

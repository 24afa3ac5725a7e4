import { today } from '#kit/web/when.ts'
import { meterKind, readingSource } from '#modules/meters/contract/choices.ts'
import { kinds } from '../contract/usage.ts'
import { choice, last, month, narrow, type Only } from './narrow.ts'
import type { Way } from './way.ts'

const readingFigures = {
  estimated: { isEstimate: true },
  doubtful: { doubtful: true },
  billed: { state: ['billed'] },
  ...Object.fromEntries(kinds.map(k => [k, { meterKind: [k] }])),
}

const readings: Only = {
  kind: choice(meterKind, 'meterKind'),
  build: key => ({ buildCode: [last(key)] }),
  month,
  day: key => ({ readDateFrom: key, readDateTo: key }),
  way: choice(readingSource, 'source'),
}

const read: Omit<Way, 'filter'> = { path: '/intelligentMeter/checkmeter/records' }

export const meterWay: Way = {
  ...read,
  filter: f => {
    const said = narrow(readings)(f)
    return said && { ...said, state: said.state ?? ['open', 'billed'] }
  },
  figures: {
    ...readingFigures,
    receivable: { state: ['billed'] },
    paid: { state: ['billed'] },
    unpaid: { state: ['billed'] },
  },
}

/** What was not read has no reading; the list of readings knows no use of a meter. */
export const meterMonthWay: Way = {
  ...read,
  without: ['due', 'left'],
  figures: readingFigures,
  filter: f => {
    const now = today().slice(0, 7)
    const said = narrow(readings)(f)
    const { meterUse, ...rest } = (said ?? {}) as { meterUse?: unknown }
    return said && !meterUse ? { ...month(now), ...rest, state: ['open', 'billed'] } : undefined
  },
}

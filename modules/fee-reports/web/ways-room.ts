import { keyOf } from '#kit/contract/field.ts'
import { lastDay } from '#kit/domain/month.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { choice, last, month, narrow, type Only } from './narrow.ts'
import type { Filter, From, Way } from './way.ts'
import { bills, billsOnly } from './ways.ts'

export const objects: Only = {
  ...billsOnly,
  source: key => ({ sourceType: [keyOf(sourceType, Number(key.split('/')[1]))!], sourceCode: last(key) }),
  kind: choice(sourceType, 'sourceType'),
}

export const owed = { payState: ['unpaid'] }
export const inForce = { state: ['normal'] }
export const billFigures = { ...bills.figures, lateFee: owed, unpaid: owed, overdue: { overdue: true } }

export const listed =
  (only: Only) =>
  (f: From): Filter | undefined => {
    const said = narrow(only)(f)
    return said && { ...inForce, ...said }
  }

export const roomWay: Way = { ...bills, filter: listed(objects), figures: billFigures }

/** A bill lies in the months of its period (STAT-2). */
const within = (f: From): Filter | undefined => {
  const { monthFrom, monthTo, ...said } = (narrow({ ...objects, month })(f) ?? { none: true }) as {
    monthFrom?: string
    monthTo?: string
    none?: true
  }
  return said.none
    ? undefined
    : {
        ...inForce,
        ...said,
        ...(monthTo ? { beginDateTo: lastDay(monthTo) } : {}),
        ...(monthFrom ? { endDateFrom: `${monthFrom}-01` } : {}),
      }
}

export const spreadWay: Way = {
  ...bills,
  filter: within,
  figures: { unpaid: owed, discount: { discounted: true } },
}

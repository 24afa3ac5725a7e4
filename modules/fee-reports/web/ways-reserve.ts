import { keyOf } from '#kit/contract/field.ts'
import { today } from '#kit/web/when.ts'
import { ownerKind } from '#modules/prestore/contract/choices.ts'
import { bare, choice, last, narrow, type Only } from './narrow.ts'
import { narrowed, type Filter, type From, type Way } from './way.ts'

const accounts: Only = {
  owner: key => ({ ownerKind: [keyOf(ownerKind, Number(key.split('/')[1]))!], ownerCode: last(key) }),
  kind: choice(ownerKind, 'ownerKind'),
  item: key => ({ feeItem: Number(key) }),
  build: key => ({ buildCode: [last(key)] }),
}

const reservePath = '/finance/reportCenter/financialManagement/summaryofreserves'

/** Balances are shown as they are now: the way of a closing balance of today alone. */
const held: Way = {
  path: '/finance/reservemanagement/depositaccount',
  filter: f => {
    const { dayFrom: _, dayTo, ...said } = (narrow(accounts)(f) ?? { dayTo: '-' }) as Filter
    return dayTo === undefined || String(dayTo) >= today() ? said : undefined
  },
}

/** The same figure owner by owner, on this screen. */
const owners: Way = {
  path: reservePath,
  filter: f => {
    const said = narrow(accounts)(f)
    return said && { ...said, by: 'owner' }
  },
}

/** Entries stand under their account alone. */
const moved = (path: string, types?: readonly string[]): Way => ({
  path: `/finance/reservemanagement/${path}`,
  filter: f => {
    const { ownerKind: kind, buildCode, state, feeItem, dayFrom, dayTo } = bare(f)
    const row = f.row?.key
    if (kind || buildCode || state || feeItem !== undefined || (row && f.by !== 'owner' && f.by !== 'month'))
      return undefined
    const days = row && f.by === 'month' ? narrowed('day', { dayFrom, dayTo }, row) : { dayFrom, dayTo }
    return {
      ...(days.dayFrom ? { entryTimeFrom: `${String(days.dayFrom)} 00:00:00` } : {}),
      ...(days.dayTo ? { entryTimeTo: `${String(days.dayTo)} 00:00:00` } : {}),
      ...(row && f.by === 'owner' ? { ownerCode: last(row) } : {}),
      ...(types ? { entryType: types } : {}),
    }
  },
})

const movements: Readonly<Record<string, Way>> = {
  came: moved('preservedrecords', ['topUp', 'change', 'deposit', 'gift']),
  offset: moved('offsetrecord'),
  refund: moved('preservedrecords', ['refund']),
  other: moved('preservedrecords', ['moveIn', 'moveOut', 'adjust', 'giftGone']),
}

export const reserveWay = (figure: string, f: From): Way | undefined =>
  f.row && f.by !== 'owner' ? owners : figure === 'close' ? held : movements[figure]

export const reserveMonthWay = (figure: string): Way | undefined => movements[figure]

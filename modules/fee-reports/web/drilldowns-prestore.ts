import { today } from '#kit/web/date-format.ts'
import { ownerKind } from '#modules/prestore/contract/choices.ts'
import {
  filterOnly,
  createChoiceFilter,
  createObjectFilter,
  lastKeyPart,
  createDrilldownFilter,
  type DimensionFilters,
} from './drilldown-filter.ts'
import { narrowRange, type DrilldownOrigin, type Drilldown } from './drilldown.ts'
import { paths } from './paths.ts'

const accountDimensionFilters: DimensionFilters = {
  owner: createObjectFilter(ownerKind, 'ownerKind', 'ownerCode'),
  kind: createChoiceFilter(ownerKind, 'ownerKind'),
  item: key => ({ feeItem: Number(key) }),
  build: key => ({ buildCode: [lastKeyPart(key)] }),
}

/** Accounts are listed with their present balance: only a closing balance of today leads there. */
const balanceDrilldown: Drilldown = {
  path: paths.prestoreAccounts,
  filter: origin => {
    const {
      dayFrom: _dayFrom,
      dayTo,
      ...filter
    } = createDrilldownFilter(accountDimensionFilters)(origin) ?? { dayTo: '-' }
    return dayTo === undefined || String(dayTo) >= today() ? filter : undefined
  },
}

/** The figure by owner, on this screen. */
const ownersDrilldown: Drilldown = {
  path: paths.prestore,
  filter: origin => {
    const filter = createDrilldownFilter(accountDimensionFilters)(origin)
    return filter && { ...filter, by: 'owner' }
  },
}

/** Entries can be listed by their account only. */
const createEntriesDrilldown = (path: string, types?: readonly string[]): Drilldown => ({
  path,
  filter: origin => {
    const { ownerKind: kind, buildCode, state, feeItem, dayFrom, dayTo } = filterOnly(origin)
    const row = origin.row?.key
    if (
      kind ||
      buildCode ||
      state ||
      feeItem !== undefined ||
      (row && origin.by !== 'owner' && origin.by !== 'month')
    )
      return undefined
    const days =
      row && origin.by === 'month' ? narrowRange('day', { dayFrom, dayTo }, row) : { dayFrom, dayTo }
    return {
      ...(days.dayFrom ? { entryTimeFrom: `${String(days.dayFrom)} 00:00:00` } : {}),
      ...(days.dayTo ? { entryTimeTo: `${String(days.dayTo)} 00:00:00` } : {}),
      ...(row && origin.by === 'owner' ? { ownerCode: lastKeyPart(row) } : {}),
      ...(types ? { entryType: types } : {}),
    }
  },
})

const movementDrilldowns: Readonly<Record<string, Drilldown>> = {
  came: createEntriesDrilldown(paths.prestoreRecords, ['topUp', 'change', 'deposit', 'gift']),
  offset: createEntriesDrilldown(paths.prestoreOffsets),
  refund: createEntriesDrilldown(paths.prestoreRecords, ['refund']),
  other: createEntriesDrilldown(paths.prestoreRecords, ['moveIn', 'moveOut', 'adjust', 'giftExpired']),
}

export const selectPrestoreDrilldown = (figure: string, origin: DrilldownOrigin): Drilldown | undefined =>
  origin.row && origin.by !== 'owner'
    ? ownersDrilldown
    : figure === 'close'
      ? balanceDrilldown
      : movementDrilldowns[figure]

export const selectPrestoreMonthDrilldown = (figure: string): Drilldown | undefined =>
  movementDrilldowns[figure]

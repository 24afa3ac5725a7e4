import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Filter, DrilldownOrigin } from './drilldown.ts'

export const listPaths = {
  trades: '/finance/chargemanage/tradingcenter',
  bills: '/finance/chargemanage/chargeList',
  unpaid: '/finance/chargemanage/unpaidbills',
  records: '/finance/chargemanage/paidbills',
} as const

export type DimensionFilters = Readonly<
  Record<string, (key: string, f: DrilldownOrigin) => Filter | undefined>
>
export const lastKeyPart = (key: string): string => defined(key.split('/').at(-1))

export const filterOnly = (f: DrilldownOrigin): Filter =>
  Object.fromEntries(Object.entries(f.asked).filter(([k]) => k !== 'by' && k !== 'keyword'))

/**
 * What was asked and what the row says, where its dimension is a filter of that list; a project is chosen by
 * the address.
 */
export const createDrilldownFilter =
  (only: DimensionFilters) =>
  (f: DrilldownOrigin): Filter | undefined => {
    const more = f.row && f.by !== 'project' ? only[f.by]?.(defined(f.row.key), f) : {}
    return more && { ...filterOnly(f), ...more }
  }

/** A choice's key as a filter of it; a month's as a filter of months. */
export const createChoiceFilter =
  (of: Parameters<typeof keyOf>[0], name: string) =>
  (key: string): Filter => ({ [name]: [defined(keyOf(of, Number(key)))] })

export const toMonthFilter = (key: string): Filter => ({ monthFrom: key, monthTo: key })

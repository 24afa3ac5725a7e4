import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { isMonth } from '#kit/domain/month.ts'
import type { Filter, DrilldownOrigin } from './drilldown.ts'

export type DimensionFilters = Readonly<
  Record<string, (key: string, origin: DrilldownOrigin) => Filter | undefined>
>
export const lastKeyPart = (key: string): string => defined(key.split('/').at(-1))

/** The query without its dimension and keyword, which are no filters of another list. */
export const filterOnly = ({ query }: DrilldownOrigin): Filter =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key !== 'by' && key !== 'keyword'))

/** The filter of the row's dimension; undefined where that list has none. The address chooses a project. */
export const rowFilter = (dimensions: DimensionFilters, origin: DrilldownOrigin): Filter | undefined =>
  origin.row && origin.by !== 'project' ? dimensions[origin.by]?.(defined(origin.row.key), origin) : {}

/** The query and the row as a filter, where its dimension is a filter of that list. */
export const createDrilldownFilter =
  (dimensions: DimensionFilters) =>
  (origin: DrilldownOrigin): Filter | undefined => {
    const filter = rowFilter(dimensions, origin)
    return filter && { ...filterOnly(origin), ...filter }
  }

/**
 * A choice's code as a filter of it. While the rows of another dimension are still shown, their keys are no
 * codes: there is no filter then.
 */
export const createChoiceFilter =
  (choices: Parameters<typeof keyOf>[0], name: string) =>
  (code: string): Filter | undefined => {
    const key = keyOf(choices, Number(code))
    return key === undefined ? undefined : { [name]: [key] }
  }

/** `GOLD0001/10/R1`: the kind and the code of what a row is about, as the filters of those names. */
export const createObjectFilter = (
  choices: Parameters<typeof keyOf>[0],
  kindFilter: string,
  codeFilter: string,
): DimensionFilters[string] => {
  const filterByKind = createChoiceFilter(choices, kindFilter)
  return key => {
    const filter = filterByKind(key.split('/')[1] ?? '')
    return filter && { ...filter, [codeFilter]: lastKeyPart(key) }
  }
}

export const toMonthFilter = (key: string): Filter | undefined =>
  isMonth(key) ? { monthFrom: key, monthTo: key } : undefined

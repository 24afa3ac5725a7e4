import { defined } from '#kit/domain/defined.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { toFixed, sum as sumDec } from '#kit/domain/decimal.ts'
import { asFen } from '#kit/domain/money.ts'
import { isStruckOut, type Field, type Fields } from '#kit/contract/field.ts'
import { displayYuan } from '../numbers.tsx'
import { toast } from '../toast.ts'
import type { RowKey } from '../table/data-table.tsx'

/**
 * Records selected one by one, 2,000 at most, over pages; or all that match the filter, with the server's
 * count and sums.
 */
export interface SelectedRows<T, I = unknown> {
  readonly count: number
  /** Of those selected one by one; empty when `allMatching` is set. */
  readonly ids: readonly string[]
  readonly rows: readonly T[]
  readonly allMatching:
    | { readonly filter: I; readonly count: number; readonly sum: Readonly<Record<string, number | string>> }
    | undefined
}

export const maxSelected = 2000

export interface Selection<T> {
  readonly selected: ReadonlyMap<RowKey, T>
  readonly isAllMatching: boolean
  readonly setSelected: (rows: readonly T[], on: boolean) => void
  readonly selectAllMatching: () => void
  readonly clear: () => void
}

/** A selection survives paging; `scope` is the filter, and another filter clears it with a toast. */
export function useSelection<T>(keyOf: (row: T) => RowKey, scope: string): Selection<T> {
  const [stored, setStored] = useState<{
    readonly scope: string
    readonly picked: ReadonlyMap<RowKey, T>
    readonly allMatching: boolean
  }>({ scope, picked: new Map(), allMatching: false })
  const reportedScope = useRef(scope)
  const current =
    stored.scope === scope ? stored : { scope, picked: new Map<RowKey, T>(), allMatching: false }
  if (stored.scope !== scope && reportedScope.current !== scope) {
    reportedScope.current = scope
    const count = stored.picked.size
    if (count || stored.allMatching) {
      queueMicrotask(() =>
        toast.info(
          stored.allMatching ? '筛选条件已变更，已取消选择全部' : `筛选条件已变更，已取消勾选的 ${count} 条`,
        ),
      )
    }
  }
  const set = useCallback(
    (rows: readonly T[], on: boolean): void =>
      setStored(previous => {
        const picked = new Map(previous.scope === scope ? previous.picked : [])
        for (const row of rows) {
          if (!on) {
            picked.delete(keyOf(row))
          } else if (picked.size < maxSelected || picked.has(keyOf(row))) {
            picked.set(keyOf(row), row)
          } else {
            queueMicrotask(() => toast.warning(`一次最多勾选 ${maxSelected} 条，更多请用「选择全部」`))
            break
          }
        }
        return { scope, picked, allMatching: false }
      }),
    [scope, keyOf],
  )
  const selectAllMatching = useCallback(
    () => setStored({ scope, picked: new Map(), allMatching: true }),
    [scope],
  )
  const clear = useCallback(() => setStored({ scope, picked: new Map(), allMatching: false }), [scope])
  return useMemo(
    () => ({
      selected: current.picked,
      isAllMatching: current.allMatching,
      setSelected: set,
      selectAllMatching,
      clear,
    }),
    [current.picked, current.allMatching, set, selectAllMatching, clear],
  )
}

/** Sums of some keys over the rows that count, by kind: money in fen, decimals exact. */
export function sumRows(
  fields: Fields,
  keys: readonly string[],
  rows: readonly unknown[],
): Record<string, number | string> {
  const all = rows as readonly Readonly<Record<string, unknown>>[]
  const notStruckOut = all.filter(r => !isStruckOut(fields, r))
  // A rate has a total for the whole filter, computed from its figures; no sum of some rows.
  return Object.fromEntries(
    keys
      .filter(k => fields[k]?.kind !== 'text')
      .map(rowKey => {
        const counted = fields[rowKey]?.countsStruckOut ? all : notStruckOut
        const values = counted.map(r => r[rowKey]).filter(v => v !== undefined)
        return [
          rowKey,
          fields[rowKey]?.kind === 'decimal'
            ? sumDec(values as string[])
            : values.reduce<number>((a, v) => a + Number(v), 0),
        ]
      }),
  )
}

const groupThousands = (dec: string): string => {
  const [a, b] = dec.split('.')
  return `${defined(a).replace(/\B(?=(\d{3})+$)/g, ',')}${b === undefined ? '' : `.${b}`}`
}

const decimalPlaces = (dec: unknown): number =>
  typeof dec === 'string' ? (dec.split('.')[1]?.length ?? 0) : 0

/** What is measured in a unit is shown with two digits at least (`formatValue`). */
const leastDecimalPlaces = (f: Field | undefined): number =>
  f?.unit === undefined ? 0 : Math.min(2, f.scale ?? 4)

/** Decimal places of a column, so that sums align with their figures. */
export const decimalPlacesOf = (
  fields: Fields,
  keys: readonly string[],
  rows: readonly unknown[],
): Record<string, number> =>
  Object.fromEntries(
    keys
      .filter(k => fields[k]?.kind === 'decimal')
      .map(rowKey => [
        rowKey,
        Math.max(
          leastDecimalPlaces(fields[rowKey]),
          ...rows.map(r => decimalPlaces((r as Readonly<Record<string, unknown>>)[rowKey])),
        ),
      ]),
  )

/** The figures of a line of totals, without those under columns that show nothing but dashes. */
export const shownTotals = (
  figures: Readonly<Record<string, number | string>>,
  keys: readonly string[],
  rows: readonly unknown[],
): Record<string, number | string> => {
  const isEmpty = (key: string): boolean =>
    rows.every(row => (row as Readonly<Record<string, unknown>>)[key] === undefined)
  return Object.fromEntries(
    keys.flatMap(key => {
      const figure = figures[key]
      // Rows of other pages may have what these have not.
      return figure === undefined || (Number(figure) === 0 && isEmpty(key)) ? [] : [[key, figure]]
    }),
  )
}

/** A sum of money that numbers cannot hold exactly is not shown. */
export const formatSum = (field: Field | undefined, value: number | string | undefined, digits = 0): string =>
  value === undefined || (field?.kind === 'money' && !Number.isSafeInteger(Number(value)))
    ? ''
    : field?.kind === 'money'
      ? displayYuan(asFen(Number(value)))
      : groupThousands(
          field?.kind === 'decimal'
            ? toFixed(String(value), Math.max(digits, decimalPlaces(value)))
            : String(value),
        )

import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { isMonth, monthOf, type Month } from '#kit/domain/month.ts'
import { today } from '#kit/web/date-format.ts'
import { useAddressValue } from '#kit/web/address-value.ts'

export interface MonthFilter {
  readonly month: Month
  readonly groupId?: readonly string[] | undefined
  readonly departmentId?: readonly string[] | undefined
  readonly keyword?: string | undefined
  readonly page: number
  readonly size: number
}

/** The month in the address of a page, or else the page's initial month. */
export function useAddressMonth(first: Month = monthOf(today())): readonly [Month, (month: Month) => void] {
  const [text, setText] = useAddressValue('month', { without: 'page' })
  return [text !== undefined && isMonth(text) ? text : first, setText]
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text)
const parsePositive = (text: string | null, fallback: number, max: number): number => {
  const value = Number(text)
  return text && Number.isInteger(value) && value > 0 && value <= max ? value : fallback
}

const idsOf = (text: string | null): readonly string[] | undefined => {
  const ids = text?.split(',').filter(isId) ?? []
  return ids.length ? ids : undefined
}

export function readMonthFilter(address: URLSearchParams, thisMonth: Month): MonthFilter {
  const month = address.get('month') ?? ''
  const keyword = address.get('keyword')?.slice(0, 40)
  return {
    month: isMonth(month) ? month : thisMonth,
    groupId: idsOf(address.get('groupId')),
    departmentId: idsOf(address.get('departmentId')),
    keyword: keyword ? keyword : undefined,
    page: parsePositive(address.get('page'), 1, 1000),
    size: parsePositive(address.get('size'), 50, 500),
  }
}

/** The filter of a monthly grid, kept in the address: it survives a reload and can be sent as a link. */
export function useMonthFilter(): readonly [MonthFilter, (change: Partial<MonthFilter>) => void] {
  const [address, setAddress] = useSearchParams()
  const filter = useMemo(() => readMonthFilter(address, monthOf(today())), [address])
  const change = useCallback(
    (changed: Partial<MonthFilter>): void =>
      setAddress(
        before => {
          const after = new URLSearchParams(before)
          for (const [key, value] of Object.entries(changed)) {
            const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
            if (text && !(key === 'page' && text === '1')) {
              after.set(key, text)
            } else {
              after.delete(key)
            }
          }
          return after
        },
        { replace: true },
      ),
    [setAddress],
  )
  return [filter, change]
}

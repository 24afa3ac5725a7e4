import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, earliest, firstOfMonth, isDay, type Day } from '#kit/domain/day.ts'
import { today } from './date-format.ts'

export interface DaySpan {
  readonly from: Day
  readonly to: Day
}

/** This month so far; in its first days the last seven, so that there is something to see. */
export const monthSoFar = (): DaySpan => ({
  from: earliest(firstOfMonth(today()), addDays(today(), -6)),
  to: today(),
})

/** From one day to another in the address, else those that the page begins with. */
export function useAddressSpan(first: DaySpan): readonly [DaySpan, (span: DaySpan) => void] {
  const [address, setAddress] = useSearchParams()
  const from = address.get('from') ?? ''
  const to = address.get('to') ?? ''
  const set = useCallback(
    (span: DaySpan): void =>
      setAddress(
        before => {
          const after = new URLSearchParams(before)
          after.set('from', span.from)
          after.set('to', span.to)
          after.delete('page')
          return after
        },
        { replace: true },
      ),
    [setAddress],
  )
  return [isDay(from) && isDay(to) && from <= to ? { from, to } : first, set]
}

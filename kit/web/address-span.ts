import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { isDay, type Day } from '#kit/domain/day.ts'

export interface DaySpan {
  readonly from: Day
  readonly to: Day
}

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

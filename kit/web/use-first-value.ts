import { useState } from 'react'

/**
 * The first value that is there, kept: a form begins with it and stays, whatever is fetched later. `value`
 * may be a new object each time.
 */
export function useFirstValue<T extends object>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value)
  if (first === undefined && value !== undefined) {
    setFirst(value)
  }
  return first ?? value
}

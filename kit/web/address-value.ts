import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/**
 * A value that is in the address of a page, and the function that changes it in place. `without`: what
 * the address says no more once the value is another one, as the page of a list.
 */
export function useAddressValue(
  name: string,
  { without }: { readonly without?: string } = {},
): readonly [value: string | undefined, setValue: (value: string | undefined) => void] {
  const [address, setAddress] = useSearchParams()
  const setValue = useCallback(
    (value: string | undefined): void =>
      setAddress(
        before => {
          const after = new URLSearchParams(before)
          after.delete(name)
          if (without) {
            after.delete(without)
          }
          if (value) {
            after.set(name, value)
          }
          return after
        },
        { replace: true },
      ),
    [name, without, setAddress],
  )
  return [address.get(name) || undefined, setValue]
}

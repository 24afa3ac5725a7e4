import { useAddresses } from './files.ts'
import { Images } from './images.tsx'

/** Kept files as pictures, by their keys; without any it says 无. */
export function KeptImages({
  of,
  on,
  size,
}: {
  readonly of: readonly string[]
  readonly on?: 'click' | 'double'
  readonly size?: number
}) {
  const addresses = useAddresses(of)
  return <Images of={addresses.filter(a => a !== '')} {...(on ? { on } : {})} {...(size ? { size } : {})} />
}

import { useFileUrls } from './file-store.ts'
import { Images } from './images.tsx'

/** Kept files as pictures, by their keys; without any it says 无. */
export function StoredImages({
  fileKeys,
  openOn,
  size,
}: {
  readonly fileKeys: readonly string[]
  readonly openOn?: 'click' | 'double'
  readonly size?: number
}) {
  const addresses = useFileUrls(fileKeys)
  return (
    <Images
      images={addresses.filter(a => a !== '')}
      {...(openOn ? { openOn } : {})}
      {...(size ? { size } : {})}
    />
  )
}

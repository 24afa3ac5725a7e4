import { useFileUrls } from './file-store.ts'
import { Images } from './images.tsx'

/** Stored files as images, by their keys; without any it says 无. */
export function StoredImages({
  fileKeys,
  openOn,
  size,
}: {
  readonly fileKeys: readonly string[]
  readonly openOn?: 'click' | 'double'
  readonly size?: number
}) {
  const urls = useFileUrls(fileKeys)
  return (
    <Images
      images={urls.filter(url => url !== '')}
      {...(openOn ? { openOn } : {})}
      {...(size ? { size } : {})}
    />
  )
}

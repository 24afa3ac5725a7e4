import { useFileUrls } from './file-store.ts'
import './stored-videos.css'

/** Stored files as videos to be played, by their keys. */
export function StoredVideos({ fileKeys }: { readonly fileKeys: readonly string[] }) {
  const urls = useFileUrls(fileKeys)
  return (
    <div className="stored-videos">
      {urls
        .filter(url => url !== '')
        .map((url, i) => (
          // A recording has no captions to offer.
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <video key={url} src={url} aria-label={`视频 ${i + 1}`} controls playsInline preload="metadata" />
        ))}
    </div>
  )
}

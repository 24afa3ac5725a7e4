import { ReloadOutlined } from '@ant-design/icons'
import { QrCode } from '#kit/web/qr-code.tsx'
import type { WatchedQr } from '#kit/web/use-watched-qr.ts'

interface WatchedQrPictureProps<S extends string> {
  readonly watched: WatchedQr<{ readonly url: string }, S>
  readonly texts: Readonly<Record<S | 'asking' | 'failed', string>>
}

/** A picture for a phone, what it waits for, and a new one on demand. */
export const WatchedQrPicture = <S extends string>({ watched, texts }: WatchedQrPictureProps<S>) => (
  <>
    <div className="picture" data-over={watched.isOver || undefined}>
      <QrCode
        value={watched.qr ? location.origin + watched.qr.url : '-'}
        size={208}
        status={watched.state === 'asking' ? 'loading' : 'active'}
      />
      {watched.isOver && (
        <button type="button" onClick={watched.renew}>
          <ReloadOutlined />
          刷新二维码
        </button>
      )}
    </div>
    <p role="status">{texts[watched.state]}</p>
  </>
)

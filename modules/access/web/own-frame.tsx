import type { ReactNode } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import '#kit/web/phone/phone.css'
import type { OwnAccess, ShownCode } from '../contract/own-access.ts'
import { OwnCode } from './own-code.tsx'
import { offlineText, OwnDoorways } from './own-doorways.tsx'
import './own.css'

export const accessRefetchMs = 20_000

interface FrameProps {
  readonly access: OwnAccess
  readonly open: (doorwayId: Id) => Promise<{ readonly ticket: string }>
  readonly show: (isNew: boolean) => Promise<ShownCode>
  readonly children?: ReactNode
}

/** The code, and below it the doors, of one person. */
export const OwnFrame = ({ access, open, show, children }: FrameProps) => (
  <div className="phone own-access">
    <header>
      <div>
        <h1>{access.estateName}</h1>
        {access.servicePhone !== undefined && (
          <a
            className="big call"
            href={`tel:${access.servicePhone}`}
            aria-label={`拨打物业电话 ${access.servicePhone}`}
          >
            电话
          </a>
        )}
      </div>
      <small>{[access.personName, access.placeName].filter(Boolean).join(' · ')}</small>
      {children}
    </header>
    <main>
      <OwnCode show={show} />
      <OwnDoorways access={access} open={open} />
    </main>
  </div>
)

interface PlaceholderProps {
  readonly error: unknown
  readonly onRetry: () => void
}

/** In place of the page: that it is loading, or why it cannot be shown. */
export function OwnPlaceholder({ error, onRetry }: PlaceholderProps) {
  const canRetry = !(error instanceof Refused) || error.code === resultCode.rateLimited
  return (
    <div className="phone own-access">
      <header>
        <div>
          <h1>手机开门</h1>
        </div>
      </header>
      {error ? (
        <p className="empty" role="alert">
          {describeRefusal(error, offlineText)}
          {canRetry && (
            <button type="button" className="big" onClick={onRetry}>
              重试
            </button>
          )}
        </p>
      ) : (
        <p className="empty" role="status">
          正在加载…
        </p>
      )}
    </div>
  )
}

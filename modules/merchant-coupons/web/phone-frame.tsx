import { Refused, resultCode } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { RequestFailure } from '#kit/web/send.ts'
import '#kit/web/phone/phone.css'
import './coupon-phone.css'

const tooManyTries = '操作过于频繁，请一分钟后再试'

/** What went wrong, in words for somebody who has no account here. */
export function describeProblem(error: unknown): string {
  if (error instanceof Refused && error.code === resultCode.rateLimited) return error.message || tooManyTries
  if (error instanceof RequestFailure && error.status === 429) return tooManyTries
  return describeRefusal(error, '网络不通，请检查网络后重试')
}

export const incompleteLink = new Refused(resultCode.notFound, '链接不完整，请重新扫码或打开完整的链接')

interface PlaceholderProps {
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** In place of the page: that it is loading, or why it cannot be shown. */
export function Placeholder({ title, error, onRetry }: PlaceholderProps) {
  const canRetry = !(error instanceof Refused) || error.code === resultCode.rateLimited
  return (
    <div className="phone coupon-phone">
      <header>
        <div>
          <h1>{title}</h1>
        </div>
      </header>
      {error ? (
        <p className="empty" role="alert">
          {describeProblem(error)}
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

interface HeadProps {
  readonly title: string
  readonly note: string
  readonly servicePhone?: string | undefined
}

/** Where the page belongs, and whom to call. */
export const Head = ({ title, note, servicePhone }: HeadProps) => (
  <header>
    <div>
      <h1>{title}</h1>
      {servicePhone !== undefined && (
        <a className="big call" href={`tel:${servicePhone}`} aria-label={`拨打物业电话 ${servicePhone}`}>
          电话
        </a>
      )}
    </div>
    <small>{note}</small>
  </header>
)

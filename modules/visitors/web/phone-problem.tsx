import { Refused, resultCode } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { RequestFailure } from '#kit/web/send.ts'

const tooManyTries = '操作过于频繁，请一分钟后再试'

/** What went wrong, in words for somebody who has no account here. */
export function describeProblem(error: unknown): string {
  if (error instanceof Refused && error.code === resultCode.rateLimited) return tooManyTries
  if (error instanceof RequestFailure && error.status === 429) return tooManyTries
  if (error instanceof RequestFailure && error.status === 413) return '照片超过大小限制，请换一张'
  return describeRefusal(error, '网络不通，请检查网络后重试')
}

/** In place of the page: that it is loading, or why it cannot be shown. */
export function PhonePlaceholder({
  title,
  error,
  onRetry,
}: {
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
}) {
  if (!error)
    return (
      <div className="phone">
        <p className="empty" role="status">
          正在加载…
        </p>
      </div>
    )
  const canRetry = !(error instanceof Refused) || error.code === resultCode.rateLimited
  return (
    <div className="phone">
      <header>
        <div>
          <h1>{title}</h1>
        </div>
      </header>
      <p className="empty" role="alert">
        {describeProblem(error)}
        {canRetry && (
          <button type="button" className="big" onClick={onRetry}>
            重试
          </button>
        )}
      </p>
    </div>
  )
}

export const incompleteLink = new Refused(
  resultCode.notFound,
  '链接不完整，请打开收到的完整链接，或向物业重新索取',
)

interface PhoneHeadProps {
  readonly title: string
  readonly note: string
  readonly servicePhone: string | undefined
}

/** Where the page belongs, and whom to call. */
export const PhoneHead = ({ title, note, servicePhone }: PhoneHeadProps) => (
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

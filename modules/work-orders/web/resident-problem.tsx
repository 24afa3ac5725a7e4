import { Refused, resultCode } from '#kit/contract/wire.ts'
import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { RequestFailure } from '#kit/web/send.ts'

const tooManyTries = '操作过于频繁，请一分钟后再试'

/** What went wrong, as text for somebody who has no account here. */
export function describeProblem(error: unknown): string {
  if (error instanceof Refused) {
    if (error.code === resultCode.rateLimited) return tooManyTries
    return fieldFaultsOf(error)[0]?.Message ?? error.message
  }
  if (error instanceof RequestFailure && error.status === 429) return tooManyTries
  if (error instanceof RequestFailure && error.status === 413) return '文件超过大小限制，请选择较小的文件'
  return '网络不通，请检查网络后重试'
}

/** A link that opens nothing is no reason to try again; a busy or unreachable server is. */
const canRetry = (error: unknown): boolean =>
  !(error instanceof Refused) || error.code === resultCode.rateLimited

/** In place of the page: why it cannot be shown. */
export function ResidentProblem({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry: () => void
}) {
  return (
    <div className="phone resident">
      <header>
        <div>
          <h1>报事</h1>
        </div>
      </header>
      <p className="empty" role="alert">
        {describeProblem(error)}
        {canRetry(error) && (
          <button type="button" className="big" onClick={onRetry}>
            重试
          </button>
        )}
      </p>
    </div>
  )
}

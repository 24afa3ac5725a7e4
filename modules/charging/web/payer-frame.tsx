import type { ReactNode } from 'react'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { RequestFailure } from '#kit/web/send.ts'
import '#kit/web/phone/phone.css'
import './payer.css'

const networkText = '网络不通，请检查网络后重试'
const tooManyText = '操作过于频繁，请一分钟后再试'

/** What went wrong, for somebody who has no account here. */
export const describeProblem = (error: unknown): string =>
  error instanceof RequestFailure && error.status === 429 ? tooManyText : describeRefusal(error, networkText)

export const incompleteCode = new Refused(resultCode.notFound, '二维码不完整，请重新扫描充电桩上的二维码')

/** In place of the page: that it is loading, or why it cannot be shown. */
export function Placeholder({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div className="phone charge">
      <p className="empty" role={error ? 'alert' : 'status'}>
        {error ? describeProblem(error) : '正在加载…'}
        {error !== undefined && error !== null && onRetry && (
          <button type="button" className="big" onClick={onRetry}>
            重试
          </button>
        )}
      </p>
    </div>
  )
}

interface Site {
  readonly estateName: string
  readonly companyName: string
  readonly servicePhone?: string | undefined
}

/** Where the page belongs, and whom to call. */
export const Frame = ({ site, children }: { readonly site: Site; readonly children: ReactNode }) => (
  <div className="phone charge">
    <header>
      <div>
        <h1>{site.estateName}</h1>
        {site.servicePhone !== undefined && (
          <a className="big call" href={`tel:${site.servicePhone}`} aria-label="拨打物业电话">
            电话
          </a>
        )}
      </div>
      <small>{site.companyName}</small>
    </header>
    {children}
  </div>
)

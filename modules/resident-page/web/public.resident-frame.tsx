import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { readStored } from '#kit/web/browser-store.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { RequestFailure } from '#kit/web/send.ts'
import '#kit/web/phone/phone.css'
import { paths } from '../module.ts'
import './public.resident.css'

/** Where a phone keeps the sign-in of its resident. */
export const residentTokenName = 'resident.token'

export interface ResidentAddress {
  readonly token: string
  /** The home that is looked at. */
  readonly home?: string
}

/** What opened this page: its address, else the sign-in that the phone keeps. */
export function useResidentAddress(): ResidentAddress {
  const [params] = useSearchParams()
  const home = params.get('h')?.trim() ?? ''
  const token = params.get('t')?.trim() || readStored(residentTokenName, '')
  return { token, ...(home === '' ? {} : { home }) }
}

/** A page of residents, with what opens it. */
export function residentAddressOf(path: string, { token, home }: ResidentAddress): string {
  const query = `t=${encodeURIComponent(token)}${home === undefined ? '' : `&h=${encodeURIComponent(home)}`}`
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** What went wrong, for somebody who has no account here. */
export function describeResidentProblem(error: unknown): string {
  if (error instanceof Refused && error.code === resultCode.rateLimited) return error.message
  if (error instanceof RequestFailure && error.status === 429) return '操作过于频繁，请一分钟后再试'
  return describeRefusal(error, '网络不通，请检查网络后重试')
}

export const missingResidentToken = new Refused(
  resultCode.notFound,
  '请打开物业发送的链接，或扫描楼栋的二维码登录',
)

interface FrameProps {
  readonly title: string
  readonly note?: string | undefined
  readonly servicePhone?: string | undefined
  /** Leads back to the page of the resident, or to another page of theirs. */
  readonly back?: { readonly path: string; readonly label: string } | undefined
  readonly children: ReactNode
}

/** A page of residents: where it belongs, whom to call, the way back. */
export const ResidentFrame = ({ title, note, servicePhone, back, children }: FrameProps) => (
  <div className="phone resident">
    <header>
      <div>
        {back && (
          <Link className="back" to={back.path} aria-label={`返回${back.label}`}>
            ‹
          </Link>
        )}
        <h1>{title}</h1>
        {servicePhone !== undefined && (
          <a className="big call" href={`tel:${servicePhone}`} aria-label={`拨打物业电话 ${servicePhone}`}>
            电话
          </a>
        )}
      </div>
      {note !== undefined && <small>{note}</small>}
    </header>
    {children}
  </div>
)

/** In place of a page: that it is loading, or why it cannot be shown. */
export function ResidentPlaceholder({
  title,
  error,
  onRetry,
}: {
  readonly title: string
  readonly error: unknown
  readonly onRetry?: () => void
}) {
  const canRetry = !(error instanceof Refused) || error.code === resultCode.rateLimited
  return (
    <ResidentFrame title={title}>
      {error ? (
        <p className="empty" role="alert">
          {describeResidentProblem(error)}
          {canRetry && onRetry && (
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
    </ResidentFrame>
  )
}

/** The way back to the page of the resident. */
export const backToHome = (address: ResidentAddress) => ({
  path: residentAddressOf(paths.home, address),
  label: '住户服务',
})

import { Component, type ReactNode } from 'react'
import { RequestFailure, expireSession } from './send.ts'
import { PageReady } from './progress.tsx'
import { Refused } from '#kit/contract/wire.ts'
import { useOnline } from './use-online.ts'

/** What could not be loaded and what to do: 错误(code) 服务器繁忙, or 网络错误 without a network (0§8). */
export function LoadFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const online = useOnline()
  const status =
    error instanceof RequestFailure ? error.status || 405 : error instanceof Refused ? error.code : undefined
  const offline = !online || (error instanceof RequestFailure && error.status === 0)
  return (
    <div className="empty" role="alert">
      <p className="empty-title">{offline ? '网络错误' : `错误(${status ?? 500})`}</p>
      <p>
        {offline
          ? '请检查网络连接后重试'
          : error instanceof Refused
            ? error.message
            : '服务器繁忙，请稍后再试'}
      </p>
      <p className="empty-actions">
        {onRetry && (
          <button type="button" className="linkish" onClick={onRetry}>
            刷新
          </button>
        )}
        <button type="button" className="linkish" onClick={() => location.reload()}>
          重新加载
        </button>
      </p>
      <PageReady />
    </div>
  )
}

/** An address that is no page, for somebody who is not signed in. */
export function PageNotFound({ path }: { readonly path: string }) {
  return (
    <main className="empty" role="alert">
      <p className="empty-title">页面不存在</p>
      <p>页面 {path} 不存在：地址有误或功能未开通</p>
      <p className="empty-actions">
        <a className="linkish" href="/login">
          登录
        </a>
      </p>
      <PageReady />
    </main>
  )
}

/** The failure in one line, for a block among others. */
export const InlineLoadFailure = ({
  text = '加载失败',
  onRetry,
}: {
  readonly text?: string
  readonly onRetry: () => unknown
}) => (
  <p className="block-none" role="alert">
    {text}{' '}
    <button type="button" className="linkish" onClick={() => void onRetry()}>
      重试
    </button>
  </p>
)

/** The code of a page could not be fetched: usually a new version has replaced the old one. */
export const isChunkFailure = (e: unknown): boolean =>
  /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload|loading (css )?chunk/i.test(
    String(e),
  )

const reloadedKey = 'reloaded'

/** Reloads the page for a lost chunk, but not again within a minute of the last time. */
export function reloadOnce(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < 60_000) return false
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  location.reload()
  return true
}

interface Props {
  readonly children: ReactNode
  /** A change of it clears the error. */
  readonly resetKey?: string
}

/**
 * An error while a page is drawn stays in that page. 登录失效 leads to the login page, a lost chunk reloads
 * (0§8).
 */
export class PageErrorBoundary extends Component<Props, { error: unknown; resetKey: string | undefined }> {
  override state = { error: undefined as unknown, resetKey: this.props.resetKey }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  static getDerivedStateFromProps(p: Props, s: { resetKey: string | undefined }) {
    return p.resetKey === s.resetKey ? null : { resetKey: p.resetKey, error: undefined }
  }
  override componentDidCatch(error: unknown) {
    if (/登录失效/.test(String(error))) {
      expireSession()
    } else if (isChunkFailure(error)) {
      reloadOnce()
    }
  }
  override render() {
    const { error } = this.state
    return error === undefined ? (
      this.props.children
    ) : (
      <LoadFailure error={error} onRetry={() => this.setState({ error: undefined })} />
    )
  }
}

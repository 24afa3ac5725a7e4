import { Button } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { RequestFailure } from '../send.ts'
import './states.css'

/** Placeholder rows of the real height, shown after 200 ms, for a first load only. */
export function RowSkeleton({ rows, width }: { readonly rows: number; readonly width?: readonly number[] }) {
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const t = setTimeout(() => setVisible(true), 200)
    return () => clearTimeout(t)
  }, [])
  if (!isVisible) return null
  const widths = width ?? [90, 130, 70, 110, 90, 60, 80]
  return (
    <div className="sheet-skeleton" role="status" aria-label="正在加载">
      {Array.from({ length: rows }, (_, i) => (
        <div key={i}>
          {widths.map((w, n) => (
            <i key={n} style={{ width: w * (0.75 + ((i * 7 + n * 3) % 5) / 12) }} />
          ))}
        </div>
      ))}
    </div>
  )
}

export interface StateAction {
  readonly label: string
  readonly run: () => void
}

/** One sentence and at most two actions, in the place of rows. */
export function StateMessage({
  text,
  detail,
  actions = [],
}: {
  readonly text: ReactNode
  readonly detail?: ReactNode
  readonly actions?: readonly (StateAction | false | undefined)[]
}) {
  const all = actions.filter((d): d is StateAction => Boolean(d))
  return (
    <div className="list-state" role="status">
      <p>{text}</p>
      {detail && <p className="more">{detail}</p>}
      {all.length > 0 && (
        <div>
          {all.map((d, i) => (
            <Button key={d.label} type={i === 0 ? 'primary' : 'default'} onClick={d.run}>
              {d.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** What went wrong and what to do; the log id of a defect is in its message. */
export function errorText(error: unknown): {
  readonly message: string
  readonly hint: string
  readonly forbidden: boolean
} {
  if (error instanceof Refused) {
    if (error.code === resultCode.forbidden)
      return { message: error.message || '无权查看', hint: '需要查看请联系管理员开通', forbidden: true }
    return {
      message: error.message || '加载失败',
      hint: error.code === resultCode.internalError ? '反馈编号便于客服排查' : '',
      forbidden: false,
    }
  }
  const offline = typeof navigator !== 'undefined' && !navigator.onLine
  if (error instanceof RequestFailure)
    return {
      message:
        offline || error.status === 0 ? '网络错误，无法连接服务器' : `服务器繁忙（错误 ${error.status}）`,
      hint: offline ? '请检查网络后重试' : '请重试；反复出现请联系管理员',
      forbidden: false,
    }
  return { message: '加载失败', hint: error instanceof Error ? error.message : '', forbidden: false }
}

/** The error as one sentence. */
export const errorSentence = (e: unknown): string => {
  const { message, hint } = errorText(e)
  return [message, hint].filter(Boolean).join('，')
}

/** An error in its own place; the rest of the screen keeps working. */
export function ErrorState({
  error,
  onRetry,
  others = [],
}: {
  readonly error: unknown
  readonly onRetry: () => void
  readonly others?: readonly StateAction[]
}) {
  const { message, hint, forbidden } = errorText(error)
  return (
    <StateMessage
      text={message}
      detail={hint}
      actions={[!forbidden && { label: '重试', run: onRetry }, ...others]}
    />
  )
}

import { Input, type InputRef } from 'antd'
import type { RefObject } from 'react'
import './confirm.css'

/** What must be typed before a large act (screens.md §5). */
export function Typed({
  must,
  value,
  onChange,
  wrong,
  at,
}: {
  readonly must: string
  readonly value: string
  readonly onChange: (v: string) => void
  /** Asked for and not as it must be. */ readonly wrong: boolean
  readonly at: RefObject<InputRef | null>
}) {
  return (
    <div className="danger-reason">
      <label htmlFor="danger-type">
        <i aria-hidden="true">*</i>输入「{must}」以确认
      </label>
      <Input
        id="danger-type"
        ref={at}
        value={value}
        onChange={e => onChange(e.target.value)}
        autoComplete="off"
        status={wrong ? 'error' : ''}
        aria-invalid={wrong}
      />
      {wrong ? (
        <div className="danger-note" role="alert">
          <span className="fault">与「{must}」不一致</span>
        </div>
      ) : null}
    </div>
  )
}

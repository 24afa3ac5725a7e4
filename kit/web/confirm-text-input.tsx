import { Input, type InputRef } from 'antd'
import type { RefObject } from 'react'
import { RequiredStar } from './required-star.tsx'
import './confirm.css'

/** A text that must be typed before a large action. */
export function ConfirmTextInput({
  expectedText,
  value,
  onChange,
  isWrong,
  inputRef,
}: {
  readonly expectedText: string
  readonly value: string
  readonly onChange: (v: string) => void
  /** Shown as wrong: submitted, and not equal to the expected text. */
  readonly isWrong: boolean
  readonly inputRef: RefObject<InputRef | null>
}) {
  return (
    <div className="danger-reason">
      <label htmlFor="danger-type">
        <RequiredStar />
        输入「{expectedText}」以确认
      </label>
      <Input
        id="danger-type"
        ref={inputRef}
        value={value}
        onChange={e => onChange(e.target.value)}
        autoComplete="off"
        status={isWrong ? 'error' : ''}
        aria-invalid={isWrong}
      />
      {isWrong ? (
        <div className="danger-note" role="alert">
          <span className="fault">与「{expectedText}」不一致</span>
        </div>
      ) : null}
    </div>
  )
}

import { Checkbox, Radio, type CheckboxRef } from 'antd'
import TextArea, { type TextAreaRef } from 'antd/es/input/TextArea'
import type { RefObject } from 'react'
import type { DangerOptions } from './confirm.tsx'
import { RequiredStar } from './required-star.tsx'
import './confirm.css'

export function ChoiceField({
  options: { choice },
  value,
  onChange,
  fault,
  rowRef,
}: {
  readonly options: DangerOptions
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly fault: string | undefined
  readonly rowRef: RefObject<HTMLDivElement | null>
}) {
  return choice ? (
    <div className="danger-reason" ref={rowRef}>
      <div className="danger-choice" id="danger-choice">
        <RequiredStar />
        {choice.label}
      </div>
      <Radio.Group
        aria-labelledby="danger-choice"
        value={value}
        options={[...choice.options]}
        onChange={e => onChange(String(e.target.value))}
      />
      {fault && (
        <div className="danger-note" role="alert">
          <span className="fault">{fault}</span>
        </div>
      )}
    </div>
  ) : null
}

export function ReasonField({
  label,
  presets,
  note,
  value,
  onChange,
  fault,
  inputRef,
}: {
  readonly label: string
  readonly presets: readonly string[]
  readonly note: string
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly fault: string | undefined
  readonly inputRef: RefObject<TextAreaRef | null>
}) {
  return (
    <div className="danger-reason">
      <label htmlFor="danger-reason">
        <RequiredStar />
        {label}
      </label>
      {presets.length ? (
        <div className="danger-presets">
          {presets.map(preset => (
            <button
              type="button"
              key={preset}
              aria-pressed={value.startsWith(preset)}
              onClick={() => {
                onChange(preset === '其他' ? '' : preset)
                inputRef.current?.focus()
              }}
            >
              {preset}
            </button>
          ))}
        </div>
      ) : null}
      <TextArea
        id="danger-reason"
        ref={inputRef}
        rows={2}
        value={value}
        onChange={e => onChange(e.target.value)}
        status={fault ? 'error' : ''}
        aria-invalid={Boolean(fault)}
        aria-describedby="danger-note"
      />
      <div id="danger-note" className="danger-note">
        <span className={fault ? 'fault' : ''}>{fault ?? note}</span>
        <span className="figure">{[...value].length}/200</span>
      </div>
    </div>
  )
}

export function AgreementField({
  text,
  agreed,
  onChange,
  isMissing,
  boxRef,
}: {
  readonly text: string
  readonly agreed: boolean
  readonly onChange: (agreed: boolean) => void
  readonly isMissing: boolean
  readonly boxRef: RefObject<CheckboxRef | null>
}) {
  return (
    <div className="danger-reason">
      <Checkbox ref={boxRef} checked={agreed} onChange={e => onChange(e.target.checked)}>
        {text}
      </Checkbox>
      {isMissing ? (
        <div className="danger-note">
          <span className="fault">请先勾选</span>
        </div>
      ) : null}
    </div>
  )
}

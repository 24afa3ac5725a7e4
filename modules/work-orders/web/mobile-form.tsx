import { useState, type ReactNode } from 'react'
import { RequiredStar } from '#kit/web/required-star.tsx'
import type { WorkOrder } from '../contract/work-order.ts'
import { useFormPhotos, type FormPhotos } from '#kit/web/phone/use-form-photos.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import type { StepAction, StepValues } from './mobile-steps.ts'

export type Perform = (values: StepValues, photos?: readonly string[]) => Promise<void>

/** Pictures of a step that is not sent yet. */
export const useStepPhotos = (order: WorkOrder, action: StepAction): FormPhotos =>
  useFormPhotos(`work-orders.form-photos/${order.id}/${action}`)

/** Sends what a form holds; what was refused is shown where it was entered. */
export function useStepSubmit(
  send: () => Promise<void>,
  onDone: () => void,
  /** What is still wrong with the form; shown once somebody has tried to send it. */
  problem?: string,
) {
  const [isBusy, setBusy] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const submit = async (): Promise<void> => {
    setTried(true)
    setRefusal(undefined)
    if (problem !== undefined) return
    setBusy(true)
    try {
      await send()
      onDone()
    } catch (error) {
      setRefusal(describeRefusal(error, '提交失败，请重试'))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, fault: (hasTried ? problem : undefined) ?? refusal, submit: () => void submit() }
}

/** The frame of a form: its name above, one large button below. */
export function StepFrame({
  title,
  order,
  submitLabel,
  isBusy,
  fault,
  onBack,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly order: WorkOrder
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly onBack: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}) {
  return (
    <PhoneForm
      className="phone orders-phone"
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <header>
        <div>
          <button type="button" className="big" onClick={onBack}>
            返回
          </button>
          <h1>{title}</h1>
          <small>{order.orderNo}</small>
        </div>
      </header>
      <main>{children}</main>
      <div className="foot steps">
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" className="big primary" disabled={isBusy}>
          {isBusy ? '正在提交…' : submitLabel}
        </button>
      </div>
    </PhoneForm>
  )
}

/** Words for a step: usual ones under the thumb, any other by the keyboard. */
export function ReasonField({
  label,
  usual,
  value,
  onChange,
}: {
  readonly label: string
  readonly usual: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <div className="field">
      <label className="label" htmlFor="step-reason">
        <RequiredStar />
        {label}
      </label>
      <div className="why" role="group" aria-label={`常用${label}`}>
        {usual.map(reason => (
          <button
            type="button"
            className="big"
            key={reason}
            aria-pressed={value === reason}
            onClick={() => onChange(reason)}
          >
            {reason}
          </button>
        ))}
      </div>
      <textarea
        id="step-reason"
        rows={3}
        maxLength={200}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}
